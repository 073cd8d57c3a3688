// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon

extension DaemonTests {
  struct ApplicationTests {
    @Test func anOfferIsOpenedByTheAppThatRegisteredItsTypeLast() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id)
        #expect(try b.failure(of: OpenOffer.self, OpenOffer.Parameters(id: note.id)) == .applicationNotFound)
        let types = [["org.example.notes"], ["org.example.pages", "org.example.notes"], ["org.example.pages"]]
        var applications = try types.map {
          try b.connect().replies(of: RegisterApplication.self, RegisterApplication.Parameters(activityTypes: $0))
        }
        for index in applications.indices {
          #expect(try applications[index].next(until: .now + patience)?.event == .registered)
        }
        _ = try b.call(OpenOffer.self, OpenOffer.Parameters(id: note.id, activationToken: "token"))
        let request = try applications[1].next(until: .now + patience)
        #expect(request?.id == note.id && request?.activityType == "org.example.notes")
        #expect(request?.activationToken == "token")

        applications.remove(at: 1)
        try waitUntil("It is forgotten") { try onLoop { b.daemon.control.launching.machine.applicationCount == 2 } }
        _ = try b.call(OpenOffer.self, OpenOffer.Parameters(id: note.id))
        #expect(try applications[0].next(until: .now + patience)?.event == .continueRequested)
        note.end()
        try b.waitForNoOffers()
        #expect(try b.failure(of: OpenOffer.self, OpenOffer.Parameters(id: note.id)) == .activityNotFound)
      }
    }

    @Test func whereNoAppRunsTheLauncherIsAskedAndTheAppThatComesGetsTheOffer() throws {
      try withTwoDaemons { a, b in
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        let noteID = note.id
        try b.waitForOffer(noteID)
        var launcher = try b.connect().replies(
          of: RegisterLauncher.self,
          RegisterLauncher.Parameters(activityTypes: ["org.example.notes"])
        )
        #expect(try launcher.next(until: .now + patience)?.event == .registered)
        let opened = onThread {
          try b.call(OpenOffer.self, OpenOffer.Parameters(id: noteID, activationToken: "token"))
        }
        let request = try launcher.next(until: .now + patience)?.request
        #expect(request?.id == note.id && request?.activationToken == "token" && request?.hasWebPage == false)
        _ = try b.call(ReportLaunch.self, ReportLaunch.Parameters(launch: request?.launch ?? "", state: .launching))
        #expect(!opened.isSet)
        var application = try b.connect().replies(
          of: RegisterApplication.self,
          RegisterApplication.Parameters(activityTypes: ["org.example.notes"])
        )
        #expect(try application.next(until: .now + patience)?.event == .registered)
        #expect(try application.next(until: .now + patience)?.id == note.id)
        _ = try opened.wait()

        // If the launcher fails, it reports the reason, and the offer stays.
        let page = try a.advertise(ControlActivity(activityType: "org.example.pages"))
        let pageID = page.id
        try b.waitForOffer(pageID)
        let refused = onThread { try b.failure(of: OpenOffer.self, OpenOffer.Parameters(id: pageID)) }
        let second = try launcher.next(until: .now + patience)?.request
        let report = ReportLaunch.Parameters(launch: second?.launch ?? "", state: .failed, reason: .launchFailed)
        _ = try b.call(ReportLaunch.self, report)
        #expect(try refused.wait() == .launchFailed)
        try b.waitForOffer(page.id)
        withExtendedLifetime((note, application)) {}
      }
    }

    @Test func aLauncherRegistersAsManyTypesAsTheLimit() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        // These are the longest types, which must fit in one message.
        let types = (0...Limits.launcherTypes).map { number in
          "org.example.n\(number)." + String(repeating: "x", count: Limits.activityTypeLength - 18)
        }
        var replies = try machines[0].connect().replies(
          of: RegisterLauncher.self,
          RegisterLauncher.Parameters(
            activityTypes: types.dropLast().map { String($0.prefix(Limits.activityTypeLength)) }
          )
        )
        #expect(try replies.next(until: .now + patience)?.event == .registered)
        var refused = try machines[0].connect().replies(
          of: RegisterLauncher.self,
          RegisterLauncher.Parameters(activityTypes: (0...Limits.launcherTypes).map { "a.b\($0)" })
        )
        #expect(try reason { try refused.next(until: .now + patience) } == .limitReached)
      }
    }

    @Test func anAppRegistersAsManyTypesAsTheLimit() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        let types = (0...Limits.applicationTypes).map { "org.example.n\($0)" }
        var replies = try machines[0].connect().replies(
          of: RegisterApplication.self,
          RegisterApplication.Parameters(activityTypes: Array(types.dropLast()))
        )
        #expect(try replies.next(until: .now + patience)?.event == .registered)
        var refused = try machines[0].connect().replies(
          of: RegisterApplication.self,
          RegisterApplication.Parameters(activityTypes: types)
        )
        #expect(try reason { try refused.next(until: .now + patience) } == .limitReached)
      }
    }
  }
}
