// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL
import Testing

@testable import TLS

@Suite struct RecordLayerTests {
  /// One side, with what has arrived and what it sends.
  private final class Side {
    let layer: RecordLayer
    var input = ByteQueue()
    var output = ByteQueue()

    init(_ suite: CipherSuite, _ secrets: (client: [UInt8], server: [UInt8]), isServer: Bool, perKey: UInt64) throws {
      layer = try RecordLayer(
        suite,
        secrets: secrets,
        isServer: isServer,
        application: .peer,
        recordsPerKey: perKey
      )
    }

    func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try layer.write($0, to: &output) } }

    func receive(_ bytes: [UInt8]) { bytes.withUnsafeBytes { input.append($0) } }

    func sent() -> [UInt8] {
      var bytes: [UInt8] = []
      output.take { all in
        bytes = Array(all)
        return all.count
      }
      return bytes
    }

    /// Everything up to the first other event.
    func read(room: Int = RecordLayer.bodyLength) -> (bytes: [UInt8], then: RecordLayer.Reading) {
      var bytes: [UInt8] = []
      var space = [UInt8](repeating: 0, count: room)
      while true {
        switch space.withUnsafeMutableBytes({ layer.read(from: &input, into: $0, &output) }) {
        case .data(let count): bytes += space.prefix(count)
        case let reading: return (bytes, reading)
        }
      }
    }

    /// Why it fails, and the alert that it sends.
    func failure() -> String? {
      let (bytes, reading) = read()
      guard bytes.isEmpty, case .failed(let error) = reading else { return nil }
      return error.message
    }
  }

  private let suite: CipherSuite
  private let secrets: (client: [UInt8], server: [UInt8])

  init() { self.init(.aes128GCM) }

  private init(_ suite: CipherSuite) {
    self.suite = suite
    let length = suite == .aes256GCM ? 48 : 32
    secrets = (SystemRandom.bytes(length), SystemRandom.bytes(length))
  }

  private func sides(perKey: UInt64 = RecordLayer.recordsPerKey) throws -> (client: Side, server: Side) {
    (
      try Side(suite, secrets, isServer: false, perKey: perKey),
      try Side(suite, secrets, isServer: true, perKey: perKey)
    )
  }

  /// Makes records as a client with the secret makes them, of any content.
  private func client() throws -> RecordCipher { try RecordCipher(suite, secret: secrets.client, isSending: true) }

  /// - Parameter content: With the type at its end, and padding.
  private func record(_ cipher: RecordCipher, inner content: [UInt8]) throws -> [UInt8] {
    // The last byte of the content stands for the type.
    let last = content[content.count - 1]
    var record = [UInt8](repeating: 0, count: content.count + RecordCipher.overhead - 1)
    try record.withUnsafeMutableBytes { record in
      try content.dropLast().withUnsafeBytes { bytes in
        try cipher.seal(bytes, last, into: #require(record.baseAddress))
      }
    }
    return record
  }

  /// The keys and the first record of a client (RFC 8448 section 3).
  @Test func theKeysAndRecordsAreThoseOfTheStandard() throws {
    let secret = bytes("9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5")
    let suite = CipherSuite.aes128GCM
    #expect(suite.expand(secret, "key", length: 16) == bytes("17422dda596ed5d9acd890e3c63f5051"))
    #expect(suite.expand(secret, "iv", length: 12) == bytes("5b78923dee08579033e523d9"))
    let cipher = try RecordCipher(suite, secret: secret, isSending: true)
    #expect(
      try record(cipher, inner: Array(0..<50) + [23])
        == bytes(
          "1703030043a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b9819a8a5b46b395bd54a9a20441e2b62974e1f"
            + "5a6292a2977014bd1e3deae63aeebb21694915e4"
        )
    )
  }

  private func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap { $0.hexDigitValue.map(UInt8.init) }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  @Test(arguments: [CipherSuite.aes128GCM, .aes256GCM, .chaCha20Poly1305])
  func whatIsWrittenIsRead(suite: CipherSuite) throws {
    let (client, server) = try RecordLayerTests(suite).sides()
    for count in [0, 1, 16383, 16384, 16385, 100_000] {
      let sent = SystemRandom.bytes(count)
      try client.write(sent)
      try server.write(sent)
      server.receive(client.sent())
      client.receive(server.sent())
      let isEqual = server.read().bytes == sent && client.read().bytes == sent
      #expect(isEqual, "\(count) bytes")
    }
  }

  @Test func aKeyIsReplacedInTime() throws {
    let (client, server) = try sides(perKey: 3)
    var received: [UInt8] = []
    for number: UInt8 in 0..<20 {
      try client.write([number])
      try server.write([number])
      server.receive(client.sent())
      client.receive(server.sent())
      received += server.read().bytes
      #expect(client.read().bytes == [number])
    }
    #expect(received == Array(0..<20))
  }

  @Test func aKeyUpdateThatIsRequestedIsAnswered() throws {
    let (client, server) = try sides()
    let cipher = try self.client()
    server.receive(try record(cipher, inner: [24, 0, 0, 1, 1, 22]))
    try cipher.renew()
    server.receive(try record(cipher, inner: [7, 23]))
    #expect(server.read().bytes == [7])
    try server.write([8])
    client.receive(server.sent())
    #expect(client.read().bytes == [8])
  }

  @Test func severalRequestsHaveOneAnswerWithTheNextData() throws {
    let (client, server) = try sides()
    let cipher = try self.client()
    for _ in 0..<3 {
      server.receive(try record(cipher, inner: [24, 0, 0, 1, 1, 22]))
      try cipher.renew()
    }
    guard case .incomplete = server.read().then else { return #expect(Bool(false), "It has failed") }
    #expect(server.sent().isEmpty)
    try server.write([8])
    let answer = server.sent()
    #expect(answer.count == 5 + 1 + 2 * RecordCipher.overhead)
    client.receive(answer)
    #expect(client.read().bytes == [8])
  }

  @Test(arguments: [[24, 0, 0, 1, 1, 22], [1, 24]] as [[UInt8]])
  func nothingFollowsTheEnd(content: [UInt8]) throws {
    let (_, server) = try sides()
    try server.layer.finish(&server.output)
    _ = server.sent()
    server.receive(try record(self.client(), inner: content))
    _ = server.read()
    #expect(server.sent().isEmpty)
  }

  @Test func keysAreNotReplacedAllTheTime() throws {
    let (_, server) = try sides()
    let cipher = try client()
    func update() throws {
      server.receive(try record(cipher, inner: [24, 0, 0, 1, 0, 22]))
      try cipher.renew()
      server.receive(try record(cipher, inner: [1, 23]))
    }
    for _ in 0..<RecordLayer.earlyUpdates { try update() }
    #expect(server.read().bytes.count == RecordLayer.earlyUpdates)
    for _ in 1..<RecordLayer.recordsBeforeUpdate { server.receive(try record(cipher, inner: [1, 23])) }
    try update()
    #expect(server.read().bytes.count == Int(RecordLayer.recordsBeforeUpdate))
    try update()
    #expect(server.failure() == "Keys are replaced too often")
  }

  @Test func paddingIsDropped() throws {
    let (_, server) = try sides()
    let cipher = try client()
    let zeros = [UInt8](repeating: 0, count: 255)
    server.receive(try record(cipher, inner: [1, 0, 23] + zeros))
    let long = [UInt8](repeating: 9, count: 16384 - zeros.count)
    server.receive(try record(cipher, inner: long + [23] + zeros))
    let isEqual = server.read().bytes == [1, 0] + long
    #expect(isEqual)
  }

  @Test func theEndIsSaidOnceAndAlertsAreUnderstood() throws {
    let (client, server) = try sides()
    try client.layer.finish(&client.output)
    try client.layer.finish(&client.output)
    let end = client.sent()
    #expect(end.count == 2 + RecordCipher.overhead)
    server.receive(end)
    guard case .ended = server.read().then else { return #expect(Bool(false), "It has not ended") }
    let (_, other) = try sides()
    let cipher = try self.client()
    // A warning that the end follows, and an alert.
    other.receive(try record(cipher, inner: [1, 90, 21]))
    other.receive(try record(cipher, inner: [2, 44, 21]))
    guard case .failed(let error) = other.read().then else { return #expect(Bool(false), "It has not failed") }
    #expect(error.reason == .certificateRevoked && other.sent().isEmpty)
  }

  @Test func ticketsAreIgnoredByClientsOnly() throws {
    let (client, server) = try sides()
    let ticket: [UInt8] = [4, 0, 0, 2, 1, 2]
    let serverCipher = try RecordCipher(suite, secret: secrets.server, isSending: true)
    client.receive(try record(serverCipher, inner: ticket + ticket + [22]))
    client.receive(try record(serverCipher, inner: [5, 23]))
    #expect(client.read().bytes == [5])
    server.receive(try record(self.client(), inner: ticket + [22]))
    #expect(server.failure() == "A message isn't allowed after the handshake")
  }

  @Test(arguments: [
    ([2, 21], "An alert has the wrong length"), ([2, 40, 0, 21], "An alert has the wrong length"),
    ([22], "A message is empty"), ([24, 0, 0, 22], "A message was cut off"),
    ([24, 0, 0, 2, 0, 22], "A message is in several records"),
    ([24, 0, 0, 0, 22], "A key update is malformed"), ([24, 0, 0, 2, 0, 0, 22], "A key update is malformed"),
    ([24, 0, 0, 1, 2, 22], "A key update is malformed"), ([21], "An alert has the wrong length"),
    ([24, 0, 0, 1, 0, 24, 0, 0, 1, 0, 22], "A message isn't allowed after the handshake"),
    ([1, 0, 0, 0, 22], "A message isn't allowed after the handshake"),
    ([13, 0, 0, 0, 22], "A message isn't allowed after the handshake"), ([1, 20], "A record has an unknown type"),
    ([1, 24], "A record has an unknown type"), ([0], "A record has an unknown type"),
    ([0, 0, 0], "A record has an unknown type"),
    ([UInt8](repeating: 1, count: 16385) + [23], "A record has too much content"),
    ([UInt8](repeating: 1, count: 16384) + [23, 0], "A record has too much content"),
  ])
  func whatIsNotAllowedEndsTheSession(content: [UInt8], message: String) throws {
    let (client, server) = try sides()
    server.receive(try record(self.client(), inner: content))
    #expect(server.failure() == message)
    // The other side is told.
    client.receive(server.sent())
    guard case .failed = client.read().then else { return #expect(Bool(false), "There was no alert") }
  }

  @Test(arguments: [
    ([22, 3, 3, 0, 20], "A record isn't encrypted"), ([20, 3, 3, 0, 1, 1], "A record isn't encrypted"),
    ([21, 3, 3, 0, 2, 2, 40], "A record isn't encrypted"), ([23, 3, 3, 0x41, 1], "A record is too long"),
    ([23, 3, 3, 0xFF, 0xFF], "A record is too long"), ([23, 3, 3, 0, 16], "A record is too short"),
    ([23, 3, 3, 0, 0], "A record is too short"),
  ])
  func aHeaderIsCheckedBeforeTheRestArrives(header: [UInt8], message: String) throws {
    let (_, server) = try sides()
    server.receive(header)
    #expect(server.failure() == message)
  }

  @Test func nothingThatWasChangedRepeatedOrLeftOutIsRead() throws {
    let (client, _) = try sides()
    try client.write([1, 2, 3])
    let first = client.sent()
    try client.write([4])
    let second = client.sent()
    for index in first.indices {
      let (_, server) = try sides()
      var changed = first
      changed[index] ^= 0x80
      server.receive(changed + second)
      let (bytes, then) = server.read()
      #expect(bytes.isEmpty, "Byte \(index)")
      // A record that seems to be longer has not arrived.
      if case .failed = then { continue }
      #expect([3, 4].contains(index), "Byte \(index)")
    }
    for records in [second, first + first, first + second + second] {
      let (_, server) = try sides()
      server.receive(records)
      guard case .failed(let error) = server.read().then else { return #expect(Bool(false), "It was read") }
      #expect(error.message == "A record was changed, repeated or left out")
    }
    // What one side has sent is not for itself.
    client.receive(first)
    #expect(client.failure() == "A record was changed, repeated or left out")
  }

  @Test func recordsWithoutDataAreCounted() throws {
    let (_, server) = try sides()
    let cipher = try client()
    for _ in 0..<3 {
      for _ in 0..<RecordLayer.emptyRecords { server.receive(try record(cipher, inner: [23])) }
      server.receive(try record(cipher, inner: [1, 23]))
    }
    #expect(server.read().bytes == [1, 1, 1])
    for _ in 0...RecordLayer.emptyRecords { server.receive(try record(cipher, inner: [23])) }
    #expect(server.failure() == "Too many records without data")
  }

  @Test func recordsWithoutDataAreCountedOverCalls() throws {
    let (_, server) = try sides()
    let cipher = try client()
    for _ in 0..<RecordLayer.emptyRecords {
      server.receive(try record(cipher, inner: [23]))
      guard case .incomplete = server.read().then else { return #expect(Bool(false), "It has failed") }
    }
    server.receive(try record(cipher, inner: [23]))
    #expect(server.failure() == "Too many records without data")
  }

  /// OpenSSL's code isn't watched by the address sanitizer.
  @Test(arguments: [CipherSuite.aes128GCM, .aes256GCM, .chaCha20Poly1305])
  func nothingIsWrittenBeyondTheRoom(suite: CipherSuite) throws {
    for count in [1, 15, 16, 17, 255, 4096, 16383, 16384] {
      let (client, server) = try RecordLayerTests(suite).sides()
      try client.write(SystemRandom.bytes(count))
      server.receive(client.sent())
      var space = [UInt8](repeating: 0xA5, count: count + 64)
      let reading = space.withUnsafeMutableBytes { all in
        server.layer.read(from: &server.input, into: .init(rebasing: all.prefix(count)), &server.output)
      }
      guard case .data(count) = reading else { return #expect(Bool(false), "\(count) bytes did not fit") }
      #expect(space.suffix(64).allSatisfy { $0 == 0xA5 })
    }
  }

  @Test func aRecordThatDoesNotFitIsNotTouched() throws {
    let (client, server) = try sides()
    try client.write(Array(0..<100))
    server.receive(client.sent())
    guard case .full = server.read(room: 99).then else { return #expect(Bool(false), "It did fit") }
    #expect(server.read(room: 100).bytes == Array(0..<100))
  }
}
