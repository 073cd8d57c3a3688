// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// Activities of this machine that are for one app.
struct LaunchingApplicationTests {
  private var machine = Launching()
  private var now = ContinuousClock.Instant.now
  private let launcher = ClientID(100)
  private let opener = ClientID(1)
  private let reader = ClientID(7)
  private let other = ClientID(8)
  private let found = Launching.Offer(
    id: Names.id(1),
    activityType: "a.b",
    peer: nil,
    hasWebPage: true,
    application: "Reader"
  )
  /// The same after it became known that there is no Reader.
  private let forAny = Launching.Offer(id: Names.id(1), activityType: "a.b", peer: nil, hasWebPage: true)
  private let item = Launching.Offer(
    id: Names.id(2),
    activityType: ActivityRecord.searchItemType,
    peer: nil,
    hasWebPage: false,
    application: "Reader"
  )

  private mutating func handle(_ event: Launching.Event) -> [Launching.Effect] {
    Array(machine.handle(event, at: now).dropLast())
  }

  private mutating func open(_ offer: Launching.Offer) -> [Launching.Effect] {
    handle(.opened(offer, activationToken: nil, client: opener, user: 1000))
  }

  @discardableResult
  private mutating func register(
    _ client: ClientID,
    _ types: Set<String>,
    _ name: String? = nil,
    user: UserID = 1000
  ) -> [Launching.Effect] {
    handle(.applicationRegistered(client, types: types, application: name, user: user))
  }

  private mutating func registerLauncher(_ types: Set<String> = []) {
    #expect(handle(.launcherRegistered(launcher, types: types, user: 1000)) == [])
  }

  private func request(_ launch: String, _ offer: Launching.Offer) -> Launching.Effect {
    .requestLaunch(launcher, launch: launch, offer, activationToken: nil)
  }

  @Test mutating func theRunningAppOfThatNameGetsItWhateverItsTypes() {
    register(other, ["a.b"], "Writer")
    register(reader, [], "Reader")
    registerLauncher(["a.b"])
    #expect(open(found) == [.requestContinuation(reader, found), .succeed(opener)])
    #expect(open(item) == [.requestContinuation(reader, item), .succeed(opener)])
    // Of two that run, the newest.
    register(ClientID(9), [], "Reader")
    #expect(open(found) == [.requestContinuation(ClientID(9), found), .succeed(opener)])
  }

  @Test mutating func ifItDoesNotRunTheLauncherStartsItBeforeOthersAreAsked() {
    register(other, ["a.b"], "Writer")
    registerLauncher(["a.b"])
    #expect(open(found) == [request("1", found)])
    #expect(handle(.reported(launch: "1", .launching, user: 1000)) == [])
    // Another app that starts in the meantime is not the one.
    #expect(register(ClientID(9), ["a.b"], "Writer") == [])
    #expect(register(reader, [], "Reader") == [.requestContinuation(reader, found), .succeed(opener)])
  }

  @Test mutating func anAppThatDoesNotSayItsNameIsTheOneThatWasStarted() {
    registerLauncher()
    #expect(open(found) == [request("1", found)])
    #expect(register(reader, ["a.b"]) == [.requestContinuation(reader, found), .succeed(opener)])
  }

  @Test mutating func anAppMayTakeItWithoutRegistering() {
    registerLauncher()
    #expect(open(found) == [request("1", found)])
    #expect(handle(.continued(found.id, user: 1000)) == [])
    #expect(handle(.reported(launch: "1", .launching, user: 1000)) == [.succeed(opener)])
  }

  @Test mutating func ifItIsNotInstalledAnotherAppOfTheTypeGetsIt() {
    register(other, ["a.b"], "Writer")
    registerLauncher()
    #expect(open(found) == [request("1", found)])
    let effects = handle(.reported(launch: "1", .failed(.applicationNotFound), user: 1000))
    #expect(effects == [.requestContinuation(other, forAny), .succeed(opener)])
    // The same without a launcher.
    _ = handle(.clientLeft(launcher))
    #expect(open(found) == [.requestContinuation(other, forAny), .succeed(opener)])
  }

  @Test mutating func orElseTheLauncherStartsAnotherApp() {
    registerLauncher(["a.b"])
    #expect(open(found) == [request("1", found)])
    let failed = Launching.Report.failed(.applicationNotFound)
    #expect(handle(.reported(launch: "1", failed, user: 1000)) == [request("2", forAny)])
    // The first request is over.
    #expect(handle(.reported(launch: "1", .continued, user: 1000)) == [])
    #expect(handle(.reported(launch: "2", failed, user: 1000)) == [.fail(opener, .applicationNotFound)])
    #expect(machine.launchCount == 0)
  }

  @Test mutating func orElseAProgramThatTakesPages() {
    registerLauncher()
    register(other, [ActivityRecord.webPageType])
    #expect(open(found).count == 1)
    let effects = handle(.reported(launch: "1", .failed(.applicationNotFound), user: 1000))
    #expect(effects == [.requestContinuation(other, forAny), .succeed(opener)])
  }

  @Test mutating func anAppThatCannotBeStartedIsToldAndNoOtherIsAsked() {
    register(other, ["a.b"])
    registerLauncher()
    _ = open(found)
    #expect(
      handle(.reported(launch: "1", .failed(.launchFailed), user: 1000)) == [.fail(opener, .launchFailed)]
    )
  }

  @Test mutating func anItemIsForItsAppOnly() {
    let type = ActivityRecord.searchItemType
    register(other, [type, ActivityRecord.webPageType], "Writer")
    register(ClientID(9), [type, ActivityRecord.webPageType])
    #expect(open(item) == [.fail(opener, .applicationNotFound)])
    registerLauncher([type])
    #expect(open(item) == [request("1", item)])
    #expect(register(ClientID(10), [type]) == [])
    let effects = handle(.reported(launch: "1", .failed(.applicationNotFound), user: 1000))
    #expect(effects == [.fail(opener, .applicationNotFound)])
    // Nor can another machine offer one.
    let offered = Launching.Offer(id: Names.id(3), activityType: type, peer: Names.desktop, hasWebPage: true)
    #expect(open(offered) == [.fail(opener, .applicationNotFound)])
    #expect(!machine.hasApplication(for: type, user: 1000))
  }

  @Test mutating func appsOfOtherUsersGetNothing() {
    register(reader, ["a.b"], "Reader", user: 1001)
    #expect(open(found) == [.fail(opener, .applicationNotFound)])
    registerLauncher()
    #expect(open(found) == [request("1", found)])
    #expect(register(other, ["a.b"], "Reader", user: 1001) == [])
    now += Limits.launchTime
    #expect(handle(.wake) == [.fail(opener, .launchTimedOut)])
  }

  @Test mutating func ifTheLauncherLeavesAnotherAppGetsIt() {
    register(other, ["a.b"])
    registerLauncher()
    #expect(open(found) == [request("1", found)])
    #expect(handle(.clientLeft(launcher)) == [.requestContinuation(other, forAny), .succeed(opener)])
  }
}
