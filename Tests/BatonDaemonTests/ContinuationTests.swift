// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import TestSupport
import Testing
import VarlinkClient

extension DaemonTests {
  struct ContinuationTests {
    @Test func anOfferIsContinuedWithItsPayload() throws {
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.notes")
        activity.title = "A note"
        activity.userInfo = ["text": "naïve ✓", "number": 7, "list": [1, nil, true]]
        activity.webpageURL = "https://example.org/note"
        let note = try a.advertise(activity)
        let offer = try b.waitForOffer(note.id, by: .session)
        #expect(offer.title == "A note")
        #expect(offer.device == "alpha")

        let reply = try b.continueActivity(note.id)
        activity.id = note.id
        let origin = try #require(try a.call(ListTeams.self, Nothing()).teams.first).deviceID
        #expect(reply == Continue.Reply(activity: activity, device: "alpha", origin: .device(origin)))
        #expect(try note.expect(.continued).device == "beta")
        try b.waitForNoOffers()
      }
    }

    @Test func anActivityIsContinuedOnce() throws {
      try withDaemons("alpha", "beta", "gamma") { machines, _ in
        let (a, b, c) = (machines[0], machines[1], machines[2])
        try makeTeam([a, b, c])
        for machine in machines { try machine.waitForSessions(2) }
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        let id = note.id
        for other in [b, c] { try other.waitForOffer(id) }

        let attempts = [b, c].map { other in onThread { try other.continueActivity(id).device } }
        let results = attempts.map { attempt in Result { try attempt.wait() } }
        #expect(results.count { (try? $0.get()) == "alpha" } == 1)
        for result in results {
          // A machine that asks after the offer was withdrawn finds none.
          guard case .failure = result else { continue }
          let reason = try reason { try result.get() }
          #expect(reason == .alreadyContinued || reason == .activityNotFound)
        }
        try note.expect(.continued)
        for other in [b, c] { try other.waitForNoOffers() }
      }
    }

    @Test func continuingAgainSaysThatItWasContinued() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        _ = try b.continueActivity(note.id)
        #expect(try reason { try b.continueActivity(note.id) } == .alreadyContinued)
        #expect(try reason { try b.continueActivity(ActivityID(randomBytes: (1, 2))) } == .activityNotFound)
      }
    }

    @Test func anAppThatNeedsToSaveIsAskedFirst() throws {
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.notes")
        activity.needsSave = true
        activity.userInfo = ["text": "old"]
        let note = try a.advertise(activity)
        try b.waitForOffer(note.id)
        let id = note.id
        let reply = onThread { try b.continueActivity(id).activity.userInfo }
        try note.expect(.willSave)
        activity.needsSave = false
        activity.userInfo = ["text": "new"]
        try note.update(activity)
        #expect(try reply.wait() == ["text": "new"])
        try note.expect(.continued)
      }
    }

    @Test func anAppThatDoesNotSaveInTimeGivesItsLastState() throws {
      let clock = try ManualClock.install()
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.notes")
        activity.needsSave = true
        activity.userInfo = ["text": "old"]
        let note = try a.advertise(activity)
        try b.waitForOffer(note.id)
        let id = note.id
        let reply = onThread { try b.continueActivity(id).activity.userInfo }
        try note.expect(.willSave)
        try clock.pass(Limits.saveTime)
        #expect(try reply.wait() == ["text": "old"])
      }
    }

    @Test func anAppThatHasNothingAndDoesNotSaveInTimeFails() throws {
      let clock = try ManualClock.install()
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.notes")
        activity.needsSave = true
        let note = try a.advertise(activity)
        try b.waitForOffer(note.id)
        let id = note.id
        let failure = onThread { try reason { try b.continueActivity(id) } }
        try note.expect(.willSave)
        try clock.pass(Limits.saveTime)
        #expect(try failure.wait() == .appTimedOut)
      }
    }

    @Test func anActivityThatFillsEveryFieldIsContinued() throws {
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.notes")
        activity.userInfo = ["text": .string(String(repeating: "x", count: Limits.userInfoLength - 11))]
        activity.title = String(repeating: "t", count: Limits.titleLength)
        let page = "https://example.org/"
        activity.webpageURL = page + String(repeating: "w", count: Limits.urlLength - page.utf8.count)
        activity.referrerURL = page + String(repeating: "r", count: Limits.urlLength - page.utf8.count)
        activity.targetContentIdentifier = String(repeating: "c", count: Limits.urlLength)
        activity.persistentIdentifier = String(repeating: "\\", count: Limits.persistentIdentifierLength)
        let note = try a.advertise(activity)
        try b.waitForOffer(note.id)
        activity.id = note.id
        #expect(try b.continueActivity(note.id).activity == activity)
      }
    }

    @Test func anActivityThatNoFrameHoldsIsRefusedWhenItIsPublished() throws {
      try withTwoDaemons { a, b in
        // Each of these bytes takes six in JSON.
        var activity = ControlActivity(activityType: "org.example.notes")
        activity.targetContentIdentifier = String(repeating: "\u{1}", count: Limits.urlLength)
        let quotes = String(repeating: "\\", count: Limits.urlLength - 7)
        activity.webpageURL = "http://" + quotes
        activity.referrerURL = "http://" + quotes
        let parameters = BecomeCurrent.Parameters(activity: activity)
        var replies = try a.connect().replies(of: BecomeCurrent.self, parameters)
        #expect(try reason { try replies.next(until: .now + patience) } == .urlInvalid)
      }
    }
  }
}
