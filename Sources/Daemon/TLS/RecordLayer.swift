// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// The records of an established session, in place of OpenSSL's (RFC 8446 section 5). OpenSSL makes the handshake,
/// provides the traffic secrets, and does the cipher's work; here, each byte is encrypted and decrypted on its only way
/// from one memory to the other. OpenSSL's own records would copy each byte two more times on both sides.
final class RecordLayer {
  /// How many records are sent with one key: less than half of what AES-GCM allows (RFC 8446 section 5.5).
  static let recordsPerKey: UInt64 = 1 << 23
  /// How many records in a row may contain no data. Each costs as much as one that does.
  static let emptyRecords = 32
  /// How often in a session the other side may replace a key that it has used for fewer records than this. It costs
  /// more than ten small records.
  static let earlyUpdates = 32
  static let recordsBeforeUpdate: UInt64 = 1024
  /// The most bytes that follow a record's header.
  static let bodyLength = RecordCipher.plaintextLength + 256

  enum Reading {
    case data(Int)
    /// The rest of the next record has not arrived.
    case incomplete
    /// The next record does not fit.
    case full
    /// The other side has sent all it wanted to.
    case ended
    case failed(TLSError)
  }

  private let receiving: RecordCipher
  private let sending: RecordCipher
  private let application: ApplicationProtocol
  private let isServer: Bool
  private let recordsPerKey: UInt64
  /// How many records in a row contained no data.
  private var emptyCount = 0
  /// Whether the other side has asked for another key of this side. It is used from the next data on (RFC 8446 section
  /// 4.6.3), so a flood of requests makes no output.
  private var isRenewalWanted = false
  private var earlyUpdateCount = 0
  /// Whether this side has said that nothing follows.
  private(set) var isFinished = false

  /// - Parameters:
  ///   - secrets: Those of the records that the client sends, and those of the server's.
  ///   - recordsPerKey: How many records are sent with one key.
  init(
    _ suite: CipherSuite,
    secrets: (client: [UInt8], server: [UInt8]),
    isServer: Bool,
    application: ApplicationProtocol,
    recordsPerKey: UInt64 = RecordLayer.recordsPerKey
  ) throws(TLSError) {
    receiving = try RecordCipher(suite, secret: isServer ? secrets.client : secrets.server, isSending: false)
    sending = try RecordCipher(suite, secret: isServer ? secrets.server : secrets.client, isSending: true)
    self.isServer = isServer
    self.application = application
    self.recordsPerKey = recordsPerKey
  }

  // MARK: Sending

