// SPDX-License-Identifier: Apache-2.0

import EventLoop
import TestSupport
import Testing

extension EventLoopTests {
  struct MemoryReturnTests {
    @Loop private final class Returns {
      private(set) var count = 0
      private(set) lazy var memory = MemoryReturn { [weak self] in self?.count += 1 }
    }

    /// Each return makes what runs next slower, because its code comes back from the kernel's cache.
    @Test func memoryIsGivenBackOnceAndNotBeforeThereIsRest() throws {
      let clock = try ManualClock.install()
      defer { try? onLoop { Loop.clock = SystemClock() } }
      let returns = try onLoop { Returns() }
      try onLoop { _ = returns.memory }
      try clock.pass(.seconds(2))
      #expect(try onLoop { returns.count } == 1, "The start is over")
      for _ in 0..<10 {
        try onLoop { returns.memory.noteUse() }
        try clock.pass(.seconds(29))
      }
      #expect(try onLoop { returns.count } == 1)
      try clock.pass(.seconds(1))
      #expect(try onLoop { returns.count } == 2)
      try clock.pass(.seconds(3600))
      #expect(try onLoop { returns.count } == 2)
    }

    @Test func theStartIsOverAlthoughThereIsUse() throws {
      let clock = try ManualClock.install()
      defer { try? onLoop { Loop.clock = SystemClock() } }
      let returns = try onLoop { Returns() }
      try onLoop { returns.memory.noteUse() }
      try clock.pass(.seconds(2))
      #expect(try onLoop { returns.count } == 1)
      try clock.pass(.seconds(28))
      #expect(try onLoop { returns.count } == 2)
    }
  }
}
