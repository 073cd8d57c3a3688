// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// Activities that are held but not offered, while screens are locked and while the machine goes to sleep.
struct WithholdingTests {
  private let team = Names.team
  private let desktop = Names.desktop

  @Test func aLockedScreenWithholdsAndAnUnlockedOneOffersAgain() {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    #expect(
      machine.handle(.screensLocked([1000])) == [
        .send(.withdraw(Withdraw(activity: Names.id(1), counter: 3)), to: desktop),
        .announce(team, current: nil, counter: 3),
      ]
    )
    #expect(machine.continuation.withholding(from: 1000) == .screenLocked)
    #expect(machine.continuation.withholding(from: 1001) == nil)
    #expect(machine.continuation.currentActivity(of: 1000) == Names.record(1))
    #expect(machine.handle(.screensLocked([1000])) == [])
    #expect(
      machine.handle(.screensLocked([])) == [
        .send(.offer(Offer(activity: Names.record(1), counter: 4)), to: desktop),
        .announce(team, current: Names.record(1), counter: 4),
      ]
    )
    #expect(machine.continuation.withholding(from: 1000) == nil)
  }

  @Test func whatAnAppKeepsToItsMachineIsCurrentAndNotOffered() {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    var record = Names.record(2)
    record.isEligibleForHandoff = false
    // The previous activity is no longer current.
    #expect(
      machine.handle(.becameCurrent(record, team: nil, client: c2, user: 1000)) == [
        .tell(c1, .resigned(.superseded)),
        .tell(c2, .current),
        .send(.withdraw(Withdraw(activity: Names.id(1), counter: 3)), to: desktop),
        .announce(team, current: nil, counter: 3),
      ]
    )
    #expect(machine.continuation.withholding(from: 1000) == .notEligible)
    #expect(machine.continuation.currentActivity(of: 1000)?.id == record.id)
    #expect(
      machine.handle(.received(.fetch(Fetch(request: 1, activity: record.id)), from: desktop))
        == [.send(.failure(Failure(request: 1, reason: .notEligible)), to: desktop)]
    )
    record.isEligibleForHandoff = true
    #expect(
      machine.handle(.updated(record, client: c3, user: 1000)) == [
        .succeed(c3),
        .send(.offer(Offer(activity: record, counter: 4)), to: desktop),
        .announce(team, current: record, counter: 4),
      ]
    )
    #expect(machine.continuation.withholding(from: 1000) == nil)
  }

  @Test func theOtherUsersOfTheMachineAreNotConcerned() {
    var machine = Machine()
    machine.publish(Names.record(1), client: 1, user: 1000)
    machine.publish(Names.record(2), client: 2, user: 1001)
    #expect(machine.handle(.screensLocked([1001])) == [.announce(team, current: Names.record(1), counter: 4)])
    #expect(machine.handle(.screensLocked([1000])) == [.announce(team, current: Names.record(2), counter: 5)])
  }

  @Test func whatBecomesCurrentBehindALockedScreenIsOfferedLater() {
    var machine = Machine()
    machine.connect(desktop)
    #expect(machine.handle(.screensLocked([1000])) == [])
    #expect(
      machine.handle(.becameCurrent(Names.record(1), team: nil, client: c1, user: 1000)) == [.tell(c1, .current)]
    )
    #expect(
      machine.handle(.screensLocked([])) == [
        .send(.offer(Offer(activity: Names.record(1), counter: 2)), to: desktop),
        .announce(team, current: Names.record(1), counter: 2),
      ]
    )
  }

  @Test func aSleepWithholdsEverything() {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    #expect(
      machine.handle(.asleep(true)) == [
        .send(.withdraw(Withdraw(activity: Names.id(1), counter: 3)), to: desktop),
        .announce(team, current: nil, counter: 3),
      ]
    )
    #expect(machine.continuation.withholding(from: 1001) == .asleep)
    // The machine wakes with its screen locked.
    #expect(machine.handle(.screensLocked([1000])) == [])
    #expect(machine.handle(.asleep(false)) == [])
    #expect(machine.continuation.withholding(from: 1000) == .screenLocked)
    #expect(machine.handle(.screensLocked([])).contains(.announce(team, current: Names.record(1), counter: 4)))
  }

  @Test func aFetchThatComesTooLateIsRefusedByName() {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    for (event, reason) in [
      (ContinuationCore.Event.screensLocked([1000]), Reason.screenLocked), (.asleep(true), .asleep),
    ] {
      _ = machine.handle(event)
      #expect(
        machine.handle(.received(.fetch(Fetch(request: 1, activity: Names.id(1))), from: desktop)) == [
          .send(.failure(Failure(request: 1, reason: reason)), to: desktop)
        ]
      )
    }
  }

  @Test func whatWasContinuedGoesOn() {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.rich(1))
    machine.giveAway(Names.id(1), to: desktop)
    _ = machine.handle(.screensLocked([1000]))
    let effects = machine.handle(.receivedOfStream(.open(Open(stream: 2, activity: Names.id(1))), from: desktop))
    #expect(
      effects.contains {
        if case .tell(c1, .streamRequested) = $0 { true } else { false }
      },
      "\(effects)"
    )
  }

  @Test func aSessionThatBeginsBehindALockedScreenHearsOfNothing() {
    var machine = Machine()
    machine.publish(Names.record(1))
    _ = machine.handle(.screensLocked([1000]))
    #expect(machine.handle(.sessionReady(desktop, Names.hello(of: desktop), isFirst: true)) == [])
  }
}
