// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon

extension DaemonTests {
  struct PageApplicationTests {
    private typealias Application = ControlReplies<RegisterApplication>

    private func register(_ type: String, at daemon: DaemonFixture) throws -> Application {
      let parameters = RegisterApplication.Parameters(activityTypes: [type])
      var application = try daemon.connect().replies(of: RegisterApplication.self, parameters)
      #expect(try application.next(until: .now + patience)?.event == .registered)
      return application
    }

    @Test func aProgramThatTakesPagesGetsOffersThatHaveOne() throws {
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.notes")
        activity.webpageURL = "https://example.org/7"
        let note = try a.advertise(activity)
        #expect(try b.waitForOffer(note.id).hasWebPage)
        var browser = try register(ActivityRecord.webPageType, at: b)
        _ = try b.call(OpenOffer.self, OpenOffer.Parameters(id: note.id))
        let request = try browser.next(until: .now + patience)
        #expect(request?.id == note.id && request?.activityType == "org.example.notes")

        var app = try register("org.example.notes", at: b)
        _ = try b.call(OpenOffer.self, OpenOffer.Parameters(id: note.id))
        #expect(try app.next(until: .now + patience)?.id == note.id)

        let bare = try a.advertise(ControlActivity(activityType: "org.example.other"))
        try b.waitForOffer(bare.id)
        #expect(try b.failure(of: OpenOffer.self, OpenOffer.Parameters(id: bare.id)) == .applicationNotFound)
      }
    }

    @Test func theLauncherIsAskedOnlyForAnAppForTheType() throws {
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: "org.example.notes")
        activity.webpageURL = "https://example.org/7"
        let note = try a.advertise(activity)
        let noteID = note.id
        try b.waitForOffer(noteID)
        var launcher = try b.connect().replies(
          of: RegisterLauncher.self,
          RegisterLauncher.Parameters(activityTypes: ["org.example.notes"])
        )
        #expect(try launcher.next(until: .now + patience)?.event == .registered)
        var browser = try register(ActivityRecord.webPageType, at: b)
        let opened = onThread { try b.call(OpenOffer.self, OpenOffer.Parameters(id: noteID)) }
        let request = try launcher.next(until: .now + patience)?.request
        #expect(request?.id == noteID && request?.hasWebPage == false)
        let report = ReportLaunch.Parameters(launch: request?.launch ?? "", state: .failed, reason: .launchFailed)
        _ = try b.call(ReportLaunch.self, report)
        #expect(try browser.next(until: .now + patience)?.id == noteID)
        _ = try opened.wait()
      }
    }

    @Test func aClickIsForWhatWasShown() throws {
      try withTwoDaemons { a, b in
        var activity = ControlActivity(activityType: ActivityRecord.webPageType)
        (activity.title, activity.webpageURL) = ("Bank", "https://bank.example/")
        let page = try a.advertise(activity)
        try b.waitForOffer(page.id)
        var browser = try register(ActivityRecord.webPageType, at: b)
        func open(_ type: String, _ title: String?, _ host: String?) -> OpenOffer.Parameters {
          let shown = ShownOffer(activityType: type, title: title, webpageHost: host)
          return OpenOffer.Parameters(id: page.id, shown: shown)
        }
        for parameters in [
          open("a.b", "Bank", "bank.example"), open(ActivityRecord.webPageType, "Post", "bank.example"),
          open(ActivityRecord.webPageType, nil, "bank.example"), open(ActivityRecord.webPageType, "Bank", nil),
          open(ActivityRecord.webPageType, "Bank", "evil.example"),
        ] { #expect(try b.failure(of: OpenOffer.self, parameters) == .activityChanged) }
        _ = try b.call(OpenOffer.self, open(ActivityRecord.webPageType, "Bank", "bank.example"))
        #expect(try browser.next(until: .now + patience)?.webpageHost == "bank.example")
      }
    }
  }
}
