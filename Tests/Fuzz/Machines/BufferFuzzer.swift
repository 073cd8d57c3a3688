import Activity

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
    if choices.flag() { replay(&choices) } else { queue(&choices) }
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

  private static func replay(_ choices: inout Choices) {
    var buffer = ReplayBuffer()
    var offset = choices.word() >> 1
    var kept: [UInt8] = []
    while !choices.isOver {
      let bytes = [UInt8](repeating: choices.byte(), count: choices.number(below: 256) * 1024)
      bytes.withUnsafeBytes { buffer.keep($0, at: offset + UInt64(kept.count)) }
      kept += bytes
      let excess = max(0, kept.count - Int(Limits.streamReplayLength))
      kept.removeFirst(excess)
      offset += UInt64(excess)
      var read: [UInt8] = []
      while read.count < kept.count {
        let piece = buffer.bytes(at: offset + UInt64(read.count), kept.count - read.count)
        hold(!piece.isEmpty, "A piece of nothing")
        read += piece
      }
      same(read.count, kept.count)
      hold(read == kept, "Other bytes are sent again")
    }
    buffer.clear()
  }
}
