// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// This machine as the receiver: its programs continue what peers offer.
struct ContinueTests {
  private let desktop = Names.desktop
  private let tablet = Names.tablet
  private let id = Names.id(1)
  private let record = Names.rich(1)

  /// Returns a machine that is connected and was offered activity 1.
  private func machine() -> Machine {
    var machine = Machine()
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop)
    return machine
  }

  private func ask(_ client: ClientID, _ user: UserID = 1000) -> ContinuationCore.Event {
    .continueRequested(id, client: client, user: user)
  }

  private func fetch(_ request: UInt64, from peer: PeerID = Names.desktop) -> Effect {
    .send(.fetch(Fetch(request: request, activity: id)), to: peer)
  }

  private func payload(_ request: UInt64, from peer: PeerID = Names.desktop) -> ContinuationCore.Event {
    .received(.payload(Payload(request: request, activity: record)), from: peer)
  }

  private func continued(_ delivered: Bool, to peer: PeerID = Names.desktop) -> Effect {
    .send(.continued(Continued(activity: id, delivered: delivered)), to: peer)
  }

  private func delivered(to client: ClientID) -> [Effect] {
    [
      continued(true), .offersChanged,
      .deliver(client, record, device: "device 1", origin: .device(Names.desktop.device)),
    ]
  }

  // MARK: With a session

  @Test func anOfferIsFetchedAndDelivered() {
    var machine = machine()
    #expect(machine.handle(ask(c1)) == [fetch(1)])
    #expect(machine.wake == machine.time.instant + Limits.fetchTime)
    #expect(machine.handle(payload(1)) == delivered(to: c1))
    #expect(machine.offers() == [])
    #expect(machine.wake == nil)
    #expect(machine.handle(ask(c2)) == [.fail(c2, .alreadyContinued)])
    #expect(machine.handle(ask(c3, 1001)) == [.fail(c3, .activityNotFound)])
  }

  @Test func whatIsNotOfferedIsNotFound() {
    var machine = Machine()
    #expect(machine.handle(ask(c1)) == [.fail(c1, .activityNotFound)])
  }

  @Test(arguments: [Reason.alreadyContinued, .activityWithdrawn, .appTimedOut, .internalFailure])
  func theOriginsReasonIsPassedOn(reason: Reason) {
    var machine = machine()
    _ = machine.handle(ask(c1))
    #expect(
      machine.handle(.received(.failure(Failure(request: 1, reason: reason)), from: desktop)) == [.fail(c1, reason)]
    )
    // The activity can be requested again, under another number.
    #expect(machine.handle(ask(c2)) == [fetch(2)])
  }

  @Test func theOriginMustAnswerInTime() {
    var machine = machine()
    _ = machine.handle(ask(c1))
    #expect(machine.pass(Limits.fetchTime - .nanoseconds(1)) == [])
    #expect(machine.pass(.nanoseconds(1)) == [.fail(c1, .peerTimedOut), .probe(desktop)])
    #expect(machine.wake == nil)
  }

  @Test func anAnswerThatComesTooLateIsGivenBack() {
    var machine = machine()
    _ = machine.handle(ask(c1))
    _ = machine.pass(Limits.fetchTime)
    #expect(machine.handle(payload(1)) == [continued(false)])
    #expect(machine.offers() == [id], "It is offered still")
    #expect(machine.handle(.received(.failure(Failure(request: 1, reason: .appTimedOut)), from: desktop)) == [])
  }

  @Test func aLateAnswerDoesNotGiveUpTheFetchThatFollowed() {
    var machine = machine()
    _ = machine.handle(ask(c1))
    _ = machine.pass(Limits.fetchTime)
    #expect(machine.handle(ask(c2)) == [fetch(2)])
    #expect(machine.handle(payload(1)) == [])
    #expect(machine.handle(payload(2)) == delivered(to: c2))
  }

  @Test func aProgramThatLeavesGetsNothing() {
    var machine = machine()
    _ = machine.handle(ask(c1))
    #expect(machine.handle(.clientLeft(c1)) == [])
    #expect(machine.handle(payload(1)) == [continued(false)])
    #expect(machine.offers() == [id])
    #expect(machine.handle(ask(c2)) == [fetch(2)])
  }

  @Test func aProgramThatLeavesBeforeAFailureIsNotTold() {
    var machine = machine()
    _ = machine.handle(ask(c1))
    _ = machine.handle(.clientLeft(c1))
    #expect(machine.pass(Limits.fetchTime) == [.probe(desktop)])
    #expect(machine.wake == nil)
  }

  @Test func whatSomebodyIsContinuingIsTaken() {
    var machine = machine()
    _ = machine.handle(ask(c1))
    for user: UserID in [1000, 1001, 0] { #expect(machine.handle(ask(c2, user)) == [.fail(c2, .alreadyContinued)]) }
    #expect(machine.handle(payload(1)) == delivered(to: c1))
  }

  @Test func whoAsksAfterTheFirstHasLeftGetsTheAnswer() {
    var machine = machine()
    _ = machine.handle(ask(c1))
    _ = machine.handle(.clientLeft(c1))
    #expect(machine.handle(ask(c2, 1001)) == [])
    #expect(machine.handle(payload(1)) == delivered(to: c2))
    #expect(machine.handle(ask(c3, 1001)) == [.fail(c3, .alreadyContinued)])
    #expect(machine.handle(ask(c3, 1000)) == [.fail(c3, .activityNotFound)])
  }

  @Test func anAnswerToAnotherQuestionIsNone() {
    var machine = machine()
    machine.connect(tablet)
    _ = machine.handle(ask(c1))
    let other = Continued(activity: Names.id(2), delivered: false)
    #expect(
      machine.handle(.received(.payload(Payload(request: 1, activity: Names.record(2))), from: desktop))
        == [.send(.continued(other), to: desktop)]
    )
    #expect(machine.handle(payload(2)) == [], "The number is not the one that was asked with")
    #expect(machine.handle(payload(1, from: tablet)) == [continued(false, to: tablet)])
    #expect(machine.handle(payload(1)) == delivered(to: c1))
  }

  /// A member that has heard of an activity offers it as its own.
  @Test(arguments: [true, false]) func whoOfferedAnActivityFirstIsItsOrigin(isNamed: Bool) {
    for _ in 0..<20 {
      var machine = machine()
      machine.connect(tablet)
      machine.offer(record, from: tablet)
      // Neither a new title nor a broken session makes the other peer the origin.
      machine.offer(Names.record(1) { $0.title = "Another" }, from: desktop, counter: 2)
      _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
      machine.connect(desktop)
      machine.offer(record, from: desktop, counter: 3)
      let event = ContinuationCore.Event.continueRequested(
        id,
        from: isNamed ? tablet.device : nil,
        client: c1,
        user: 1000
      )
      let expected = isNamed ? tablet : desktop
      #expect(machine.handle(event) == [.send(.fetch(Fetch(request: 1, activity: id)), to: expected)])
      #expect(machine.continuation.offer(id, for: 1000)?.peer == desktop)
      #expect(machine.continuation.offer(id, from: tablet.device, for: 1000)?.peer == tablet)
      // The two users' requests do not affect each other.
      let other = ContinuationCore.Event.continueRequested(id, from: tablet.device, client: c2, user: 1001)
      if !isNamed { #expect(machine.handle(other) == [.send(.fetch(Fetch(request: 1, activity: id)), to: tablet)]) }
    }
  }

  @Test func aPeerIsTheOriginOfSoManyAndNoMore() {
    var machine = machine()
    machine.connect(tablet)
    let numbers = 100..<UInt64(100 + 3 * Limits.offersPerPeer)
    for number in numbers {
      machine.offer(Names.record(number), from: tablet)
      _ = machine.handle(.received(.withdraw(Withdraw(activity: Names.id(number), counter: number)), from: tablet))
    }
    let origins = machine.continuation.peers.origins
    #expect(numbers.count { origins[Names.id($0)] == tablet } == Limits.offersPerPeer)
    #expect(origins[id] == desktop)
  }

  @Test func anActivityOfAnotherTypeThanWasOfferedIsNotDelivered() throws {
    var machine = machine()
    _ = machine.handle(ask(c1))
    var other = try ActivityRecord(id: id, activityType: "org.example.other")
    other.title = record.title
    let effects = machine.handle(.received(.payload(Payload(request: 1, activity: other)), from: desktop))
    #expect(effects == [continued(false), .fail(c1, .protocolViolation)])
    #expect(machine.continuation.continued.usable(id, by: 0) == nil && machine.offers() == [id])
  }

  /// If one user continues an activity, another user does not lose streams.
  @Test func usersDoNotGetInEachOthersWay() {
    var machine = machine()
    machine.connect(tablet)
    machine.take(Names.rich(7), from: desktop, user: 1000)
    machine.take(Names.rich(7), from: tablet, user: 1001)
    #expect(machine.continuation.continued[Names.id(7), by: 1000]?.peer == desktop)
    #expect(machine.continuation.continued[Names.id(7), by: 1001]?.peer == tablet)
  }

  @Test func onePeerIsAskedSoMuchAndNoMore() {
    var machine = Machine()
    machine.connect(desktop)
    let limit = UInt64(Limits.fetchesPerPeer)
    for number in 1...limit {
      machine.offer(Names.record(number), from: desktop)
      let effects = machine.handle(.continueRequested(Names.id(number), client: ClientID(number), user: 1000))
      #expect(effects == [.send(.fetch(Fetch(request: number, activity: Names.id(number))), to: desktop)])
    }
    // An offer beyond the limit replaces one that was withdrawn.
    _ = machine.handle(.received(.withdraw(Withdraw(activity: Names.id(1), counter: 50)), from: desktop))
    machine.offer(Names.record(99), from: desktop)
    let event = ContinuationCore.Event.continueRequested(Names.id(99), client: ClientID(99), user: 1000)
    #expect(machine.handle(event) == [.fail(ClientID(99), .limitReached)])
    _ = machine.handle(.received(.failure(Failure(request: 1, reason: .activityWithdrawn)), from: desktop))
    #expect(machine.handle(event) == [.send(.fetch(Fetch(request: limit + 1, activity: Names.id(99))), to: desktop)])
  }

  @Test func soManyContinuationsAreRememberedAndNoMore() {
    var machine = Machine()
    machine.connect(desktop)
    let limit = UInt64(ContinuedActivities.continuationsPerUser)
    for number in 1...limit + 1 { machine.take(Names.rich(number), from: desktop) }
    let remembered = (1...limit + 1).filter { machine.continuation.continued[Names.id($0), by: 1000] != nil }
    #expect(remembered == Array(2...limit + 1), "The oldest goes first")
  }

  // MARK: Without a session

  /// Returns a machine that is not connected and knows activity 1 from an advert.
  private func distant() -> Machine {
    var machine = Machine()
    _ = machine.handle(.advertSeen(Names.advert(desktop, 1, 1, Names.record(1)), team: Names.team))
    return machine
  }

  private func ready() -> ContinuationCore.Event { .sessionReady(desktop, Names.hello(of: desktop), isFirst: true) }

  @Test func thePeerIsReachedFirst() {
    var machine = distant()
    #expect(machine.handle(ask(c1)) == [.connect(desktop)])
    #expect(machine.handle(ready()) == [fetch(1)])
    #expect(machine.handle(payload(1)) == delivered(to: c1))
  }

  @Test func aPeerThatCannotBeReachedIsTold() {
    var machine = distant()
    _ = machine.handle(ask(c1))
    #expect(machine.handle(.connectFailed(desktop, .certificateExpired)) == [.fail(c1, .certificateExpired)])
    #expect(machine.handle(.connectFailed(desktop, .peerUnreachable)) == [])
  }

  @Test(arguments: [Reason.peerUnreachable, .handshakeTimedOut, .shuttingDown, .peerNotFound])
  func aPeerThatCannotBeReachedYetIsTriedAgain(reason: Reason) {
    var machine = distant()
    _ = machine.handle(ask(c1))
    for _ in 0..<3 {
      #expect(machine.handle(.connectFailed(desktop, reason)) == [])
      #expect(machine.wake == machine.time.instant + Fetches.fetchRetryTime)
      #expect(machine.pass(Fetches.fetchRetryTime) == [.connect(desktop)])
    }
    #expect(machine.handle(ready()) == [fetch(1)])
    #expect(machine.pass(Fetches.fetchRetryTime) == [])
    #expect(machine.handle(payload(1)) == delivered(to: c1))
  }

  /// What was sent to it may be lost.
  @Test func aPeerThatDoesNotAnswerIsTriedAgain() {
    var machine = distant()
    _ = machine.handle(ask(c1))
    for _ in 0..<3 { #expect(machine.pass(Fetches.fetchRetryTime) == [.connect(desktop)]) }
    #expect(machine.handle(ready()) == [fetch(1)])
    #expect(machine.pass(Fetches.fetchRetryTime) == [])
  }

  @Test func itIsTriedUntilTheDeadline() {
    var machine = distant()
    _ = machine.handle(ask(c1))
    machine.advance(Limits.fetchTime - .milliseconds(1))
    #expect(machine.handle(.connectFailed(desktop, .peerUnreachable)) == [.connect(desktop)])
    #expect(machine.pass(.milliseconds(1)) == [.fail(c1, .peerUnreachable)])
    #expect(machine.wake == nil)
  }

  @Test func reachingThePeerHasADeadline() {
    var machine = distant()
    _ = machine.handle(ask(c1))
    #expect(machine.pass(Limits.fetchTime) == [.fail(c1, .peerUnreachable)])
    #expect(machine.handle(ready()) == [])
  }

  @Test func anAdvertThatIsLostMeanwhileDoesNotMatter() {
    var machine = distant()
    _ = machine.handle(ask(c1))
    #expect(machine.handle(.advertLost(desktop)) == [.offersChanged])
    #expect(machine.handle(ready()) == [fetch(1)])
  }

  @Test func theConnectedOfTwoPeersIsAsked() {
    // One machine that is in two teams offers the same activity in both.
    for connected in [desktop, Names.stranger] {
      var machine = Machine(teams: [Names.team: [1000], Names.otherTeam: [1000]])
      for peer in [desktop, Names.stranger] {
        _ = machine.handle(.advertSeen(Names.advert(peer, 1, 1, Names.record(1)), team: peer.team))
      }
      machine.connect(connected)
      #expect(machine.offers() == [id, id])
      #expect(machine.handle(ask(c1)) == [fetch(1, from: connected)])
    }
  }

  // MARK: Sessions that end

  @Test(arguments: [Reason.peerUnreachable, .shuttingDown])
  func aLostSessionFails(reason: Reason) {
    var machine = machine()
    _ = machine.handle(ask(c1))
    #expect(machine.handle(.sessionEnded(desktop, reason)) == [.fail(c1, .peerUnreachable), .offersChanged])
    #expect(machine.wake == nil)
  }

  @Test func aSessionThatWasLetGoIsMadeAgain() {
    var machine = machine()
    _ = machine.handle(ask(c1))
    #expect(machine.handle(.sessionEnded(desktop, .sessionIdle)) == [.connect(desktop)])
    #expect(machine.handle(ready()) == [fetch(1)])
    #expect(machine.handle(payload(1)) == delivered(to: c1))
  }

  @Test func aReplacedSessionIsAskedAgain() {
    var machine = machine()
    machine.offer(Names.record(2), from: desktop)
    _ = machine.handle(.continueRequested(Names.id(2), client: c3, user: 1000))
    _ = machine.handle(ask(c1))
    let effects = machine.handle(ready())
    #expect(effects.count == 2)
    let numbers = effects.compactMap { effect in
      if case .send(.fetch(let fetch), to: desktop) = effect { fetch.request } else { nil }
    }
    #expect(numbers == [1, 2])
    #expect(machine.continuation.fetches.from(desktop).values.compactMap(\.request).sorted() == [1, 2])
  }

  @Test func aReplacedSessionHasItsOwnDeadlineStill() {
    var machine = machine()
    _ = machine.handle(ask(c1))
    machine.advance(.seconds(3))
    #expect(machine.handle(ready()) == [fetch(1)])
    #expect(machine.pass(Limits.fetchTime - .seconds(3)).contains(.fail(c1, .peerTimedOut)))
  }
}
