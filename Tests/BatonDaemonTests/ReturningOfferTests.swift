// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon

extension DaemonTests {
  struct ReturningOfferTests {
    private typealias Lists = ControlReplies<ListOffers>

    private func watch(_ daemon: DaemonFixture) throws -> Lists {
      try daemon.connect().replies(of: ListOffers.self, ListOffers.Parameters())
    }

    /// Returns the first offer in the next lists whose generation is new.
    private func next(_ lists: inout Lists, after seen: inout Set<Int>) throws -> ControlOffer {
      while let list = try lists.next(until: .now + patience) {
        guard let offer = list.offers.first, let generation = offer.generation else { continue }
        if seen.insert(generation).inserted { return offer }
      }
      throw TestFailure("The lists have ended")
    }

    @Test func aProgramCanTakeEachOfferOfOneActivity() throws {
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.notes")
        var note = try a.advertise(activity)
        activity.id = note.id
        var lists = try watch(b)
        var seen: Set<Int> = []
        for _ in 0..<50 {
          _ = try next(&lists, after: &seen)
          _ = try b.continueActivity(note.id)
          try note.expect(.continued)
          note = try a.advertise(activity)
        }
        withExtendedLifetime(note) {}
      }
    }

    @Test func aListThatIsReadLateTellsThatTheOfferWasTaken() throws {
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.notes")
        var note = try a.advertise(activity)
        activity.id = note.id
        let first = try b.waitForOffer(note.id)
        _ = try b.continueActivity(note.id)
        try note.expect(.continued)
        note = try a.advertise(activity)
        #expect(try b.waitForOffer(note.id).generation != first.generation)
        activity.title = "Newer"
        let again = try b.waitForOffer(note.id)
        try note.update(activity)
        try waitUntil("The title has changed") { try b.offers().first?.title == "Newer" }
        #expect(try b.offers().map(\.generation) == [again.generation])
      }
    }

    @Test func anAdvertTellsThatTheActivityWasGoneInBetween() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha", "beta") { machines, network in
        let (a, b) = (machines[0], machines[1])
        try onLoop { network.resolves = false }
        _ = try a.createTeam()
        try a.admitByFiles(b)
        var activity = ControlActivity(activityType: "org.example.notes")
        let note = try a.advertise(activity)
        activity.id = note.id
        var lists = try watch(b)
        var seen: Set<Int> = []
        _ = try next(&lists, after: &seen)
        // While the clock stands still, no other advert goes out, so the receiver sees only the last of these changes.
        try note.resign()
        activity.title = "Newer"
        let again = try a.advertise(activity)
        try clock.pass(.seconds(2))
        let list = try lists.next(until: .now + patience)
        #expect(list?.offers.map(\.title) == ["Newer"])
        #expect(seen.insert(try #require(list?.offers.first?.generation)).inserted)
        withExtendedLifetime(again) {}
      }
    }
  }
}
