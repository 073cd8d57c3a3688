// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import JSONCoding
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon
@testable import Handoff

extension DaemonTests {
  /// A program lets another one of this machine continue an activity.
  struct OpenActivityTests {
    private static let note: ControlActivity = {
      var activity = ControlActivity(id: .random(), activityType: "org.example.note")
      activity.title = "Note"
      activity.userInfo = ["page": 7]
      activity.webpageURL = "https://example.org/"
      activity.needsSave = true
      activity.supportsContinuationStreams = true
      return activity
    }()

    @Test func theAppGetsTheActivityOnce() throws {
      try withTwoDaemons { a, b in
        var app = try a.register([], as: "Reader")
        let other = try a.register(["org.example.note"])
        _ = try a.call(
          OpenActivity.self,
          OpenActivity.Parameters(activity: Self.note, application: "Reader", origin: .local)
        )
        let request = try #require(try app.next(until: .now + patience))
        #expect(request.event == .continueRequested && request.activityType == "org.example.note")
        #expect(request.deviceID == nil && request.application == "Reader")
        let id = try #require(request.id)
        #expect(id != Self.note.id)
        // Nobody is offered it.
        #expect(try a.offers().isEmpty)
        #expect(try b.offers().isEmpty)
        #expect(try a.status().current == nil)
        #expect(try b.failure(of: Continue.self, Continue.Parameters(id: id)) == .activityNotFound)
        let reply = try a.continueActivity(id)
        #expect(reply.device == "alpha" && reply.activity.title == "Note" && reply.activity.userInfo == ["page": 7])
        #expect(!reply.activity.needsSave && !reply.activity.supportsContinuationStreams)
        #expect(try a.failure(of: Continue.self, Continue.Parameters(id: id)) == .activityNotFound)
        withExtendedLifetime(other) {}
        // It is no continuation of another machine's activity.
        #expect(try a.status().counters[.activitiesContinued] == 0)
      }
    }

    @Test func theLauncherIsAskedForTheAppAndThenForAnother() throws {
      try withTeam { a in
        var launcher = try a.connect().replies(
          of: RegisterLauncher.self,
          RegisterLauncher.Parameters(activityTypes: [])
        )
        #expect(try launcher.next(until: .now + patience)?.event == .registered)
        let parameters = OpenActivity.Parameters(
          activity: Self.note,
          application: "Reader",
          origin: .local,
          activationToken: "token"
        )
        let opened = onThread { try a.call(OpenActivity.self, parameters) }
        let first = try #require(try launcher.next(until: .now + patience)?.request)
        #expect(first.application == "Reader" && first.activationToken == "token")
        #expect(first.deviceID == nil && first.team == nil)
        func report(_ launch: LaunchRequest, _ state: ReportLaunch.State, _ reason: Reason? = nil) throws {
          let report = ReportLaunch.Parameters(launch: launch.launch, state: state, reason: reason)
          _ = try a.call(ReportLaunch.self, report)
        }
        try report(first, .failed, .applicationNotFound)
        let second = try #require(try launcher.next(until: .now + patience)?.request)
        #expect(second.application == nil && second.id == first.id && second.hasWebPage)
        // It shows the page itself.
        #expect(try a.continueActivity(second.id).activity.webpageURL == "https://example.org/")
        try report(second, .continued)
        _ = try opened.wait()
      }
    }

