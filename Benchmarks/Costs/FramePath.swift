// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonDaemon
import EventLoop
import Glibc
import Handoff

/// A batch of a stream's bytes: from the app's socket into frames, out of them into the other app's socket, and the
/// acknowledgement. There is no cipher, and the kernel only counts the bytes.
final class FramePath: Path {
  private let memory = StreamMemory(limit: Limits.streamMemory)
  private let account: StreamMemory.Account
  private var frames: SentFrames
  private var arrived = IncomingBytes()
  private var sender = StreamEndpoint(number: 1, flow: StreamFlow(sendLimit: Limits.streamWindow))
  private var receiver = StreamEndpoint(number: 1, flow: StreamFlow(window: Limits.streamWindow))
  private var toReceiver = FrameDecoder()
  private var toSender = FrameDecoder()
  /// The session, without its encryption.
  private let wire = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * batchLength, alignment: 64)
  private var wireCount = 0
  private let source = open("/dev/zero", O_RDONLY)
  private let sink = open("/dev/null", O_WRONLY)

  private static let batchLength = SentFrames.batchLength

  init() throws {
    let zeros = [UInt8](repeating: 0, count: 32)
    guard source >= 0, sink >= 0, let team = TeamID(bytes: zeros), let device = DeviceID(bytes: zeros) else {
      throw Broken("/dev/zero and /dev/null cannot be opened")
    }
    account = memory.account(peer: PeerID(team: team, device: device), user: UserID(1000))
    frames = SentFrames(stream: 1, account: account)
    _ = sender.handle(.attached, at: Loop.now)
    _ = receiver.handle(.attached, at: Loop.now)
  }

  isolated deinit {
    frames.clear()
    account.close()
    wire.deallocate()
    close(source)
    close(sink)
  }

  func repeatOnce() throws {
    guard case .new(let limit) = sender.outgoing else { throw Broken("The stream may not send") }
    guard let count = frames.read(limit, at: sender.flow.sentCount, from: source), count == Self.batchLength else {
      throw Broken("The stream did not read a batch")
    }
    for effect in sender.handle(.read(UInt64(count)), at: Loop.now) {
      guard case .sendData(let count) = effect else { continue }
      frames.send(Int(count)) { bytes in
        UnsafeMutableRawBufferPointer(rebasing: wire[wireCount...]).copyMemory(from: bytes)
        wireCount += bytes.count
      }
    }
    try receiveBatch()
    try receiveAcknowledgement()
  }

  private func receiveBatch() throws {
    var start = 0
    while start < wireCount {
      let part = UnsafeRawBufferPointer(wire)[start..<min(start + Self.batchLength, wireCount)]
      start += part.count
      Self.carry(UnsafeRawBufferPointer(rebasing: part), to: &toReceiver)
      while let frame = try toReceiver.next() {
        let data = try DataFrame(payload: frame.payload)
        try receiver.received(UInt64(data.bytes.count), at: data.offset)
        arrived.append(data.bytes)
      }
      guard let count = arrived.write(to: sink) else { throw Broken("/dev/null takes no bytes") }
      for effect in receiver.handle(.wrote(UInt64(count)), at: Loop.now) {
        if case .send(let message) = effect { message.frame.withUnsafeBytes { Self.carry($0, to: &toSender) } }
      }
    }
    wireCount = 0
  }

  /// Does what a socket, the kernel and the cipher do.
  private static func carry(_ bytes: UnsafeRawBufferPointer, to decoder: inout FrameDecoder) {
    _ = decoder.receive(upTo: batchLength) { buffer, space in
      buffer.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[space]).copyMemory(from: bytes) }
      return bytes.count
    }
  }

  private func receiveAcknowledgement() throws {
    var isAcknowledged = false
    while let frame = try toSender.next() {
      guard case .stream(let message) = try Message(type: frame.type, payload: frame.payload) else { continue }
      _ = try sender.receive(message)
      frames.acknowledge(sender.flow.acknowledgedCount)
      isAcknowledged = true
    }
    guard isAcknowledged else { throw Broken("The batch was not acknowledged") }
  }
}