  /// Encrypts all of `plaintext`.
  func write(_ plaintext: UnsafeRawBufferPointer, to output: inout ByteQueue) throws(TLSError) {
    let records = plaintext.count / RecordCipher.plaintextLength + 1
    output.reserve(plaintext.count + records * RecordCipher.overhead)
    var rest = plaintext[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(RecordCipher.plaintextLength))
      try write(part, .data, to: &output)
      rest = rest.dropFirst(part.count)
    }
  }

  /// Says that nothing follows.
  func finish(_ output: inout ByteQueue) throws(TLSError) {
    guard !isFinished else { return }
    isFinished = true
    try write([1, UInt8(SSL_AD_CLOSE_NOTIFY)], .alert, to: &output)
  }

  private func write(_ bytes: [UInt8], _ type: RecordType, to output: inout ByteQueue) throws(TLSError) {
    try bytes.span.withUnsafeBytes { bytes throws(TLSError) in try write(bytes, type, to: &output) }
  }

  private func write(
    _ plaintext: UnsafeRawBufferPointer,
    _ type: RecordType,
    to output: inout ByteQueue
  ) throws(TLSError) {
    if sending.count >= recordsPerKey || (isRenewalWanted && type == .data) { try renewSending(&output) }
    try seal(plaintext, type, &output)
  }

  private func seal(
    _ plaintext: UnsafeRawBufferPointer,
    _ type: RecordType,
    _ output: inout ByteQueue
  ) throws(TLSError) {
    let length = plaintext.count + RecordCipher.overhead
    var failure: TLSError?
    output.append(upTo: length) { space in
      guard let record = space.baseAddress else { return 0 }
      do throws(TLSError) {
        try sending.seal(plaintext, type.rawValue, into: record)
        return length
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
  }

  /// Uses another key from now on, and says so with the old one.
  private func renewSending(_ output: inout ByteQueue) throws(TLSError) {
    let message: [UInt8] = [HandshakeMessage.keyUpdate.rawValue, 0, 0, 1, 0]
    try message.span.withUnsafeBytes { bytes throws(TLSError) in
      try seal(bytes, .handshake, &output)
    }
    try sending.renew()
    isRenewalWanted = false
  }

  // MARK: Receiving

  private enum HandshakeMessage: UInt8 {
    case newSessionTicket = 4
    case keyUpdate = 24
  }

  /// Why a session ends: what the other side is told, and what this side says.
  private struct Violation: Error {
    let alert: Int32
    let text: String
  }

  /// Decrypts the next record with data.
  ///
  /// - Parameters:
  ///   - input: What has arrived. Whole records are taken from it.
  ///   - space: Gets the data, and is not empty. If it is shorter than ``bodyLength``, a record may not fit.
  ///   - output: Gets the alert if the session fails.
  func read(
    from input: inout ByteQueue,
    into space: UnsafeMutableRawBufferPointer,
    _ output: inout ByteQueue
  ) -> Reading {
    do throws(Violation) {
      while true {
        let record = try next(&input, room: space.count)
        guard case .whole(let length) = record else { return record == .full ? .full : .incomplete }
        guard let (type, count) = try take(length, from: &input, into: space) else {
          throw Violation(alert: SSL_AD_BAD_RECORD_MAC, text: "A record was changed, repeated or left out")
        }
        let content = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(space).prefix(count))
        switch type {
        case .data where count > 0:
          emptyCount = 0
          return .data(count)
        case .data: break
        case .handshake: try receive(handshake: content)
        case .alert:
          switch try alert(content) {
          case SSL_AD_CLOSE_NOTIFY: return .ended
          case SSL_AD_USER_CANCELLED: break
          case let number:
            return .failed(.ofAlert(number, application: application, established: true, isServer: isServer))
          }
        }
        emptyCount += 1
        guard emptyCount <= Self.emptyRecords else {
          throw Violation(alert: SSL_AD_UNEXPECTED_MESSAGE, text: "Too many records without data")
        }
      }
    } catch {
      // Whether the alert can be made or not, the session is over. Nothing follows this side's end.
      if !isFinished { try? write([2, UInt8(error.alert)], .alert, to: &output) }
      return .failed(TLSError(.protocolViolation, error.text))
    }
  }

  private enum Next: Equatable { case whole(Int), incomplete, full }

  /// Looks at the next record: its length with its header.
  private func next(_ input: inout ByteQueue, room: Int) throws(Violation) -> Next {
    var header: (type: UInt8, length: Int)?
    let available = input.count
    input.take { bytes in
      if bytes.count >= RecordCipher.headerLength { header = (bytes[0], Int(bytes[3]) << 8 | Int(bytes[4])) }
      return 0
    }
    guard let header else { return .incomplete }
    guard header.type == RecordType.data.rawValue else {
      throw Violation(alert: SSL_AD_UNEXPECTED_MESSAGE, text: "A record isn't encrypted")
    }
    guard header.length <= Self.bodyLength else {
      throw Violation(alert: SSL_AD_RECORD_OVERFLOW, text: "A record is too long")
    }
    let length = RecordCipher.headerLength + header.length
    guard length >= RecordCipher.overhead else {
      throw Violation(alert: SSL_AD_DECODE_ERROR, text: "A record is too short")
    }
    guard available >= length else { return .incomplete }
    return length - RecordCipher.overhead <= room ? .whole(length) : .full
  }

  /// Decrypts a record of `length` bytes.
  ///
  /// - Returns: What it contains, and how many bytes of it; nil if it is not what the other side has sent next.
  private func take(
    _ length: Int,
    from input: inout ByteQueue,
    into space: UnsafeMutableRawBufferPointer
  ) throws(Violation) -> (RecordType, Int)? {
    guard let plaintext = space.baseAddress else { return nil }
    var last: UInt8?
    input.take { bytes in
      last = receiving.open(UnsafeRawBufferPointer(rebasing: bytes.prefix(length)), into: plaintext)
      return length
    }
    guard var last else { return nil }
    var count = length - RecordCipher.overhead
    // Padding counts (RFC 8446 section 5.4).
    guard count <= RecordCipher.plaintextLength else {
      throw Violation(alert: SSL_AD_RECORD_OVERFLOW, text: "A record has too much content")
    }
    // Zeros at the end are padding.
    while last == 0, count > 0 {
      count -= 1
      last = plaintext.load(fromByteOffset: count, as: UInt8.self)
    }
    guard let type = RecordType(rawValue: last) else {
      throw Violation(alert: SSL_AD_UNEXPECTED_MESSAGE, text: "A record has an unknown type")
    }
    return (type, count)
  }

  private func alert(_ content: UnsafeRawBufferPointer) throws(Violation) -> Int32 {
    guard content.count == 2 else {
      let alert = content.isEmpty ? SSL_AD_UNEXPECTED_MESSAGE : SSL_AD_DECODE_ERROR
      throw Violation(alert: alert, text: "An alert has the wrong length")
    }
    return Int32(content[1])
  }

  /// Handles what may follow a handshake. We make neither tickets nor requests for certificates, and each message is in
  /// one record.
  private func receive(handshake content: UnsafeRawBufferPointer) throws(Violation) {
    var rest = content[...]
    guard !rest.isEmpty else { throw Violation(alert: SSL_AD_UNEXPECTED_MESSAGE, text: "A message is empty") }
    while !rest.isEmpty {
      let message = UnsafeRawBufferPointer(rebasing: rest)
      guard message.count >= 4 else { throw Violation(alert: SSL_AD_DECODE_ERROR, text: "A message was cut off") }
      let length = Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3])
      guard message.count - 4 >= length else {
        throw Violation(alert: SSL_AD_UNEXPECTED_MESSAGE, text: "A message is in several records")
      }
      rest = rest.dropFirst(4 + length)
      switch HandshakeMessage(rawValue: message[0]) {
      case .newSessionTicket where !isServer: break
      case .keyUpdate where length != 1: throw Violation(alert: SSL_AD_DECODE_ERROR, text: "A key update is malformed")
      case .keyUpdate where message[4] > 1:
        throw Violation(alert: SSL_AD_ILLEGAL_PARAMETER, text: "A key update is malformed")
      case .keyUpdate where rest.isEmpty:
        if receiving.count < Self.recordsBeforeUpdate { earlyUpdateCount += 1 }
        guard earlyUpdateCount <= Self.earlyUpdates else {
          throw Violation(alert: SSL_AD_UNEXPECTED_MESSAGE, text: "Keys are replaced too often")
        }
        do throws(TLSError) { try receiving.renew() } catch {
          throw Violation(alert: SSL_AD_INTERNAL_ERROR, text: error.description)
        }
        if message[4] == 1 { isRenewalWanted = true }
      default: throw Violation(alert: SSL_AD_UNEXPECTED_MESSAGE, text: "A message isn't allowed after the handshake")
      }
    }
  }
}
