// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// Local programs and their activities, up to what peers are told.
struct CurrentActivityTests {
  private let team = Names.team
  private let desktop = Names.desktop

  @Test func joiningATeamAnnouncesThatNothingIsCurrent() {
    var continuation = ContinuationCore()
    let time = Time(instant: .now, date: 0)
    #expect(
      continuation.handle(.teamsChanged([team: [1000]]), at: time)
        == [.announce(team, current: nil, counter: 1), .wake(at: nil)]
    )
    #expect(continuation.handle(.teamsChanged([team: [1000]]), at: time) == [.wake(at: nil)])
  }

  @Test func becomingCurrentIsAnnounced() {
    var machine = Machine()
    let record = Names.rich(1)
    #expect(
      machine.handle(.becameCurrent(record, team: nil, client: c1, user: 1000))
        == [.tell(c1, .current), .announce(team, current: record, counter: 2)]
    )
    #expect(machine.continuation.currentActivity(of: 1000) == record)
    #expect(machine.continuation.currentActivity(of: 1001) == nil)
    #expect(machine.wake == nil)
  }

  @Test func peersGetTheSummaryAlone() {
    var machine = Machine()
    machine.connect(desktop)
    let record = Names.rich(1) {
      $0.expirationDate = 2_000_000; $0.needsSave = true
    }
    let summary = Names.record(1) {
      $0.supportsContinuationStreams = true; $0.hasWebPage = true; $0.webpageHost = "example.org"
    }
    #expect(
      machine.handle(.becameCurrent(record, team: nil, client: c1, user: 1000)) == [
        .tell(c1, .current), .send(.offer(Offer(activity: summary, counter: 2)), to: desktop),
        .announce(team, current: record, counter: 2),
      ]
    )
  }

  @Test func aNewerActivityDisplacesTheOlder() {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    #expect(
      machine.handle(.becameCurrent(Names.record(2), team: nil, client: c2, user: 1000)) == [
        .tell(c1, .resigned(.superseded)), .tell(c2, .current),
        .send(.withdraw(Withdraw(activity: Names.id(1), counter: 3)), to: desktop),
        .send(.offer(Offer(activity: Names.record(2), counter: 3)), to: desktop),
        .announce(team, current: Names.record(2), counter: 3),
      ]
    )
    #expect(machine.continuation.currentActivity(of: 1000) == Names.record(2))
  }

  @Test func eachUserHasACurrentActivity() {
    var machine = Machine()
    machine.publish(Names.record(1), client: 1, user: 1000)
    #expect(
      machine.handle(.becameCurrent(Names.record(2), team: nil, client: c2, user: 1001))
        == [.tell(c2, .current), .announce(team, current: Names.record(2), counter: 3)]
    )
    #expect(machine.continuation.currentActivity(of: 1000) == Names.record(1))
    // The advert has room for one activity: the newest of those that remain.
    #expect(machine.handle(.clientLeft(c2)) == [.announce(team, current: Names.record(1), counter: 4)])
  }

  @Test func publishingTheSameActivityAgainReplacesIt() {
    var machine = Machine()
    machine.publish(Names.record(1))
    let newer = Names.record(1) { $0.title = "Newer" }
    #expect(
      machine.handle(.becameCurrent(newer, team: nil, client: c2, user: 1000)) == [
        .tell(c1, .resigned(.superseded)), .tell(c2, .current), .announce(team, current: newer, counter: 3),
      ]
    )
    #expect(machine.handle(.clientLeft(c1)) == [])
    #expect(machine.continuation.currentActivity(of: 1000) == newer)
    #expect(machine.handle(.clientLeft(c2)) == [.announce(team, current: nil, counter: 4)])
  }

  @Test func anotherUsersActivityCannotBePublished() {
    var machine = Machine()
    machine.publish(Names.record(1))
    #expect(
      machine.handle(.becameCurrent(Names.record(1), team: nil, client: c2, user: 1001)) == [.fail(c2, .notPermitted)]
    )
    #expect(machine.continuation.currentActivity(of: 1000) == Names.record(1))
  }

  // MARK: Updates

  @Test func anUpdateOfTheSummaryIsTold() {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    let newer = Names.rich(1) {
      $0.title = "Newer"; $0.supportsContinuationStreams = false
    }
    let summary = Names.record(1) {
      $0.title = "Newer"; $0.hasWebPage = true; $0.webpageHost = "example.org"
    }
    #expect(
      machine.handle(.updated(newer, client: c2, user: 1000)) == [
        .succeed(c2), .send(.offer(Offer(activity: summary, counter: 3)), to: desktop),
        .announce(team, current: newer, counter: 3),
      ]
    )
  }

  @Test func anUpdateOfTheStateIsNot() {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    #expect(
      machine.handle(.updated(Names.record(1) { $0.userInfo = Names.state(2) }, client: c2, user: 1000)) == [
        .succeed(c2)
      ]
    )
    #expect(machine.continuation.currentActivity(of: 1000)?.userInfo == Names.state(2))
  }

  @Test func onlyOnesOwnActivityIsUpdated() {
    var machine = Machine()
    machine.publish(Names.record(1))
    #expect(machine.handle(.updated(Names.record(2), client: c2, user: 1000)) == [.fail(c2, .activityNotFound)])
    for user: UserID in [1001, 0] {
      #expect(machine.handle(.updated(Names.record(1), client: c2, user: user)) == [.fail(c2, .activityNotFound)])
    }
    var other = try! ActivityRecord(id: Names.id(1), activityType: "org.example.writing")
    other.title = "x"
    #expect(machine.handle(.updated(other, client: c2, user: 1000)) == [.fail(c2, .activityTypeInvalid)])
    #expect(machine.continuation.currentActivity(of: 1000) == Names.record(1))
  }

  // MARK: The end

  @Test func resigningWithdraws() {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    #expect(
      machine.handle(.resigned(Names.id(1), client: c2, user: 1000)) == [
        .succeed(c2), .tell(c1, .resigned(.activityWithdrawn)),
        .send(.withdraw(Withdraw(activity: Names.id(1), counter: 3)), to: desktop),
        .announce(team, current: nil, counter: 3),
      ]
    )
    #expect(machine.handle(.resigned(Names.id(1), client: c2, user: 1000)) == [.succeed(c2)])
    #expect(machine.continuation.currentActivity(of: 1000) == nil)
    // The activity still exists, and can become current again.
    #expect(machine.handle(.updated(Names.record(1), client: c2, user: 1000)) == [.succeed(c2)])
  }

  @Test func onlyOnesOwnActivityIsResigned() {
    var machine = Machine()
    machine.publish(Names.record(1))
    #expect(machine.handle(.resigned(Names.id(1), client: c2, user: 1001)) == [.fail(c2, .activityNotFound)])
    #expect(machine.handle(.resigned(Names.id(9), client: c2, user: 1000)) == [.fail(c2, .activityNotFound)])
  }

  @Test func aProgramThatLeavesTakesItsActivityAlong() {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    #expect(
      machine.handle(.clientLeft(c1)) == [
        .send(.withdraw(Withdraw(activity: Names.id(1), counter: 3)), to: desktop),
        .announce(team, current: nil, counter: 3),
      ]
    )
    #expect(machine.handle(.clientLeft(c1)) == [])
    #expect(machine.handle(.updated(Names.record(1), client: c2, user: 1000)) == [.fail(c2, .activityNotFound)])
  }

  @Test func anActivityExpiresByTheCalendar() {
    var machine = Machine()
    machine.publish(Names.record(1) { $0.expirationDate = machine.time.date + 60 })
    #expect(machine.wake == machine.time.instant + .seconds(60))
    #expect(machine.pass(.seconds(59)) == [])
    #expect(machine.wake == machine.time.instant + .seconds(1))
    #expect(
      machine.pass(.seconds(1)) == [.tell(c1, .resigned(.activityExpired)), .announce(team, current: nil, counter: 3)]
    )
    #expect(machine.wake == nil)
    #expect(machine.pass(.seconds(1)) == [])
  }

  @Test func whenTheCalendarJumpsItExpiresAtOnce() {
    var machine = Machine()
    machine.publish(Names.record(1) { $0.expirationDate = machine.time.date + 60 })
    machine.time = Time(instant: machine.time.instant, date: machine.time.date + 3600)
    #expect(machine.handle(.wake).first == .tell(c1, .resigned(.activityExpired)))
  }

  @Test func whatHasExpiredIsNeverAnnounced() {
    var machine = Machine()
    let old = Names.record(1) { $0.expirationDate = machine.time.date }
    #expect(
      machine.handle(.becameCurrent(old, team: nil, client: c1, user: 1000))
        == [.tell(c1, .current), .tell(c1, .resigned(.activityExpired))]
    )
  }

  @Test(arguments: [-Double.greatestFiniteMagnitude, -1, 0, Double.greatestFiniteMagnitude])
  func anyDateIsTaken(date: Double) {
    var machine = Machine()
    machine.publish(Names.record(1) { $0.expirationDate = date })
    #expect((machine.wake == nil) == (date <= 0))
  }

  @Test func aDaemonThatStopsOffersNothing() {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    #expect(
      machine.handle(.stopping) == [
        .tell(c1, .resigned(.shuttingDown)), .send(.withdraw(Withdraw(activity: Names.id(1), counter: 3)), to: desktop),
        .announce(team, current: nil, counter: 3),
      ]
    )
    #expect(machine.handle(.stopping) == [])
    #expect(
      machine.handle(.becameCurrent(Names.record(2), team: nil, client: c2, user: 1000)) == [.fail(c2, .shuttingDown)]
    )
  }

  // MARK: Limits and newcomers

  @Test func oneUserHoldsSoManyActivitiesAndNoMore() {
    var machine = Machine()
    let limit = UInt64(LocalActivities.activitiesPerUser)
    for number in 1...limit { machine.publish(Names.record(number), client: number) }
    let next = limit + 1
    #expect(
      machine.handle(.becameCurrent(Names.record(next), team: nil, client: ClientID(next), user: 1000))
        == [.fail(ClientID(next), .limitReached)]
    )
    // An activity that is already there can be published again, another user can publish, and a client that leaves
    // makes room.
    machine.publish(Names.record(1), client: 200)
    machine.publish(Names.record(next + 1), client: 201, user: 1001)
    _ = machine.handle(.clientLeft(ClientID(limit)))
    machine.publish(Names.record(next), client: next)
    #expect(machine.continuation.local.held(by: 1000).count == LocalActivities.activitiesPerUser)
    #expect(machine.continuation.local.held(by: 1001).count == 1)
  }

  @Test func aPeerThatConnectsIsToldWhatIsCurrent() {
    var machine = Machine()
    let record = Names.rich(1)
    machine.publish(record)
    let summary = Names.record(1) {
      $0.supportsContinuationStreams = true; $0.hasWebPage = true; $0.webpageHost = "example.org"
    }
    #expect(
      machine.handle(.sessionReady(desktop, Names.hello(of: desktop), isFirst: true)) == [
        .send(.offer(Offer(activity: summary, counter: 2)), to: desktop)
      ]
    )
  }
}