    @Test func whatNobodyTakesIsDropped() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        let a = machines[0]
        for _ in 0...OpenedActivities.openedActivitiesPerUser {
          let reason = try a.failure(
            of: OpenActivity.self,
            OpenActivity.Parameters(activity: Self.note, origin: .local)
          )
          #expect(reason == .applicationNotFound)
        }
      }
    }

    /// What another machine has shared is as an offer of that one: it chooses no app, and the app is told.
    @Test func whatCameFromAnotherMachineStaysForeign() throws {
      try withTeam { a in
        var named = try a.register([], as: "Reader")
        var taker = try a.register(["org.example.note"])
        let device = try #require(DeviceID(bytes: [UInt8](repeating: 9, count: 32)))
        for origin in [Origin.device(device), .unknown] {
          var activity = Self.note
          activity.userInfo = ["document": ["$url": "file:///srv/notes/a.txt"]]
          let parameters = OpenActivity.Parameters(activity: activity, application: "Reader", origin: origin)
          _ = try a.call(OpenActivity.self, parameters)
          let id = try #require(try taker.next(until: .now + patience)?.id)
          let reply = try a.continueActivity(id)
          #expect(reply.origin == origin && reply.device != "alpha" && !reply.device.isEmpty)
          #expect(reply.activity.userInfo == activity.userInfo)
          let item = OpenActivity.Parameters(
            activity: ControlActivity(activityType: ActivityRecord.searchItemType),
            application: "Reader",
            origin: origin
          )
          #expect(try a.failure(of: OpenActivity.self, item) == .activityTypeInvalid)
        }
        let own = OpenActivity.Parameters(activity: Self.note, application: "Reader", origin: .local)
        _ = try a.call(OpenActivity.self, own)
        // The first that it gets.
        let request = try #require(try named.next(until: .now + patience))
        #expect(try a.continueActivity(try #require(request.id)).origin == .local)
      }
    }

    @Test func anAppThatDoesNotComeLosesIt() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha", network: false) { machines, _ in
        let a = machines[0]
        var app = try a.register([], as: "Reader")
        let parameters = OpenActivity.Parameters(activity: Self.note, application: "Reader", origin: .local)
        for _ in 0..<OpenedActivities.openedActivitiesPerUser { _ = try a.call(OpenActivity.self, parameters) }
        #expect(try a.failure(of: OpenActivity.self, parameters) == .limitReached)
        let id = try #require(try app.next(until: .now + patience)?.id)
        try clock.pass(OpenedActivities.openedActivityTime)
        #expect(try a.failure(of: Continue.self, Continue.Parameters(id: id)) == .activityNotFound)
        _ = try a.call(OpenActivity.self, parameters)
      }
    }

    @Test func whatIsNoActivityIsRefused() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        var activity = Self.note
        activity.webpageURL = "file:///etc/passwd"
        let parameters = OpenActivity.Parameters(activity: activity, origin: .local)
        let reason = try machines[0].failure(of: OpenActivity.self, parameters)
        #expect(reason == .urlInvalid)
      }
    }

    /// Entries of other machines name documents in shared folders.
    @Test func documentsInSharedFoldersAreThoseOfThisMachine() throws {
      let configuration = "[shared-folders]\nNotes=/srv/notes\n"
      try withDaemons("alpha", network: false, configuration: ["alpha": configuration]) { machines, _ in
        let a = machines[0]
        var app = try a.register([], as: "Reader")
        for url in ["baton-folder:/Notes/a.txt", "file:///srv/notes/a.txt"] {
          var activity = Self.note
          activity.userInfo = ["document": ["$url": .string(url)]]
          _ = try a.call(
            OpenActivity.self,
            OpenActivity.Parameters(activity: activity, application: "Reader", origin: .local)
          )
          let id = try #require(try app.next(until: .now + patience)?.id)
          let delivered = try a.continueActivity(id).activity.userInfo
          #expect(delivered == ["document": ["$url": "file:///srv/notes/a.txt"]])
        }
      }
    }
  }
}

extension DaemonFixture {
  fileprivate func register(
    _ types: [String],
    as name: String? = nil
  ) throws -> ControlReplies<RegisterApplication> {
    let parameters = RegisterApplication.Parameters(activityTypes: types, application: name)
    var replies = try connect().replies(of: RegisterApplication.self, parameters)
    guard try replies.next(until: .now + patience)?.event == .registered else { throw TestFailure("Not registered") }
    return replies
  }
}
