// SPDX-License-Identifier: Apache-2.0

import Activity
import Dispatch
import EventLoop
import Handoff

@testable import BatonDaemon
@testable import TLS

/// Memory that is managed by hand. The bytes that come out are the ones that went in.
enum BufferFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 1, 200, 0, 100, 1, 250, 0, 255], [0, 0, 255, 0, 255, 0, 255, 1, 255, 1, 255, 1, 255, 0, 1, 1, 1],
    [1, 9, 255, 7, 3, 250, 1],
  ]

  static let length = 96

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    guard choices.flag() else { return queue(&choices) }
    let copy = choices
    let isDone = DispatchSemaphore(value: 0)
    Task { @Loop in
      var choices = copy
      frames(&choices)
      isDone.signal()
    }
    isDone.wait()
  }

  private static func queue(_ choices: inout Choices) {
    var queue = ByteQueue()
    var expected: [UInt8] = []
    var next: UInt8 = 0
    while !choices.isOver {
      let isAppended = choices.flag()
      let count = Int(choices.byte()) * (choices.number(below: 4) == 3 ? 64 : 1)
      if isAppended {
        let bytes = (0..<count).map { _ in
          next &+= 1
          return next
        }
        expected += bytes
        bytes.withUnsafeBytes { queue.append($0) }
      } else {
        var taken = [UInt8](repeating: 0, count: count)
        let length = taken.withUnsafeMutableBytes { queue.take(into: $0) }
        same(length, min(count, expected.count))
        same(Array(taken.prefix(length)), Array(expected.prefix(length)), "Other bytes")
        expected.removeFirst(length)
      }
      same(queue.count, expected.count)
      hold(queue.capacity <= 8 * 1024 * 1024, "\(queue.capacity) bytes are kept")
      if expected.count > 1 << 20 {
        queue.take(\.count)
        expected = []
      }
    }
  }

  /// The frames of a stream that were not acknowledged, with little memory for them.
  @Loop private static func frames(_ choices: inout Choices) {
    let memory = StreamMemory(limit: choices.number(below: 64) * 64 * 1024)
    guard let team = TeamID(bytes: [UInt8](repeating: 1, count: 32)),
      let device = DeviceID(bytes: [UInt8](repeating: 2, count: 32))
    else { return }
    let account = memory.account(peer: PeerID(team: team, device: device), user: 1000)
    var frames = SentFrames(stream: 7, account: account)
    // What was not acknowledged, and how much of it was sent in this session.
    var kept: [UInt8] = []
    var sent = 0
    var offset = choices.word() >> 1
    var next: UInt8 = 0
    func send(_ count: Int) {
      var decoder = FrameDecoder()
      frames.send(count) { decoder.receive(Array($0)) }
      while let frame = try? decoder.next() {
        guard frame.type == DataFrame.type, let data = try? DataFrame(payload: frame.payload) else {
          fatalError("Not a frame with bytes")
        }
        same(data.stream, 7)
        same(data.offset, offset + UInt64(sent), "The offset")
        hold(Array(data.bytes) == Array(kept[sent..<min(kept.count, sent + data.bytes.count)]), "Other bytes are sent")
        sent += data.bytes.count
      }
      same(decoder.pendingCount, 0)
    }
    while !choices.isOver {
      switch choices.number(below: 5) {
      case 0, 1:
        let count = choices.flag() ? Int(choices.byte()) : choices.number(below: 256) * 1024
        let bytes = (0..<count).map { _ in
          next &+= 1
          return next
        }
        // A new session first sends again what was sent before.
        while sent < kept.count { send(frames.nextCount(SentFrames.batchLength)) }
        let taken = bytes.withUnsafeBytes { frames.append($0, at: offset + UInt64(kept.count)) }
        hold(taken <= min(count, SentFrames.batchLength), "\(taken) bytes are taken of \(count)")
        hold(taken > 0 || count == 0 || !kept.isEmpty, "A stream that holds nothing gets no memory")
        kept += bytes.prefix(taken)
        if taken > 0 { send(taken) }
      case 2:
        let count = min(sent, choices.flag() ? Int(choices.byte()) : choices.number(below: 256) * 1024)
        frames.acknowledge(offset + UInt64(count))
        kept.removeFirst(count)
        offset += UInt64(count)
        sent -= count
      case 3: if frames.compact() { same(sent, kept.count, "Frames that were not sent are gone") }
      default:
        frames.rewind()
        sent = 0
        if !kept.isEmpty { send(frames.nextCount(SentFrames.batchLength)) }
      }
      hold(frames.bytes == kept, "Other bytes are kept")
      hold(memory.budget.used <= memory.budget.shared, "More memory is used than there is")
    }
    frames.clear()
    account.close()
    same(memory.budget.used, 0, "Memory is lost")
  }
}
