// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Glibc
import Handoff
import Systemd
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  /// What the system reports, and how often adverts change.
  struct SystemTests {
    @Test func aMachineThatFallsAsleepWithdrawsAndKeepsItsSessions() throws {
      let clock = try ManualClock.install()
      let login = FakeLogin()
      try withDaemons("alpha", "beta", logins: ["alpha": login]) { machines, network in
        let (a, b) = (machines[0], machines[1])
        try connect([a, b])
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        let before = try onLoop { Set(network.publications.map(\.instance)) }
        try login.tell(.fallingAsleep)
        try b.waitForNoOffers()
        #expect(try onLoop { network.publications.map(\.port) } == [b.port])
        #expect(try a.status().withheld == .asleep)
        #expect(try a.status().current?.id == note.id)
        // What changes in the meantime is not announced either.
        let other = try a.advertise(ControlActivity(activityType: "org.example.pages"))
        #expect(try onLoop { network.publications.count } == 1)

        #expect(try onLoop { login.allowedSleeps } == 0)
        try clock.pass(SystemWatch.sleepDelay)
        #expect(try onLoop { login.allowedSleeps } == 1)
        #expect(try a.status().sessions == 1)

        try login.tell(.awake)
        try b.waitForOffer(other.id)
        #expect(try onLoop { a.discovery?.refreshes } == 1)
        let after = try onLoop { network.publications.filter { $0.port == a.port }.map(\.instance) }
        #expect(after.count == 1 && before.isDisjoint(with: after))
        #expect(try a.status().withheld == nil)
        #expect(try b.continueActivity(other.id).device == "alpha")
      }
    }

    @Test func aSleepThatIsCalledOffIsNotAllowedLater() throws {
      let clock = try ManualClock.install()
      let login = FakeLogin()
      try withDaemons("alpha", logins: ["alpha": login]) { machines, _ in
        _ = try machines[0].createTeam()
        try login.tell(.fallingAsleep)
        try login.tell(.awake)
        try clock.pass(SystemWatch.sleepDelay * 2)
        #expect(try onLoop { login.allowedSleeps } == 0)
      }
    }

    @Test func lockedScreensWithholdWhatTheirUserHolds() throws {
      let login = FakeLogin()
      try withDaemons("alpha", "beta", logins: ["alpha": login]) { machines, _ in
        let (a, b) = (machines[0], machines[1])
        try connect([a, b])
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id, by: .session)
        try login.tell(.lockedUsers([getuid(), 12345]))
        try b.waitForNoOffers()
        #expect(try a.status().withheld == .screenLocked)
        try login.tell(.lockedUsers([12345]))
        try b.waitForOffer(note.id, by: .session)
        #expect(try a.status().withheld == nil)
      }
    }

    @Test func whoDoesNotWantItIsNotWithheld() throws {
      let login = FakeLogin()
      let configuration = ["alpha": "[Privacy]\nWithholdWhenLocked=no\n"]
      try withDaemons("alpha", configuration: configuration, logins: ["alpha": login]) { machines, _ in
        let a = machines[0]
        _ = try a.createTeam()
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try login.tell(.lockedUsers([getuid()]))
        #expect(try a.status().withheld == nil)
        try login.tell(.fallingAsleep)
        #expect(try a.status().withheld == .asleep)
        #expect(try a.status().current?.id == note.id)
      }
    }

    @Test func aChangedNetworkIsLookedAtAnewButNotInSleep() throws {
      let login = FakeLogin()
      try withDaemons("alpha", logins: ["alpha": login]) { machines, network in
        let a = machines[0]
        _ = try a.createTeam()
        try onLoop { network.changeAddresses() }
        try waitUntil("It is looked at anew") { try onLoop { a.discovery?.refreshes == 1 } }
        try login.tell(.fallingAsleep)
        try onLoop { network.changeAddresses() }
        try login.tell(.awake)
        try waitUntil("It is announced") { try onLoop { network.publications.count == 1 } }
        #expect(try onLoop { a.discovery?.refreshes } == 2)
      }
    }

    /// Adverts change at most once a second, with a burst of ten and then ten per minute. The last state is always
    /// announced.
    @Test func advertsKeepTheirPaceAndTheLastStateGetsOut() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha", "beta") { machines, network in
        let (a, b) = (machines[0], machines[1])
        // The machines know each other only by adverts.
        try onLoop { network.resolves = false }
        _ = try a.createTeam()
        try a.admitByFiles(b)
        var last: Advertisement?
        for number in 0..<150 {
          last = try a.advertise(ControlActivity(activityType: "org.example.n\(number)"))
          try clock.pass(.milliseconds(200))
        }
        try clock.pass(AdvertPacer.advertRefill)
        let id = try #require(last?.id)
        try b.waitForOffer(id, by: .advert)
        #expect(try b.offers().map(\.id) == [id])
        let instance = try #require(
          try onLoop { network.publications.first { $0.port == a.port }?.instance }
        )
        let updates = try onLoop { network.updates[instance] ?? [] }
        #expect(updates.count >= AdvertPacer.advertBurst)
        for (earlier, later) in zip(updates, updates.dropFirst()) {
          #expect(later - earlier >= AdvertPacer.advertInterval)
        }
        // After 30 s of changes and one more refill, that is the burst and what was refilled.
        #expect(updates.count <= AdvertPacer.advertBurst + 7)
      }
    }
  }
}
