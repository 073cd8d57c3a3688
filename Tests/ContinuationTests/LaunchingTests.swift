// SPDX-License-Identifier: Apache-2.0

import Activity
import SeededGenerator
import Testing

@testable import Handoff

struct LaunchingTests {
  private var machine = Launching()
  private var now = ContinuousClock.Instant.now
  private let note = Launching.Offer(
    id: .random(),
    activityType: "org.example.notes",
    peer: Names.desktop,
    hasWebPage: true
  )
  private let launcher = ClientID(100)
  private let opener = ClientID(1)

  /// Returns the effects except the last one, which is the next wake.
  private mutating func handle(_ event: Launching.Event) -> [Launching.Effect] {
    var effects = machine.handle(event, at: now)
    guard case .wake(let instant) = effects.popLast() else {
      Issue.record("The last effect is no wake")
      return effects
    }
    #expect((instant == nil) == (machine.launchCount == 0))
    return effects
  }

  private mutating func open(_ client: ClientID, user: UserID = 1000, token: String? = nil) -> [Launching.Effect] {
    handle(.opened(note, activationToken: token, client: client, user: user))
  }

  /// Makes the machine ask the launcher for an app.
  private mutating func begin() {
    #expect(handle(.launcherRegistered(launcher, types: [], user: 1000)) == [])
    #expect(
      open(opener, token: "t") == [.requestLaunch(launcher, launch: "1", note, activationToken: "t")]
    )
  }

  @Test mutating func aRunningAppComesBeforeTheLauncher() {
    begin()
    let types: Set = [note.activityType]
    let effects = handle(.applicationRegistered(ClientID(7), types: types, user: 1000))
    #expect(
      effects == [.requestContinuation(ClientID(7), note, activationToken: "t"), .succeed(opener)]
    )
    #expect(
      open(ClientID(2), token: "u") == [
        .requestContinuation(ClientID(7), note, activationToken: "u"), .succeed(ClientID(2)),
      ]
    )
  }

  @Test mutating func withoutALauncherThereIsNoApp() {
    #expect(open(opener) == [.fail(opener, .applicationNotFound)])
    // Nobody else can use a user's launcher and apps.
    _ = handle(.launcherRegistered(launcher, types: [], user: 1001))
    _ = handle(.applicationRegistered(ClientID(7), types: [note.activityType], user: 1001))
    #expect(open(opener) == [.fail(opener, .applicationNotFound)])
    #expect(open(opener, user: 0) == [.fail(opener, .applicationNotFound)])
  }

  @Test mutating func appsOfOtherUsersAndTypesEndNoLaunch() {
    begin()
    #expect(handle(.applicationRegistered(ClientID(7), types: ["org.example.other"], user: 1000)) == [])
    #expect(handle(.applicationRegistered(ClientID(8), types: [note.activityType], user: 1001)) == [])
    #expect(handle(.reported(launch: "1", .failed(.launchFailed), user: 1001)) == [])
    #expect(handle(.continued(note.id, user: 1001)) == [])
    #expect(machine.launchCount == 1)
  }

  @Test mutating func anAppThatDoesNotComeInTimeFails() {
    begin()
    #expect(handle(.reported(launch: "1", .launching, user: 1000)) == [])
    now += Limits.launchTime - .milliseconds(1)
    #expect(handle(.wake) == [])
    now += .milliseconds(1)
    #expect(handle(.wake) == [.fail(opener, .launchTimedOut)])
    #expect(handle(.reported(launch: "1", .continued, user: 1000)) == [])
  }

  @Test mutating func theLauncherSaysWhatBecameOfIt() {
    begin()
    #expect(
      handle(.reported(launch: "1", .failed(.applicationNotFound), user: 1000)) == [.fail(opener, .applicationNotFound)]
    )
    #expect(open(opener) == [.requestLaunch(launcher, launch: "2", note, activationToken: nil)])
    #expect(handle(.reported(launch: "1", .continued, user: 1000)) == [])
    #expect(handle(.reported(launch: "2", .continued, user: 1000)) == [.succeed(opener)])
  }

  @Test mutating func anAppThatContinuesWithoutRegisteringHasCome() {
    begin()
    _ = handle(.reported(launch: "1", .launching, user: 1000))
    #expect(handle(.continued(.random(), user: 1000)) == [])
    #expect(handle(.continued(note.id, user: 1000)) == [.succeed(opener)])
  }

  @Test mutating func whoHasContinuedIsKnownFromTheLauncher() {
    begin()
    #expect(handle(.continued(note.id, user: 1000)) == [])
    // The launcher itself continued it, to show a page.
    #expect(handle(.reported(launch: "1", .failed(.launchFailed), user: 1000)) == [.fail(opener, .launchFailed)])
    // An app continued it before the launcher reported.
    _ = open(opener)
    #expect(handle(.continued(note.id, user: 1000)) == [])
    #expect(handle(.reported(launch: "2", .launching, user: 1000)) == [.succeed(opener)])
  }

  @Test mutating func oneOfferIsLaunchedOnce() {
    begin()
    #expect(open(ClientID(2)) == [])
    #expect(handle(.clientLeft(opener)) == [])
    #expect(handle(.reported(launch: "1", .continued, user: 1000)) == [.succeed(ClientID(2))])
  }

  @Test mutating func theNewestLauncherIsAskedAndAnotherTakesItsPlace() {
    begin()
    let newer = ClientID(101)
    #expect(handle(.launcherRegistered(newer, types: ["a.b"], user: 1000)) == [])
    #expect(machine.types(takenFor: 1000) == ["a.b"] && machine.types(takenFor: 1001) == [])
    #expect(!machine.isIncomplete(for: 1000))
    _ = handle(.launcherRegistered(ClientID(102), types: [], isIncomplete: true, user: 1001))
    #expect(machine.isIncomplete(for: 1001) && !machine.isIncomplete(for: 1000))
    #expect(handle(.clientLeft(launcher)) == [.requestLaunch(newer, launch: "1", note, activationToken: "t")])
    #expect(handle(.clientLeft(newer)) == [.fail(opener, .applicationNotFound)])
  }

  @Test mutating func anAppThatIsOnItsWayOutlivesTheLauncher() {
    begin()
    _ = handle(.reported(launch: "1", .launching, user: 1000))
    #expect(handle(.clientLeft(launcher)) == [])
    let effects = handle(.applicationRegistered(ClientID(7), types: [note.activityType], user: 1000))
    #expect(effects.last == .succeed(opener))
  }

  @Test mutating func anOffersTypeIsTakenByTheProgramsOfItsUser() {
    #expect(!machine.hasApplication(for: "a.b", user: 1000))
    _ = handle(.launcherRegistered(launcher, types: ["a.b"], user: 1000))
    #expect(!machine.hasApplication(for: "a.b", user: 1000))
    _ = handle(.applicationRegistered(ClientID(7), types: ["a.b"], user: 1000))
    #expect(machine.hasApplication(for: "a.b", user: 1000))
    #expect(!machine.hasApplication(for: "a.c", user: 1000) && !machine.hasApplication(for: "a.b", user: 1001))
    _ = handle(.clientLeft(ClientID(7)))
    #expect(!machine.hasApplication(for: "a.b", user: 1000))
  }

  @Test mutating func aUserLaunchesAsManyAtOnceAsTheLimit() {
    _ = handle(.launcherRegistered(launcher, types: [], user: 1000))
    for number in 0...Limits.launchesPerUser {
      let offer = Launching.Offer(id: .random(), activityType: "a.b", peer: Names.desktop, hasWebPage: false)
      let client = ClientID(UInt64(number))
      let effects = handle(.opened(offer, activationToken: nil, client: client, user: 1000))
      #expect((effects == [.fail(client, .limitReached)]) == (number == Limits.launchesPerUser))
    }
    _ = handle(.applicationRegistered(ClientID(99), types: ["a.b"], user: 1000))
    #expect(machine.launchCount == 0)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  mutating func everybodyWhoOpensIsAnsweredOnceAndInTime(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var waiting: [ClientID: ContinuousClock.Instant] = [:]
    var registered: [ClientID] = []
    var last: UInt64 = 0
    let types = ["a.b", "c.d"]
    let ids = (0..<4).map { _ in ActivityID.random() }
    for _ in 0..<5_000 {
      let user = UserID.random(in: 1000...1001, using: &random)
      let type = types[Int.random(in: 0..<2, using: &random)]
      let id = ids[Int.random(in: 0..<4, using: &random)]
      let client = ClientID(last)
      var event = Launching.Event.wake
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2:
        waiting[client] = now
        let offer = Launching.Offer(id: id, activityType: type, peer: Names.desktop, hasWebPage: false)
        event = .opened(offer, activationToken: nil, client: client, user: user)
      case 3 where registered.count < 4:
        registered.append(client)
        event =
          Bool.random(using: &random)
          ? .applicationRegistered(client, types: [type], user: user)
          : .launcherRegistered(client, types: [], user: user)
      case 4:
        let report: Launching.Report = Bool.random(using: &random) ? .launching : .failed(.launchFailed)
        event = .reported(launch: "\(UInt64.random(in: 0...last, using: &random))", report, user: user)
      case 5: event = .continued(id, user: user)
      case 6:
        guard let leaver = (registered + waiting.keys).randomElement(using: &random) else { continue }
        registered.removeAll { $0 == leaver }
        waiting[leaver] = nil
        event = .clientLeft(leaver)
      default: now += .milliseconds(Int.random(in: 0...8_000, using: &random))
      }
      last += 1
      for effect in handle(event) {
        switch effect {
        case .succeed(let client), .fail(let client, _): #expect(waiting.removeValue(forKey: client) != nil)
        case .requestContinuation(let client, _, _), .requestLaunch(let client, _, _, _):
          #expect(registered.contains(client))
        case .wake: Issue.record("Two wakes")
        }
      }
      #expect(waiting.values.allSatisfy { $0 + Limits.launchTime > now })
    }
  }
}
