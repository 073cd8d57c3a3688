// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TestSupport
import Testing

@testable import BatonDaemon

@Suite(.serialized) struct SentFramesTests {
  private static func peer() throws -> PeerID {
    PeerID(
      team: try #require(TeamID(bytes: [UInt8](repeating: 1, count: 32))),
      device: try #require(DeviceID(bytes: [UInt8](repeating: 2, count: 32)))
    )
  }

  /// A receiver of version 0.1 acknowledges 131,072 bytes at a time. So as many find room in the smallest frames, even
  /// if other streams hold all the memory.
  @Test func smallFramesAreMadeLargeWhenThereIsNoMemory() throws {
    try onLoop {
      let memory = StreamMemory(limit: 4 << 20)
      let other = memory.account(peer: try Self.peer(), user: 1)
      other.force(memory.budget.shared)
      let account = memory.account(peer: try Self.peer(), user: 1)
      var frames = SentFrames(stream: 3, account: account)
      var bytes: [UInt8] = []
      while bytes.count < 131_072 {
        let byte = [UInt8(truncatingIfNeeded: bytes.count)]
        var count = byte.withUnsafeBytes { frames.append($0, at: UInt64(bytes.count)) }
        if count == 0, frames.compact() { count = byte.withUnsafeBytes { frames.append($0, at: UInt64(bytes.count)) } }
        guard count == 1 else { break }
        frames.send(1) { _ in }
        bytes += byte
      }
      #expect(bytes.count == 131_072)
      #expect(frames.bytes == bytes)
      frames.clear()
      account.close()
      other.close()
      #expect(memory.budget.used == 0)
    }
  }

  /// Other implementations may acknowledge any byte.
  @Test func whatIsLeftOfAFrameIsAFrame() throws {
    try onLoop {
      let memory = StreamMemory(limit: 4 << 20)
      let account = memory.account(peer: try Self.peer(), user: 1)
      var frames = SentFrames(stream: 3, account: account)
      let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
      #expect(bytes.withUnsafeBytes { frames.append($0, at: 7) } == bytes.count)
      frames.send(bytes.count) { _ in }
      for count in [1, 2, 16_367, 16_368, 16_369, 33_000] {
        frames.acknowledge(UInt64(7 + count))
        frames.rewind()
        var decoder = FrameDecoder()
        frames.send(bytes.count - count) { decoder.receive(Array($0)) }
        var offset = UInt64(7 + count)
        var sent: [UInt8] = []
        while let frame = try decoder.next() {
          let data = try DataFrame(payload: frame.payload)
          #expect(data.stream == 3 && data.offset == offset)
          offset += UInt64(data.bytes.count)
          sent += data.bytes
        }
        #expect(sent == Array(bytes.dropFirst(count)))
      }
      frames.clear()
      account.close()
    }
  }
}
