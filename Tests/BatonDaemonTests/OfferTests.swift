// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import JSONCoding
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon

extension DaemonTests {
  struct OfferTests {
    @Test func anOfferIsSeenWithoutASession() throws {
      try withDaemons("alpha", "beta") { machines, network in
        let (a, b) = (machines[0], machines[1])
        try onLoop { network.resolves = false }
        _ = try a.createTeam()
        try a.admitByFiles(b)
        var activity = ControlActivity(activityType: "org.example.notes")
        activity.title = String(repeating: "é", count: 64)
        activity.userInfo = ["text": "secret"]
        let note = try a.advertise(activity)
        let offer = try b.waitForOffer(note.id, by: .advert)
        #expect(offer.title == String(repeating: "é", count: 32))
        #expect(offer.device == "alpha")
        #expect(try reason { try b.continueActivity(note.id) } == .peerUnreachable)
        #expect(try b.peers().map(\.state) == [.unreachable])

        try onLoop { network.resolves = true }
        #expect(try b.continueActivity(note.id).activity.userInfo == ["text": "secret"])
      }
    }

    @Test func anOfferIsContinuedBesideADeadInstanceOfItsMachine() throws {
      // While this clock stands still, the schedule makes no attempts.
      _ = try ManualClock.install()
      try withDaemons("alpha", "beta") { machines, network in
        let (a, b) = (machines[0], machines[1])
        guard let seer = b.discovery, let seen = a.discovery else { throw TestFailure("No discovery") }
        try onLoop {
          network.resolves = false
          network.hide(seer, from: seen)
        }
        _ = try a.createTeam()
        try a.admitByFiles(b)
        // The records of a daemon that was killed stay for minutes.
        try onLoop {
          network.keepsWithdrawn = true
          seen.tell(.addressesChanged)
        }
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id, by: .advert)
        try waitUntil("Both instances are there, and nobody is dialling") {
          try onLoop {
            guard let entry = b.daemon.peers.snapshot().first?.entry, entry.instances.count == 2, !entry.isDialling
            else {
              return false
            }
            network.resolves = true
            return true
          }
        }
        #expect(try b.continueActivity(note.id).device == "alpha")
      }
    }

    @Test func anAppThatDiesWithdrawsItsActivity() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id, by: .session)
        note.end()
        try b.waitForNoOffers()
        #expect(try a.status().current == nil)
        #expect(try reason { try b.continueActivity(note.id) } == .activityNotFound)
      }
    }

    @Test func aLaterActivityDisplacesTheCurrentOne() throws {
      try withTwoDaemons { a, b in
        let first = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(first.id)
        let second = try a.advertise(ControlActivity(activityType: "org.example.pages"))
        #expect(try first.expect(.resigned).reason == .superseded)
        try b.waitForOffer(second.id)
        try waitUntil("Only the second is offered") { try b.offers().map(\.id) == [second.id] }
        #expect(try a.status().current?.id == second.id)
      }
    }

    @Test func aResignedActivityIsNotOfferedAndItsAppGoesOn() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        try note.resign()
        #expect(try note.expect(.resigned).reason == .activityWithdrawn)
        try b.waitForNoOffers()
      }
    }

    @Test func anUpdateReachesThePeer() throws {
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.notes")
        let note = try a.advertise(activity)
        try b.waitForOffer(note.id)
        activity.title = "Now with a title"
        try note.update(activity)
        try waitUntil("The title is seen") { try b.offers().first?.title == "Now with a title" }
      }
    }

    @Test func anActivityExpires() throws {
      let clock = try ManualClock.install()
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.notes")
        activity.expirationDate = try onLoop { clock.date + 3 }
        let note = try a.advertise(activity)
        try b.waitForOffer(note.id)
        try clock.pass(.seconds(3))
        #expect(try note.expect(.resigned).reason == .activityExpired)
        try b.waitForNoOffers()
      }
    }

    @Test func whoWatchesIsToldOfEachChange() throws {
      try withTwoDaemons { a, b in
        var replies = try b.connect().replies(of: ListOffers.self, ListOffers.Parameters())
        #expect(try replies.next(until: .now + patience)?.offers.isEmpty == true)
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        #expect(try replies.next(until: .now + patience)?.offers.map(\.id) == [note.id])
        note.end()
        #expect(try replies.next(until: .now + patience)?.offers.isEmpty == true)
      }
    }

    @Test func watchersThatLeaveAreForgotten() throws {
      try withTwoDaemons { a, b in
        for _ in 0..<20 {
          var offers = try b.connect().replies(of: ListOffers.self, ListOffers.Parameters())
          var peers = try b.connect().replies(of: ListPeers.self, Nothing())
          _ = try offers.next(until: .now + patience)
          _ = try peers.next(until: .now + patience)
        }
        try waitUntil("Nobody watches") {
          try onLoop { b.daemon.control.offerLists.watchers.isEmpty && b.daemon.control.peerLists.watchers.isEmpty }
        }
      }
    }

    @Test func aPeerThatStopsTakesItsOffersAlong() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        try a.stop()
        try b.waitForNoOffers()
        try waitUntil("It is no peer any more") { try b.peers().isEmpty }
      }
    }

    @Test func leavingATeamEndsItsSessionsAndOffers() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        _ = try b.call(LeaveTeam.self, LeaveTeam.Parameters(team: "Demo"))
        #expect(try b.status().sessions == 0)
        #expect(try b.offers().isEmpty)
        try a.waitForSessions(0)
        try waitUntil("It is no peer any more") { try a.peers().isEmpty }
        #expect(try reason { try b.continueActivity(note.id) } == .activityNotFound)
      }
    }

    @Test func anActivityOfOneTeamIsNotSeenByAnother() throws {
      try withDaemons("alpha", "beta") { machines, _ in
        let (a, b) = (machines[0], machines[1])
        _ = try a.createTeam("One")
        _ = try b.join(try a.invite(), at: a)
        let two = try a.createTeam("Two")
        try b.waitForSessions(1)
        let secret = try a.advertise(ControlActivity(activityType: "org.example.notes"), team: "Two")
        let open = try a.advertise(ControlActivity(activityType: "org.example.notes"), team: "One")
        try b.waitForOffer(open.id)
        #expect(try b.offers().map(\.id) == [open.id])
        #expect(try reason { try b.continueActivity(secret.id) } == .activityNotFound)
        #expect(two.name == "Two")
      }
    }

    @Test func newNamesOnTheNetworkDoNotDisturbASession() throws {
      try withDaemons("alpha", "beta") { machines, network in
        let (a, b) = (machines[0], machines[1])
        try connect([a, b])
        let before = try onLoop { Set(network.publications.map(\.instance)) }
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        try onLoop { network.changeAddresses() }
        try waitUntil("Both have new names") {
          try onLoop {
            let names = Set(network.publications.map(\.instance))
            return names.count == 2 && names.isDisjoint(with: before)
          }
        }
        #expect(try b.continueActivity(note.id).device == "alpha")
        #expect(try a.status().sessions == 1)
      }
    }
  }
}
