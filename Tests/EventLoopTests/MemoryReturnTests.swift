// SPDX-License-Identifier: Apache-2.0

import EventLoop
import TestSupport
import Testing

extension EventLoopTests {
  struct MemoryReturnTests {
    private static let restTime = Duration.milliseconds(40)

    @Loop private final class Returned {
      var times: [ContinuousClock.Instant] = []
      var used: ContinuousClock.Instant?
      var uses: Timer?
      var memory: MemoryReturn?

      /// Uses the process every few milliseconds, for longer than it waits for rest.
      func use(_ count: Int) {
        memory?.noteUse()
        used = Loop.now
        guard count > 0 else { return }
        let timer = Timer { [weak self] in self?.use(count - 1) }
        timer.set(Loop.now + .milliseconds(5))
        uses = timer
      }
    }

    /// Each return makes what runs next slower, because its code comes back from the kernel's cache.
    @Test func memoryIsGivenBackOnceAndNotBeforeThereIsRest() throws {
      let returned = try onLoop {
        let returned = Returned()
        returned.memory = MemoryReturn(after: Self.restTime) { [weak returned] in returned?.times.append(Loop.now) }
        return returned
      }
      try waitUntil("The start is over") { try onLoop { returned.times.count == 1 } }
      try onLoop { returned.use(30) }
      try waitUntil("There is rest") { try onLoop { returned.times.count == 2 } }
      let rest = try onLoop { try #require(returned.used.map { returned.times[1] - $0 }) }
      #expect(rest >= Self.restTime)
      #expect(try onLoop { Timer.pending.isEmpty }, "Nothing is woken any more")
    }
  }
}
