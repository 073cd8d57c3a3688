// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TLS

@Suite struct ByteQueueTests {
  @Test func bytesLeaveInTheirOrder() {
    var queue = ByteQueue()
    var model: [UInt8] = []
    for round in 0..<2000 {
      let bytes = SystemRandom.bytes(Int.random(in: 0..<(round % 100 == 0 ? 100_000 : 300)))
      bytes.withUnsafeBytes { queue.append($0) }
      model += bytes
      let length = Int.random(in: 0...(round % 10 == 0 ? model.count : 200))
      var taken = [UInt8](repeating: 0, count: length)
      let count = taken.withUnsafeMutableBytes { queue.take(into: $0) }
      #expect(count == min(length, model.count))
      #expect(taken.prefix(count) == model.prefix(count))
      model.removeFirst(count)
      #expect(queue.count == model.count)
    }
  }

  /// A count that a caller returns is limited to what is possible.
  @Test func countsAreBounded() {
    var queue = ByteQueue()
    #expect(queue.append(upTo: 10) { _ in 11 } == 10 && queue.count == 10)
    #expect(queue.append(upTo: 10) { _ in -1 } == 0 && queue.count == 10)
    #expect(queue.take { _ in 11 } == 10 && queue.count == 0)
    #expect(queue.take { bytes in bytes.count } == 0)
    #expect(queue.append(upTo: 0) { space in space.count } == 0)
  }

  @Test func onlyWhatIsInUseIsKeptAfterATrim() {
    var queue = ByteQueue()
    queue.append(upTo: 100_000) { space in
      for index in space.indices { space[index] = UInt8(truncatingIfNeeded: index) }
      return space.count
    }
    queue.trim()
    #expect(queue.count == 100_000)
    queue.take { $0.count - 3 }
    queue.trim()
    #expect(queue.count == 3 && queue.capacity == 3)
    queue.append(upTo: 1) { space in
      space[0] = 7
      return 1
    }
    var bytes: [UInt8] = []
    queue.take { all in
      bytes = Array(all)
      return all.count
    }
    #expect(bytes == [0x9D, 0x9E, 0x9F, 7])
    queue.trim()
    #expect(queue.capacity == 0)
  }

  @Test func memoryIsKeptUnderLoadAndGivenBackAfterIt() {
    var queue = ByteQueue()
    func pass(_ length: Int) {
      queue.append(upTo: length) { $0.count }
      queue.take { $0.count }
    }
    for _ in 0..<10 { pass(100_000) }
    #expect(queue.capacity >= 100_000)
    for _ in 0..<4 { pass(30) }
    pass(100_000)
    #expect(queue.capacity >= 100_000)
    for _ in 0..<5 { pass(30) }
    #expect(queue.capacity == 0)
    pass(30)
    #expect(queue.capacity == 0, "So little need not be kept")
  }
}
