// SPDX-License-Identifier: Apache-2.0

import Desktop
import EventLoop
import Glibc

/// The frames of one stream, for a thread that waits for them. Nothing waits longer than ``idleTime`` for the other
/// side.
final class TransferSocket {
  /// The maximum number of frames of unknown kinds in one stream.
  private static let transferUnknownFrames = 100_000

  /// What has arrived.
  enum Arrival {
    case frame(TransferFrame)
    /// The bytes are valid until the next call.
    case data(entry: UInt32, offset: UInt64, UnsafeRawBufferPointer)
  }

  /// The time without any progress after which a stream counts as broken. The daemons end one whose machine is gone
  /// much sooner. This is for an app that hangs, or a disk.
  static let idleTime = Duration.seconds(600)

  private let descriptor: Int32
  private let control: TransferControl
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024 * 1024, alignment: 16)
  private var inputRange = 0..<0
  private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024 * 1024, alignment: 16)
  private var outputCount = 0
  /// The number of those bytes that were sent.
  private var sentCount = 0
  private var unknownFrames = 0
  /// Gets what arrives while this side sends. Nil if this side sends so little that it need not read meanwhile.
  var onFrame: ((TransferFrame) throws -> Void)?

  private static let dataHeaderLength = TransferFrame.headerLength + 12

  init(_ descriptor: Int32, _ control: TransferControl) {
    (self.descriptor, self.control) = (descriptor, control)
  }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  // MARK: Receiving

  /// Waits for the next frame.
  func next() throws -> Arrival {
    // For the whole frame: single bytes are no progress.
    let deadline = ContinuousClock.now + Self.idleTime
    while true {
      if let arrival = try parse() { return arrival }
      try wait(POLLIN, until: deadline)
      try fill()
    }
  }

  /// Returns what has arrived. Nil if there is no whole frame.
  private func parse() throws -> Arrival? {
    while inputRange.count >= TransferFrame.headerLength {
      let header = ArraySlice(input[inputRange.prefix(TransferFrame.headerLength)])
      let length = try TransferFrame.payloadLength(header)
      let start = inputRange.lowerBound + TransferFrame.headerLength
      guard inputRange.upperBound - start >= length else { return nil }
      let payload = UnsafeRawBufferPointer(rebasing: input[start..<start + length])
      inputRange = start + length..<inputRange.upperBound
      let kind = header.first ?? 0
      if kind == TransferFrame.dataKind, payload.count >= 12 {
        let entry = UInt32(bigEndian: payload.loadUnaligned(as: UInt32.self))
        let offset = UInt64(bigEndian: payload.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
        return .data(entry: entry, offset: offset, UnsafeRawBufferPointer(rebasing: payload[12...]))
      }
      if let frame = try TransferFrame(kind: kind, payload: ArraySlice(payload)) { return .frame(frame) }
      unknownFrames += 1
      guard unknownFrames <= Self.transferUnknownFrames else { throw MalformedTransfer("too many unknown frames") }
    }
    return nil
  }

  private func fill() throws {
    if inputRange.lowerBound > 0 {
      let rest = UnsafeRawBufferPointer(rebasing: input[inputRange])
      input.copyMemory(from: rest)
      inputRange = 0..<rest.count
    }
    // A whole frame fits, so there is room.
    let room = UnsafeMutableRawBufferPointer(rebasing: input[inputRange.upperBound...])
    let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      inputRange = inputRange.lowerBound..<inputRange.upperBound + count
    } else if count == 0 || errno != EAGAIN && errno != EINTR {
      throw TransferStop.broken
    }
  }

  // MARK: Sending

  func send(_ frame: TransferFrame) throws {
    var bytes: [UInt8] = []
    frame.append(to: &bytes)
    if outputCount + bytes.count > output.count { try flush() }
    bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: output[outputCount...]).copyMemory(from: $0) }
    outputCount += bytes.count
  }

  /// Sends bytes of a file.
  ///
  /// - Parameters:
  ///   - count: At most `FileSender.transferPieceLength`.
  ///   - read: Fills the buffer, and returns how many bytes it has put there.
  /// - Returns: That number. Without any, nothing is sent.
  func sendData(
    entry: UInt32,
    offset: UInt64,
    atMost count: Int,
    _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> Int {
    if outputCount + Self.dataHeaderLength + count > output.count { try flush() }
    let start = outputCount + Self.dataHeaderLength
    let length = try read(UnsafeMutableRawBufferPointer(rebasing: output[start..<start + count]))
    guard length > 0 else { return 0 }
    var header: [UInt8] = []
    TransferFrame.appendDataHeader(entry: entry, offset: offset, count: length, to: &header)
    header.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: output[outputCount...]).copyMemory(from: $0) }
    outputCount = start + length
    if outputCount >= output.count / 2 { try flush() }
    return length
  }

  /// Sends what is waiting, and takes what arrives meanwhile.
  func flush() throws {
    while sentCount < outputCount {
      let events = try wait(onFrame == nil ? POLLOUT : POLLOUT | POLLIN)
      if let onFrame, events & POLLIN != 0 { try takeArrivals(onFrame) }
      guard events & POLLOUT != 0 else { continue }
      let rest = UnsafeRawBufferPointer(rebasing: output[sentCount..<outputCount])
      let count = Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      if count > 0 { sentCount += count } else if errno != EAGAIN, errno != EINTR { throw lastWord() }
    }
    (outputCount, sentCount) = (0, 0)
  }

  private func takeArrivals(_ onFrame: (TransferFrame) throws -> Void) throws {
    // What came before the end of the stream counts.
    try hear(onFrame)
    try fill()
    try hear(onFrame)
  }

  private func hear(_ onFrame: (TransferFrame) throws -> Void) throws {
    while let arrival = try parse() {
      guard case .frame(let frame) = arrival else { throw MalformedTransfer("data from the receiver") }
      try onFrame(frame)
    }
  }

  /// Nothing more can be sent. The other side may have said why.
  private func lastWord() -> TransferStop {
    while true {
      while let arrival = try? parse() {
        if case .frame(.finished(let failure?, _)) = arrival { return .failed(failure) }
      }
      guard Descriptor.wait(descriptor, for: POLLIN, until: .now) else { return .broken }
      do { try fill() } catch { return .broken }
    }
  }

  /// How the other side says that the transfer ended.
  struct End {
    let failure: TransferFailure?
    let omitted: Int
  }

  /// Says that the transfer is over, and waits until the other side has ended, too. Otherwise, what it is told could be
  /// lost. Whether it arrives does not matter.
  ///
  /// - Parameter omitted: How many were left out.
  /// - Returns: What the other side says. Nil if it does not.
  @discardableResult
  func end(_ failure: TransferFailure?, omitted: Int = 0) -> End? {
    // A frame of which some was sent is completed, so that the next one is understood.
    var bytes = Array(output[sentCount..<outputCount])
    (outputCount, sentCount) = (0, 0)
    TransferFrame.finished(failure, omitted: omitted).append(to: &bytes)
    var rest = bytes[...]
    let deadline = ContinuousClock.now + Self.endTime
    while !rest.isEmpty, Descriptor.wait(descriptor, for: POLLOUT, until: deadline) {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EAGAIN, errno != EINTR { break }
    }
    shutdown(descriptor, Int32(SHUT_WR))
    var end: End?
    repeat {
      do {
        while let arrival = try parse() {
          if case .frame(.finished(let failure, let omitted)) = arrival {
            end = End(failure: failure, omitted: omitted)
          }
        }
      } catch {
        inputRange = 0..<0
      }
      guard Descriptor.wait(descriptor, for: POLLIN, until: deadline) else { break }
    } while (try? fill()) != nil
    return end
  }

  /// How long the other side may take to end.
  private static let endTime = Duration.seconds(30)

  // MARK: Waiting

  /// Waits until one of the events is there. Reports a hang-up as all of them.
  @discardableResult
  private func wait(_ events: Int32, until deadline: ContinuousClock.Instant = .now + idleTime) throws -> Int32 {
    while ContinuousClock.now < deadline {
      if let failure = control.failure { throw TransferStop.failed(failure) }
      var items = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0),
        pollfd(fd: control.stopDescriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&items, 2, 1000)
      if count > 0, items[0].revents != 0 {
        let known = Int32(items[0].revents) & events
        return known == 0 ? events : known
      }
      if count < 0, errno != EINTR { throw TransferStop.broken }
    }
    throw TransferStop.broken
  }
}
