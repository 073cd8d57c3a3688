// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct LocalActivityTests {
  typealias Event = LocalActivity.Event
  typealias Effect = LocalActivity.Effect

  private static let start = Time(instant: .now, date: 1_000_000)
  private static let (a, b) = (Names.desktop, Names.tablet)
  private static let plain = Names.record(1)
  private static let unsaved = Names.record(1) { $0.needsSave = true }
  private static let rich = Names.rich(1) { $0.needsSave = true }
  private static let expiring = Names.record(1) { $0.expirationDate = 1_000_010 }

  private static func after(_ duration: Duration) -> Time {
    Time(instant: start.instant + duration, date: start.date + duration / .seconds(1))
  }

  private static func fetched(_ peer: PeerID, _ request: UInt64 = 1, withheld: Reason? = nil) -> Event {
    .fetched(by: peer, request: request, withheld: withheld)
  }

  private static func activity(_ record: ActivityRecord, _ events: [Event]) -> LocalActivity {
    var activity = LocalActivity(record, user: 1000, team: nil, client: c1, order: 1)
    for event in [.becameCurrent] + events { _ = activity.handle(event, at: start) }
    return activity
  }

  private static let withdrawn: [Event] = [.withdrawn(.activityWithdrawn)]
  private static let reserved = [fetched(a)]
  private static let continued = reserved + [.reported(by: a, delivered: true)]

  private static let transitions: [(ActivityRecord, [Event], Event, [Effect])] = [
    (plain, [], .becameCurrent, [.tell(.current)]),
    // The end of its life.
    (plain, [], .withdrawn(.superseded), [.tell(.resigned(.superseded))]),
    (plain, withdrawn, .withdrawn(.superseded), []),
    (plain, continued, .withdrawn(.superseded), []),
    (plain, reserved, .withdrawn(.superseded), [.tell(.resigned(.superseded))]),
    // A fetch.
    (plain, [], fetched(a), [.give(request: 1, to: a)]),
    (plain, [], fetched(a, withheld: .screenLocked), [.refuse(request: 1, .screenLocked, to: a)]),
    (plain, withdrawn, fetched(a, withheld: .screenLocked), [.refuse(request: 1, .activityWithdrawn, to: a)]),
    (plain, reserved, fetched(a, 2), [.give(request: 2, to: a)]),
    (plain, reserved, fetched(b, 2), [.refuse(request: 2, .alreadyContinued, to: b)]),
    (plain, reserved + withdrawn, fetched(a, 2), [.refuse(request: 2, .activityWithdrawn, to: a)]),
    (plain, continued, fetched(a, 2), [.refuse(request: 2, .alreadyContinued, to: a)]),
    (plain, continued + withdrawn, fetched(a, 2), [.refuse(request: 2, .alreadyContinued, to: a)]),
    // The report.
    (plain, reserved, .reported(by: a, delivered: true), [.tellContinued(by: a)]),
    (plain, reserved + withdrawn, .reported(by: a, delivered: true), [.tellContinued(by: a)]),
    (plain, reserved, .reported(by: b, delivered: true), []),
    (plain, reserved, .reported(by: a, delivered: false), []),
    (plain, reserved + [.reported(by: a, delivered: false)], fetched(b, 2), [.give(request: 2, to: b)]),
    (plain, reserved + [.sessionEnded(a)], .reported(by: a, delivered: true), []),
    (plain, reserved + [.sessionEnded(a)], fetched(b, 2), [.give(request: 2, to: b)]),
    (plain, reserved + [.sessionEnded(b)], fetched(b, 2), [.refuse(request: 2, .alreadyContinued, to: b)]),
    // The wait for the app's fresh state.
    (unsaved, [], fetched(a), [.tell(.willSave)]),
    (unsaved, reserved, fetched(b, 2), []),
    (unsaved, reserved, .updated(unsaved), []),
    (unsaved, reserved, .updated(plain), [.give(request: 1, to: a)]),
    (
      unsaved, reserved + [fetched(b, 2)], .updated(plain),
      [
        .give(request: 1, to: a), .refuse(request: 2, .alreadyContinued, to: b),
      ]
    ),
    (unsaved, reserved + [.sessionEnded(a), fetched(b, 2)], .updated(plain), [.give(request: 2, to: b)]),
    (unsaved, reserved + [.updated(plain)], .updated(plain), []),
    (unsaved, reserved + withdrawn, .updated(plain), [.give(request: 1, to: a)]),
    (unsaved, reserved, .left, [.refuse(request: 1, .activityWithdrawn, to: a)]),
    (plain, reserved, .left, []),
    (plain, [], .wake, []),
  ]

  @Test(arguments: transitions.indices) func eachEventHasItsEffects(index: Int) {
    let (record, events, event, effects) = Self.transitions[index]
    var activity = Self.activity(record, events)
    #expect(activity.handle(event, at: Self.start) == effects)
  }

  private static let lives: [([Event], isOffered: Bool)] = [
    ([], true), (withdrawn, false), (reserved, true), (continued, false), (reserved + withdrawn, false),
    (reserved + [.reported(by: a, delivered: false)], true), (withdrawn + [.reported(by: a, delivered: true)], false),
  ]

  @Test(arguments: lives.indices) func onlyACurrentActivityIsOffered(index: Int) {
    let (events, isOffered) = Self.lives[index]
    #expect(Self.activity(Self.plain, events).isOffered == isOffered)
  }

  // MARK: Time

  private static let deadlines: [(ActivityRecord, [Event], Duration?)] = [
    (plain, [], nil), (expiring, [], .seconds(10)), (expiring, withdrawn, nil),
    (plain, reserved, LocalActivity.reservationTime),
    (unsaved, reserved, Limits.saveTime), (plain, continued, nil), (plain, reserved + [.sessionEnded(a)], nil),
  ]

  @Test(arguments: deadlines.indices) func eachWaitHasItsDeadline(index: Int) {
    let (record, events, duration) = Self.deadlines[index]
    let deadline = Self.activity(record, events).deadline(Self.start)
    #expect(deadline == duration.map { Self.start.instant + $0 })
  }

  @Test func anActivityExpiresOnce() {
    var activity = Self.activity(Self.expiring, [])
    #expect(activity.handle(.wake, at: Self.after(.seconds(9))) == [])
    #expect(activity.handle(.wake, at: Self.after(.seconds(10))) == [.tell(.resigned(.activityExpired))])
    #expect(activity.handle(.wake, at: Self.after(.seconds(10))) == [])
  }

  @Test func aReservationEndsWithItsTime() {
    var activity = Self.activity(Self.plain, Self.reserved)
    #expect(activity.handle(.wake, at: Self.after(LocalActivity.reservationTime - .nanoseconds(1))) == [])
    #expect(activity.reservedBy == Self.a)
    #expect(activity.handle(.wake, at: Self.after(LocalActivity.reservationTime)) == [])
    #expect(activity.reservedBy == nil)
  }

  /// The app's last state is better than none.
  @Test func anAppThatDoesNotSaveIsNotWaitedFor() {
    var (rich, empty) = (Self.activity(Self.rich, Self.reserved), Self.activity(Self.unsaved, Self.reserved))
    let late = Self.after(Limits.saveTime)
    #expect(rich.handle(.wake, at: late) == [.give(request: 1, to: Self.a)])
    #expect(empty.handle(.wake, at: late) == [.refuse(request: 1, .appTimedOut, to: Self.a)])
  }

  // MARK: Rules

  @Test func onePeerWaitsWithOnlySoManyFetches() {
    let events = (1...UInt64(Limits.fetchesPerPeer)).map { Self.fetched(Self.a, $0) }
    var activity = Self.activity(Self.unsaved, events)
    #expect(
      activity.handle(Self.fetched(Self.a, 99), at: Self.start) == [.refuse(request: 99, .limitReached, to: Self.a)]
    )
    #expect(activity.handle(Self.fetched(Self.b, 99), at: Self.start) == [])
    #expect(activity.waitingFetchCount == Limits.fetchesPerPeer + 1)
  }

  @Test func fetchesGoOnWhenAProgramMakesTheActivityCurrentAgain() {
    let earlier = Self.activity(Self.unsaved, Self.reserved)
    var fresh = LocalActivity(Self.plain, user: 1000, team: nil, client: c2, order: 2, after: earlier)
    #expect(fresh.handle(.becameCurrent, at: Self.start) == [.tell(.current), .give(request: 1, to: Self.a)])
    var stale = LocalActivity(Self.unsaved, user: 1000, team: nil, client: c2, order: 2, after: earlier)
    #expect(stale.handle(.becameCurrent, at: Self.start) == [.tell(.current), .tell(.willSave)])
  }

  @Test func aNewLifeKnowsWhoContinuedTheActivity() {
    let earlier = Self.activity(Self.plain, Self.continued)
    let next = LocalActivity(Self.plain, user: 1000, team: nil, client: c2, order: 2, after: earlier)
    #expect(next.isOffered)
    #expect(next.continuedBy == [Self.a])
  }
}
