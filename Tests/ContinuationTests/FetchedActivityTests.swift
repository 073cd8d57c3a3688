// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// This machine as the origin: peers fetch what is current here.
struct FetchedActivityTests {
  private let team = Names.team
  private let desktop = Names.desktop
  private let tablet = Names.tablet
  private let id = Names.id(1)

  private func machine(_ change: (inout ActivityRecord) -> Void = { _ in }) -> Machine {
    var machine = Machine()
    machine.connect(desktop)
    machine.connect(tablet)
    machine.publish(Names.record(1, change))
    return machine
  }

  private func fetch(_ request: UInt64, from peer: PeerID, _ activity: UInt64 = 1) -> ContinuationCore.Event {
    .received(.fetch(Fetch(request: request, activity: Names.id(activity))), from: peer)
  }

  private func payload(_ request: UInt64, _ record: ActivityRecord, to peer: PeerID) -> Effect {
    .send(.payload(Payload(request: request, activity: record)), to: peer)
  }

  private func failure(_ request: UInt64, _ reason: Reason, to peer: PeerID) -> Effect {
    .send(.failure(Failure(request: request, reason: reason)), to: peer)
  }

  private func continued(_ delivered: Bool, from peer: PeerID) -> ContinuationCore.Event {
    .received(.continued(Continued(activity: id, delivered: delivered)), from: peer)
  }

  /// Effects for several peers come in any order.
  private func isWithdrawn(_ effects: [Effect], counter: UInt64) -> Bool {
    effects.count == 4 && effects[0] == .tell(c1, .continued(device: "device 1"))
      && effects.contains(.send(.withdraw(Withdraw(activity: id, counter: counter)), to: desktop))
      && effects.contains(.send(.withdraw(Withdraw(activity: id, counter: counter)), to: tablet))
      && effects.last == .announce(team, current: nil, counter: counter)
  }

  @Test func aFetchIsAnsweredAndReserves() {
    var machine = machine { $0.userInfo = Names.state(1) }
    let record = Names.record(1) { $0.userInfo = Names.state(1) }
    #expect(machine.handle(fetch(7, from: desktop)) == [payload(7, record, to: desktop)])
    #expect(machine.wake == machine.time.instant + LocalActivity.reservationTime)
    #expect(machine.handle(fetch(3, from: tablet)) == [failure(3, .alreadyContinued, to: tablet)])
    // The peer that it is reserved for can ask again.
    #expect(machine.handle(fetch(8, from: desktop)) == [payload(8, record, to: desktop)])
  }

  @Test func deliveryIsToldAndWithdraws() {
    var machine = machine()
    _ = machine.handle(fetch(7, from: desktop))
    #expect(isWithdrawn(machine.handle(continued(true, from: desktop)), counter: 3))
    #expect(machine.continuation.currentActivity(of: 1000) == nil)
    #expect(machine.wake == nil)
    for peer in [desktop, tablet] {
      #expect(machine.handle(fetch(9, from: peer)) == [failure(9, .alreadyContinued, to: peer)])
    }
    #expect(machine.handle(continued(true, from: desktop)) == [])
  }

  @Test func noDeliveryFrees() {
    var machine = machine()
    _ = machine.handle(fetch(7, from: desktop))
    #expect(machine.handle(continued(false, from: desktop)) == [])
    #expect(machine.handle(fetch(3, from: tablet)) == [payload(3, Names.record(1), to: tablet)])
  }

