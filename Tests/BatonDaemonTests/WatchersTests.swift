// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  struct WatchersTests {
    /// The list, and who was told of it.
    @Loop final class List {
      let watchers = Watchers()
      var state = 0
      /// The users whose watchers were updated.
      var updates: [UserID] = []

      /// - Parameter entries: Of the list that each of them gets.
      func watch(_ count: Int = 1, of user: UserID, entries: Int) -> [Watcher] {
        let new = (0..<count).map { _ in Watcher(self, user, entries) }
        for watcher in new { watchers.add(watcher) }
        return new
      }

      func change() {
        state += 1
        watchers.changed()
      }
    }

    @Loop final class Watcher: ListWatcher {
      private unowned let list: List
      let user: UserID
      private let entries: Int
      var isBehind = false
      var updates = 0
      /// The state that it was told last.
      var state = 0
      var isUpToDate: Bool { state == list.state }

      init(_ list: List, _ user: UserID, _ entries: Int) {
        self.list = list
        self.user = user
        self.entries = entries
      }

      func update() -> Int {
        #expect(!isBehind)
        updates += 1
        state = list.state
        list.updates.append(user)
        return entries
      }
    }

    private static let entries = 1000

    @Test func manyChangesAreFewUpdatesAndTheLastIsTold() throws {
      let clock = try ManualClock.install()
      try onLoop {
        let list = List()
        let watcher = list.watch(of: 1, entries: Self.entries)[0]
        list.change()
        #expect(watcher.isUpToDate, "The first immediately")
        for _ in 0..<10_000 { list.change() }
        let burst = Int(WatcherShare.watcherEntryRate.burst) / Self.entries
        #expect(watcher.updates == burst)
        clock.advance(by: .seconds(60))
        #expect(watcher.updates == burst + 1, "What came last")
        #expect(watcher.isUpToDate)
        for _ in 0..<10_000 {
          list.change()
          clock.advance(by: .milliseconds(1))
        }
        let even = Int(WatcherShare.watcherEntryRate.perSecond) / Self.entries * 10
        #expect((even...even + 2).contains(watcher.updates - 2 * burst), "\(watcher.updates)")
      }
    }

    @Test func aClientThatReadsAgainGetsTheNewest() throws {
      let clock = try ManualClock.install()
      try onLoop {
        let list = List()
        let watcher = list.watch(of: 1, entries: Self.entries)[0]
        let others = list.watch(20, of: 1, entries: Self.entries)
        watcher.isBehind = true
        for _ in 0..<10_000 {
          list.change()
          clock.advance(by: .milliseconds(1))
        }
        #expect(watcher.updates == 0)
        watcher.isBehind = false
        // Its turn comes, although the others change all the time.
        for _ in 0..<1100 + 50 {
          list.change()
          clock.advance(by: .milliseconds(1))
        }
        #expect(watcher.updates == 1)
        clock.advance(by: .seconds(60))
        #expect((others + [watcher]).allSatisfy { $0.isUpToDate })
        let updates = list.updates.count
        clock.advance(by: .seconds(60))
        #expect(list.updates.count == updates, "There is nothing new")
      }
    }

    @Test func aClientThatDoesNotReadChangesNothingForOthers() throws {
      let clock = try ManualClock.install()
      try onLoop {
        let list = List()
        let unread = list.watch(100, of: 1, entries: Self.entries)
        for watcher in unread { watcher.isBehind = true }
        let readers = [1, 2].map { list.watch(of: $0, entries: Self.entries)[0] }
        for _ in 0..<9 {
          list.change()
          #expect(readers.allSatisfy { $0.isUpToDate }, "Immediately")
          clock.advance(by: .milliseconds(7))
        }
        clock.advance(by: .seconds(60))
        let before = readers.map { $0.updates }
        for _ in 0..<10_000 {
          list.change()
          clock.advance(by: .milliseconds(1))
        }
        let updates = zip(readers, before).map { $0.updates - $1 }
        // The other user's are as many as without it, and the user's own nearly so.
        #expect((209...212).contains(updates[1]), "\(updates)")
        #expect(updates[0] >= 185, "\(updates)")
        #expect(unread.allSatisfy { $0.updates == 0 })
      }
    }

    @Test func manyThatDoNotReadLeaveRootItsLists() throws {
      let clock = try ManualClock.install()
      try onLoop {
        let list = List()
        let unread = list.watch(1000, of: 0, entries: Self.entries)
        for watcher in unread { watcher.isBehind = true }
        let reader = list.watch(of: 0, entries: Self.entries)[0]
        for _ in 0..<10_000 {
          list.change()
          clock.advance(by: .milliseconds(1))
        }
        #expect(reader.updates >= 170, "\(reader.updates)")
        for watcher in unread { watcher.isBehind = false }
        clock.advance(by: .seconds(60))
        #expect(unread.allSatisfy { $0.isUpToDate })
      }
    }

    @Test func manyWatchersOfAnotherUserDelayAListByOneUpdate() throws {
      let clock = try ManualClock.install()
      try onLoop {
        let list = List()
        let others = list.watch(126, of: 1, entries: 700)
        let watcher = list.watch(of: 2, entries: 10)[0]
        for _ in 0..<900 {
          let before = list.updates.count
          list.change()
          #expect(watcher.isUpToDate, "Immediately")
          #expect(list.updates.count - before <= 2, "One of each user")
          clock.advance(by: .milliseconds(20))
        }
        // The other user has its own share, and so does each of its watchers.
        let updates = others.map { $0.updates }
        #expect((500...550).contains(updates.reduce(0, +)), "\(updates)")
        #expect(Set(updates).count <= 2, "\(updates)")
        clock.advance(by: .seconds(60))
        #expect(others.allSatisfy { $0.isUpToDate })
      }
    }

    @Test func theListsOfOneUserAreToldInTurnsOfTheLoop() throws {
      let clock = try ManualClock.install()
      try onLoop {
        let list = List()
        let watchers = list.watch(5, of: 1, entries: 10)
        list.change()
        #expect(list.updates.count == 1)
        #expect(watchers[0].isUpToDate)
        clock.advance(by: .zero)
        #expect(watchers.allSatisfy { $0.isUpToDate })
        list.watchers.remove(watchers[0])
        list.change()
        clock.advance(by: .zero)
        #expect(watchers.map { $0.updates } == [1, 2, 2, 2, 2])
      }
    }

    @Test func connectingAgainIsNoNewBurst() throws {
      let clock = try ManualClock.install()
      try onLoop {
        let list = List()
        for _ in 0..<10 {
          let watcher = list.watch(of: 1, entries: Self.entries)[0]
          for _ in 0..<10 { list.change() }
          list.watchers.remove(watcher)
        }
        #expect(list.watchers.isEmpty)
        #expect(list.updates.count == Int(WatcherShare.watcherEntryRate.burst) / Self.entries)
        _ = list.watch(of: 2, entries: 1)
        #expect(Set(list.watchers.shares.keys) == [1, 2])
        clock.advance(by: .seconds(60))
        _ = list.watch(of: 3, entries: 1)
        #expect(Set(list.watchers.shares.keys) == [2, 3], "Forgotten when the bucket is full")
      }
    }
  }
}
