import Activity
import EventLoop
import TestSupport
import Testing

@testable import Daemon

extension DaemonTests {
  struct PacedUpdateTests {
    @Loop final class Watcher {
      var updates = 0
      /// Whether it has read everything that it was told.
      var isReading = true
    }

    /// How many entries all the lists have together.
    private static let entries = 1000

    @Test func manyChangesAreFewUpdatesAndTheLastIsTold() async {
      await #expect(processExitsWith: .success) {
        let clock = try ManualClock.install()
        try onLoop {
          let watcher = Watcher()
          let update = PacedUpdate {
            watcher.updates += 1
            return PacedUpdate.Told(isDone: watcher.isReading, entries: Self.entries)
          }
          update.changed()
          #expect(watcher.updates == 1, "The first at once")
          for _ in 0..<10_000 { update.changed() }
          let burst = Int(Limits.watcherEntryRate.burst) / Self.entries
          #expect(watcher.updates == burst)
          clock.advance(by: .seconds(60))
          #expect(watcher.updates == burst + 1, "What came last")
          // If the watcher does not read, it is tried again, and told once it reads.
          watcher.isReading = false
          update.changed()
          clock.advance(by: Limits.watcherRetryTime * 10)
          #expect(watcher.updates == burst + 12)
          watcher.isReading = true
          clock.advance(by: .seconds(60))
          #expect(watcher.updates == burst + 13)
        }
      }
    }
  }
}
