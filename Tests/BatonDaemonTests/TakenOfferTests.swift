// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon

extension DaemonTests {
  struct TakenOfferTests {
    @Test func aListTellsWhenAProgramTakesAnOffer() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        var lists = try b.connect().replies(of: ListOffers.self, ListOffers.Parameters())
        func expect(_ hasApplication: Bool) throws {
          while try lists.next(until: .now + patience)?.offers.map(\.hasApplication) != [hasApplication] {}
        }
        try expect(false)
        let registration = RegisterApplication.Parameters(activityTypes: ["org.example.notes"])
        var application: ControlReplies<RegisterApplication>? = try b.connect()
          .replies(of: RegisterApplication.self, registration)
        #expect(try application?.next(until: .now + patience)?.event == .registered)
        try expect(true)
        application = nil
        try expect(false)
        withExtendedLifetime(note) {}
      }
    }
  }
}
