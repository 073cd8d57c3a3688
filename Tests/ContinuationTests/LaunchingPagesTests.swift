// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// Programs that take pages, whatever the type of the activity.
struct LaunchingPagesTests {
  private var machine = Launching()
  private let launcher = ClientID(100)
  private let opener = ClientID(1)
  private let browser = ClientID(7)

  private func offer(hasWebPage: Bool) -> Launching.Offer {
    Launching.Offer(id: Names.id(1), activityType: "a.b", peer: Names.desktop, hasWebPage: hasWebPage)
  }

  private mutating func handle(_ event: Launching.Event) -> [Launching.Effect] {
    Array(machine.handle(event, at: .now).dropLast())
  }

  private mutating func open(hasWebPage: Bool = true) -> [Launching.Effect] {
    handle(.opened(offer(hasWebPage: hasWebPage), activationToken: nil, client: opener, user: 1000))
  }

  private mutating func register(_ client: ClientID, _ types: Set<String>, user: UserID = 1000) {
    #expect(handle(.applicationRegistered(client, types: types, user: user)) == [])
  }

  private mutating func registerLauncher(_ types: Set<String>) {
    #expect(handle(.launcherRegistered(launcher, types: types, user: 1000)) == [])
  }

  @Test mutating func aProgramThatTakesPagesGetsAnOfferWithAPage() {
    register(browser, [ActivityRecord.webPageType])
    #expect(machine.takesPages(1000) && !machine.takesPages(1001))
    #expect(open() == [.requestContinuation(browser, offer(hasWebPage: true)), .succeed(opener)])
    #expect(open(hasWebPage: false) == [.fail(opener, .applicationNotFound)])
    // It also comes before what the launcher would show the page with.
    registerLauncher(["a.c"])
    #expect(open() == [.requestContinuation(browser, offer(hasWebPage: true)), .succeed(opener)])
    let request = Launching.Effect.requestLaunch(
      launcher,
      launch: "1",
      offer(hasWebPage: false),
      activationToken: nil
    )
    #expect(open(hasWebPage: false) == [request])
  }

  @Test mutating func aBrowserThatWasStartedForAPageIsNotAskedForIt() {
    registerLauncher([])
    #expect(open().count == 1)
    #expect(handle(.continued(Names.id(1), user: 1000)) == [])
    #expect(handle(.applicationRegistered(browser, types: ["a.b", ActivityRecord.webPageType], user: 1000)) == [])
    #expect(handle(.reported(launch: "1", .continued, user: 1000)) == [.succeed(opener)])
  }

  @Test mutating func aRunningProgramForTheTypeComesFirst() {
    let app = ClientID(8)
    register(app, ["a.b"])
    register(browser, [ActivityRecord.webPageType])
    #expect(open() == [.requestContinuation(app, offer(hasWebPage: true)), .succeed(opener)])
  }

  @Test(arguments: [Reason.applicationNotFound, .launchFailed])
  mutating func anInstalledAppForTheTypeComesFirstIfItCanBeStarted(reason: Reason) {
    register(browser, [ActivityRecord.webPageType])
    registerLauncher(["a.b"])
    // The launcher does not show the page itself, because a program is there for that.
    let request = Launching.Effect.requestLaunch(
      launcher,
      launch: "1",
      offer(hasWebPage: false),
      activationToken: nil
    )
    #expect(open() == [request])
    #expect(
      handle(.reported(launch: "1", .failed(reason), user: 1000)) == [
        .requestContinuation(browser, offer(hasWebPage: true)), .succeed(opener),
      ]
    )
  }

  @Test mutating func aProgramOfAnotherUserGetsNoPage() {
    register(browser, [ActivityRecord.webPageType], user: 1001)
    #expect(open() == [.fail(opener, .applicationNotFound)])
  }

  @Test(arguments: ["a.b", ActivityRecord.webPageType])
  mutating func aPageOfThisMachinesServerIsForTheLauncher(type: String) {
    register(browser, [ActivityRecord.webPageType])
    registerLauncher([])
    let page = Launching.Offer(
      id: Names.id(2),
      activityType: type,
      peer: nil,
      hasWebPage: true,
      isWebPageOfThisMachine: true
    )
    #expect(
      handle(.opened(page, activationToken: nil, client: opener, user: 1000)) == [
        .requestLaunch(launcher, launch: "1", page, activationToken: nil)
      ]
    )
    // Nor does a browser get it that starts meanwhile, or after the launcher has failed.
    register(ClientID(8), [ActivityRecord.webPageType])
    #expect(handle(.reported(launch: "1", .failed(.launchFailed), user: 1000)) == [.fail(opener, .launchFailed)])
  }
}