  @Test func onlyTheOneItIsReservedForCounts() {
    var machine = machine()
    #expect(machine.handle(continued(true, from: desktop)) == [])
    _ = machine.handle(fetch(7, from: desktop))
    for delivered in [true, false] { #expect(machine.handle(continued(delivered, from: tablet)) == []) }
    #expect(machine.handle(fetch(3, from: tablet)) == [failure(3, .alreadyContinued, to: tablet)])
    #expect(isWithdrawn(machine.handle(continued(true, from: desktop)), counter: 3))
  }

  @Test func aReservationEndsInTime() {
    var machine = machine()
    _ = machine.handle(fetch(7, from: desktop))
    #expect(machine.pass(LocalActivity.reservationTime - .nanoseconds(1)) == [])
    #expect(machine.handle(fetch(3, from: tablet)) == [failure(3, .alreadyContinued, to: tablet)])
    #expect(machine.pass(.nanoseconds(1)) == [])
    #expect(machine.wake == nil)
    #expect(machine.handle(fetch(4, from: tablet)) == [payload(4, Names.record(1), to: tablet)])
  }

  @Test func aReservationEndsWithTheSession() {
    for reason in [Reason.peerUnreachable, .sessionIdle, .shuttingDown] {
      var machine = machine()
      _ = machine.handle(fetch(7, from: desktop))
      #expect(machine.handle(.sessionEnded(desktop, reason)) == [])
      #expect(machine.handle(fetch(3, from: tablet)) == [payload(3, Names.record(1), to: tablet)])
    }
    var replaced = machine()
    _ = replaced.handle(fetch(7, from: desktop))
    replaced.connect(desktop)
    #expect(replaced.handle(fetch(3, from: tablet)) == [payload(3, Names.record(1), to: tablet)])
  }

  @Test func publishingAgainKeepsTheReservation() {
    var machine = machine()
    _ = machine.handle(fetch(7, from: desktop))
    machine.publish(Names.record(1), client: 1)
    #expect(machine.handle(fetch(3, from: tablet)) == [failure(3, .alreadyContinued, to: tablet)])
    #expect(isWithdrawn(machine.handle(continued(true, from: desktop)), counter: 3))
  }

  @Test func publishingAgainAfterAContinuationOffersItAgain() {
    var machine = machine()
    machine.giveAway(id, to: desktop)
    machine.publish(Names.record(1))
    #expect(machine.handle(fetch(3, from: tablet)) == [payload(3, Names.record(1), to: tablet)])
  }

  // MARK: Refusals

  @Test func whatIsNotThereIsNotFound() {
    var machine = machine()
    #expect(machine.handle(fetch(1, from: desktop, 9)) == [failure(1, .activityNotFound, to: desktop)])
  }

  @Test func whatIsNotCurrentIsWithdrawn() {
    var machine = machine()
    machine.publish(Names.record(2), client: 2)
    #expect(machine.handle(fetch(1, from: desktop)) == [failure(1, .activityWithdrawn, to: desktop)])
    _ = machine.handle(.resigned(Names.id(2), client: c3, user: 1000))
    #expect(machine.handle(fetch(2, from: desktop, 2)) == [failure(2, .activityWithdrawn, to: desktop)])
  }

  @Test func withoutASessionNobodyIsHeard() {
    var machine = machine()
    _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
    #expect(machine.handle(fetch(1, from: desktop)) == [])
    #expect(machine.handle(fetch(1, from: Names.peer(9))) == [])
  }

  // MARK: Saving

  private func needsSave(_ record: inout ActivityRecord) { record.needsSave = true }

  @Test func theAppIsAskedForFreshState() {
    var machine = machine(needsSave)
    #expect(machine.handle(fetch(7, from: desktop)) == [.tell(c1, .willSave)])
    #expect(machine.wake == machine.time.instant + Limits.saveTime)
    let fresh = Names.record(1) { $0.userInfo = Names.state(5) }
    #expect(machine.handle(.updated(fresh, client: c2, user: 1000)) == [.succeed(c2), payload(7, fresh, to: desktop)])
    #expect(machine.wake == machine.time.instant + LocalActivity.reservationTime)
    #expect(isWithdrawn(machine.handle(continued(true, from: desktop)), counter: 3))
  }

  @Test func freshStateMayBeEmpty() {
    var machine = machine(needsSave)
    _ = machine.handle(fetch(7, from: desktop))
    #expect(
      machine.handle(.updated(Names.record(1), client: c2, user: 1000))
        == [.succeed(c2), payload(7, Names.record(1), to: desktop)]
    )
  }

  @Test func anUpdateThatStillNeedsSavingIsNotFresh() {
    var machine = machine(needsSave)
    _ = machine.handle(fetch(7, from: desktop))
    let stale = Names.record(1) {
      $0.userInfo = Names.state(4); $0.needsSave = true
    }
    #expect(machine.handle(.updated(stale, client: c2, user: 1000)) == [.succeed(c2)])
    #expect(machine.pass(Limits.saveTime) == [payload(7, stale, to: desktop)])
  }

  @Test func anAppThatIsTooSlowHandsOverItsLastState() {
    let record = Names.record(1) {
      $0.userInfo = Names.state(1); $0.needsSave = true
    }
    var machine = machine { $0 = record }
    _ = machine.handle(fetch(7, from: desktop))
    #expect(machine.pass(Limits.saveTime - .nanoseconds(1)) == [])
    #expect(machine.pass(.nanoseconds(1)) == [payload(7, record, to: desktop)])
  }

  @Test func anAppThatIsTooSlowAndHasNoStateFails() {
    var machine = machine(needsSave)
    _ = machine.handle(fetch(7, from: desktop))
    #expect(machine.pass(Limits.saveTime) == [failure(7, .appTimedOut, to: desktop)])
    #expect(machine.wake == nil)
    // Nothing is reserved.
    #expect(machine.handle(fetch(1, from: tablet)) == [.tell(c1, .willSave)])
  }

  @Test func ofTwoThatWaitTheFirstGetsIt() {
    var machine = machine(needsSave)
    #expect(machine.handle(fetch(7, from: desktop)) == [.tell(c1, .willSave)])
    #expect(machine.handle(fetch(3, from: tablet)) == [])
    let fresh = Names.record(1) { $0.userInfo = Names.state(5) }
    #expect(
      machine.handle(.updated(fresh, client: c2, user: 1000))
        == [.succeed(c2), payload(7, fresh, to: desktop), failure(3, .alreadyContinued, to: tablet)]
    )
  }

  @Test func aPeerThatLeavesDoesNotWait() {
    var machine = machine(needsSave)
    _ = machine.handle(fetch(7, from: desktop))
    _ = machine.handle(fetch(3, from: tablet))
    _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
    let fresh = Names.record(1) { $0.userInfo = Names.state(5) }
    #expect(machine.handle(.updated(fresh, client: c2, user: 1000)) == [.succeed(c2), payload(3, fresh, to: tablet)])
  }

  @Test func anAppThatLeavesIsNotWaitedFor() {
    var machine = machine(needsSave)
    _ = machine.handle(fetch(7, from: desktop))
    #expect(machine.handle(.clientLeft(c1)).first == failure(7, .activityWithdrawn, to: desktop))
    #expect(machine.wake == nil)
  }

  @Test func whoPublishesAgainIsAskedInstead() {
    var machine = machine(needsSave)
    _ = machine.handle(fetch(7, from: desktop))
    #expect(
      machine.handle(.becameCurrent(Names.record(1, needsSave), team: nil, client: c2, user: 1000))
        == [.tell(c1, .resigned(.superseded)), .tell(c2, .current), .tell(c2, .willSave)]
    )
    let fresh = Names.record(1) { $0.userInfo = Names.state(5) }
    #expect(
      machine.handle(.becameCurrent(fresh, team: nil, client: c3, user: 1000))
        == [.tell(c2, .resigned(.superseded)), .tell(c3, .current), payload(7, fresh, to: desktop)]
    )
  }

  @Test func whatWasDeliveredIsNotGivenAgain() {
    var machine = machine()
    _ = machine.handle(fetch(7, from: desktop))
    _ = machine.handle(.updated(Names.record(1, needsSave), client: c2, user: 1000))
    #expect(machine.handle(fetch(8, from: desktop)) == [.tell(c1, .willSave)])
    _ = machine.handle(continued(true, from: desktop))
    #expect(machine.pass(Limits.saveTime) == [failure(8, .alreadyContinued, to: desktop)])
  }

  @Test func onePeerWaitsForSoManyFetchesAndNoMore() {
    var machine = machine(needsSave)
    for request in 1...UInt64(Limits.fetchesPerPeer) { _ = machine.handle(fetch(request, from: desktop)) }
    #expect(machine.handle(fetch(99, from: desktop)) == [failure(99, .limitReached, to: desktop)])
    #expect(machine.handle(fetch(1, from: tablet)) == [], "The other peer has its own limit")
  }
}
