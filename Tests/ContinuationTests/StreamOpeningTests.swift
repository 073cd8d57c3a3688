// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct StreamOpeningTests {
  private let desktop = Names.desktop
  private let tablet = Names.tablet
  private let id = Names.id(1)

  private func open(
    _ stream: UInt32,
    _ activity: UInt64 = 1,
    from peer: PeerID = Names.desktop
  ) -> ContinuationCore.Event {
    .receivedOfStream(.open(Open(stream: stream, activity: Names.id(activity))), from: peer)
  }

  private func reset(_ stream: UInt32, _ reason: Reason, to peer: PeerID = Names.desktop) -> Effect {
    .sendOfStream(.reset(Reset(stream: stream, reason: reason)), to: peer)
  }

  private func resetReceived(_ stream: UInt32, _ reason: Reason) -> ContinuationCore.Event {
    .receivedOfStream(.reset(Reset(stream: stream, reason: reason)), from: desktop)
  }

  // MARK: The receiver

  /// Returns a machine on which user 1000 has continued activity 1 from the desktop.
  private func receiver(isFirst: Bool = true, streams: Bool = true) -> Machine {
    var machine = Machine()
    machine.connect(desktop, isFirst: isFirst)
    machine.take(Names.rich(1) { $0.supportsContinuationStreams = streams }, from: desktop)
    return machine
  }

  private func request(_ client: ClientID, _ user: UserID = 1000) -> ContinuationCore.Event {
    .streamRequested(id, client: client, user: user)
  }

  @Test(arguments: [(true, [1, 3, 5]), (false, [2, 4, 6])] as [(Bool, [UInt32])])
  func numbersGrowAndAreOddOrEven(isFirst: Bool, numbers: [UInt32]) {
    var machine = receiver(isFirst: isFirst)
    for number in numbers {
      #expect(machine.handle(request(c1)) == [.sendOfStream(.open(Open(stream: number, activity: id)), to: desktop)])
      _ = machine.handle(resetReceived(number, .streamReset))
    }
  }

  @Test func theAnswerJoins() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    #expect(
      machine.handle(.receivedOfStream(.opened(Opened(stream: 1, limit: 77)), from: desktop))
        == [.join(c1, StreamID(peer: desktop, number: 1), FirstLimits(opened: 77))]
    )
    #expect(machine.wake == nil)
    #expect(machine.handle(.receivedOfStream(.opened(Opened(stream: 1, limit: 77)), from: desktop)) == [])
  }

  /// Baton 0.1 does not read `limit` in `open`, and ends the session if less is allowed later than it has assumed.
  @Test func anOriginOfTheFirstReleaseMaySendWhatItAssumes() {
    let old = FirstLimits(opened: Limits.streamWindow)
    #expect(old.receiving == Limits.streamWindow && old.sending == Limits.streamWindow)
    #expect(FirstLimits(opened: Limits.streamFirstWindow).receiving == Limits.streamFirstWindow)
    #expect(FirstLimits(accepting: Limits.streamWindow).receiving == Limits.streamFirstWindow)
  }

  @Test(arguments: [Reason.streamLimitReached, .appTimedOut, .activityNotFound])
  func aResetFailsWithItsReason(reason: Reason) {
    var machine = receiver()
    _ = machine.handle(request(c1))
    #expect(machine.handle(resetReceived(3, reason)) == [])
    #expect(machine.handle(resetReceived(1, reason)) == [.fail(c1, reason)])
    #expect(machine.handle(.receivedOfStream(.opened(Opened(stream: 1, limit: 1)), from: desktop)) == [])
  }

  @Test func onlyTheUserWhoContinuedAndRootMay() {
    var machine = receiver()
    #expect(machine.handle(request(c1, 1001)) == [.fail(c1, .activityNotFound)])
    #expect(machine.handle(request(c1, 0)) == [.sendOfStream(.open(Open(stream: 1, activity: id)), to: desktop)])
    let other = ContinuationCore.Event.streamRequested(Names.id(9), client: c2, user: 1000)
    #expect(machine.handle(other) == [.fail(c2, .activityNotFound)])
  }

  @Test func anActivityWithoutStreamsHasNone() {
    var machine = receiver(streams: false)
    #expect(machine.handle(request(c1)) == [.fail(c1, .streamsNotSupported)])
  }

  @Test func withoutASessionThereIsNoStream() {
    var machine = receiver()
    _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
    #expect(machine.handle(request(c1)) == [.fail(c1, .peerUnreachable)])
    machine.connect(desktop)
    #expect(machine.handle(request(c1)) == [.sendOfStream(.open(Open(stream: 1, activity: id)), to: desktop)])
    // Numbers are not reused, because a stream can outlive its session.
    _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
    machine.connect(desktop)
    #expect(machine.handle(request(c2)) == [.sendOfStream(.open(Open(stream: 3, activity: id)), to: desktop)])
  }

  @Test func theOriginMustAnswerInTime() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    let time = Limits.streamAcceptTime + Limits.fetchTime
    #expect(machine.wake == machine.time.instant + time)
    #expect(machine.pass(time - .nanoseconds(1)) == [])
    #expect(
      machine.pass(.nanoseconds(1))
        == [reset(1, .peerTimedOut), .fail(c1, .peerTimedOut), .probe(desktop)]
    )
    #expect(machine.handle(.receivedOfStream(.opened(Opened(stream: 1, limit: 1)), from: desktop)) == [])
  }

  @Test func aProgramThatLeavesGivesItUp() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    #expect(machine.handle(.clientLeft(c1)) == [reset(1, .streamReset)])
    #expect(machine.wake == nil)
  }

  @Test(arguments: [Reason.peerUnreachable, .sessionIdle]) func theNextSessionAsksAgain(reason: Reason) {
    var machine = receiver()
    _ = machine.handle(request(c1))
    #expect(machine.handle(.sessionEnded(desktop, reason)) == [])
    #expect(machine.handle(readyAgain()) == [.sendOfStream(.open(Open(stream: 1, activity: id)), to: desktop)])
    #expect(
      machine.handle(.receivedOfStream(.opened(Opened(stream: 1, limit: 7)), from: desktop))
        == [.join(c1, StreamID(peer: desktop, number: 1), FirstLimits(opened: 7))]
    )
  }

  @Test func aSessionThatIsReplacedAsksAgain() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    #expect(machine.handle(readyAgain()) == [.sendOfStream(.open(Open(stream: 1, activity: id)), to: desktop)])
  }

  @Test func theOriginMayHaveAcceptedMeanwhile() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
    _ = machine.handle(readyAgain())
    #expect(
      machine.handle(
        .receivedOfStream(.resume(Resume(stream: 1, progress: .init(received: 0, limit: 7))), from: desktop)
      )
        == [.join(c1, StreamID(peer: desktop, number: 1), FirstLimits(opened: 7))]
    )
  }

  @Test func aStreamThatIsNotThereIsNotResumed() {
    var machine = receiver()
    let resume = StreamMessage.resume(Resume(stream: 5, progress: .init(received: 0, limit: 7)))
    #expect(machine.handle(.receivedOfStream(resume, from: desktop)) == [reset(5, .streamInterrupted)])
  }

  @Test func aPeerThatStopsAnswersNothing() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    #expect(machine.handle(.sessionEnded(desktop, .shuttingDown)) == [.fail(c1, .streamInterrupted)])
  }

  @Test func aDaemonThatBeganAnewKnowsNothing() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
    #expect(machine.handle(readyAgain(epoch: 2)) == [.fail(c1, .streamInterrupted)])
  }

  @Test func whoWaitsWithoutASessionMayLeaveAndIsNotKeptForEver() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    _ = machine.handle(request(c2))
    _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
    #expect(machine.handle(.clientLeft(c1)) == [])
    #expect(
      machine.pass(Limits.streamAcceptTime + Limits.fetchTime) == [.fail(c2, .peerTimedOut), .probe(desktop)]
    )
    #expect(machine.handle(readyAgain()) == [])
  }

  private func readyAgain(epoch: UInt64 = 1) -> ContinuationCore.Event {
    .sessionReady(desktop, Names.hello(of: desktop, epoch: epoch), isFirst: true)
  }

  @Test func soManyAreOpenedAtOnceAndNoMore() {
    var machine = receiver()
    for number in 0..<Limits.openingStreamsPerPeer {
      #expect(machine.handle(request(ClientID(UInt64(number + 100)))).count == 1)
    }
    #expect(machine.handle(request(c1)) == [.fail(c1, .streamLimitReached)])
    _ = machine.handle(resetReceived(3, .streamReset))
    let next = UInt32(2 * Limits.openingStreamsPerPeer + 1)
    #expect(machine.handle(request(c1)) == [.sendOfStream(.open(Open(stream: next, activity: id)), to: desktop)])
  }

  // MARK: The origin

  /// Returns a machine whose activity 1, of client 1 and user 1000, was continued on the desktop. Its stream numbers
  /// are even.
  private func origin(streams: Bool = true) -> Machine {
    var machine = Machine()
    machine.connect(desktop)
    machine.connect(tablet)
    machine.publish(Names.rich(1) { $0.supportsContinuationStreams = streams })
    machine.giveAway(id, to: desktop)
    return machine
  }

  /// Returns the token that the app received.
  private func tokenTold(_ effects: [Effect]) -> String? {
    guard effects.count == 1, case .tell(c1, .streamRequested(let token, "device 1", _))? = effects.first else {
      return nil
    }
    return token
  }

  private func told(_ event: ContinuationCore.Event, _ machine: inout Machine) -> String? {
    tokenTold(machine.handle(event))
  }

  @Test func theAppIsAskedAndAccepts() throws {
    var machine = origin()
    let effects = machine.handle(open(2))
    let token = try #require(tokenTold(effects))
    #expect(machine.wake == machine.time.instant + Limits.streamAcceptTime)
    #expect(
      machine.handle(.streamAccepted(token: token, client: c2, user: 1000)) == [
        .join(c2, StreamID(peer: desktop, number: 2), FirstLimits(accepting: Limits.streamFirstWindow)),
        .sendOfStream(.opened(Opened(stream: 2, limit: Limits.streamFirstWindow)), to: desktop),
      ]
    )
    #expect(machine.wake == nil)
    #expect(machine.handle(.streamAccepted(token: token, client: c3, user: 1000)) == [.fail(c3, .streamNotFound)])
  }

  @Test func onlyWhoContinuedItMayOpen() {
    var machine = origin()
    #expect(machine.handle(open(2, from: tablet)) == [reset(2, .activityNotFound, to: tablet)])
    #expect(machine.handle(open(4, 9)) == [reset(4, .activityNotFound)])
    machine.publish(Names.rich(2), client: 2)
    #expect(machine.handle(open(6, 2)) == [reset(6, .activityNotFound)])
  }

  @Test func noneBeginsToAUserWhoHasLeftTheTeam() throws {
    var machine = origin()
    let token = try #require(tokenTold(machine.handle(open(2))))
    // Another user of this machine stays in the team.
    #expect(machine.handle(.teamsChanged([Names.team: [1001]])).contains(reset(2, .activityNotFound)))
    #expect(machine.handle(.streamAccepted(token: token, client: c2, user: 1000)) == [.fail(c2, .streamNotFound)])
    #expect(machine.handle(open(4)) == [reset(4, .activityNotFound)])
  }

  @Test func anActivityMustSupportStreams() {
    var machine = origin(streams: false)
    #expect(machine.handle(open(2)) == [reset(2, .streamsNotSupported)])
  }

  @Test func onlyTheUserOfTheActivityAccepts() throws {
    var machine = origin()
    let effects = machine.handle(open(2))
    let token = try #require(tokenTold(effects))
    for user: UserID in [1001, 0] {
      #expect(machine.handle(.streamAccepted(token: token, client: c2, user: user)) == [.fail(c2, .streamNotFound)])
    }
    #expect(machine.handle(.streamAccepted(token: "x", client: c2, user: 1000)) == [.fail(c2, .streamNotFound)])
    #expect(machine.handle(.streamAccepted(token: token, client: c2, user: 1000)).count == 2)
  }

  @Test func theAppMustAcceptInTime() throws {
    var machine = origin()
    let effects = machine.handle(open(2))
    let token = try #require(tokenTold(effects))
    #expect(machine.pass(Limits.streamAcceptTime - .nanoseconds(1)) == [])
    #expect(machine.pass(.nanoseconds(1)) == [reset(2, .appTimedOut)])
    #expect(machine.handle(.streamAccepted(token: token, client: c2, user: 1000)) == [.fail(c2, .streamNotFound)])
  }

  @Test func anAppThatLeavesAcceptsNothing() {
    var machine = origin()
    #expect(told(open(2), &machine) != nil)
    #expect(machine.handle(.clientLeft(c1)) == [reset(2, .streamReset)])
    #expect(machine.wake == nil)
    #expect(machine.handle(open(4)) == [reset(4, .activityNotFound)])
  }

  @Test func aResetBeforeAcceptanceEndsIt() throws {
    var machine = origin()
    let effects = machine.handle(open(2))
    let token = try #require(tokenTold(effects))
    #expect(machine.handle(resetReceived(2, .streamReset)) == [])
    #expect(machine.handle(.streamAccepted(token: token, client: c2, user: 1000)) == [.fail(c2, .streamNotFound)])
  }

  @Test func theAppMayAcceptBetweenSessions() throws {
    var machine = origin()
    let effects = machine.handle(open(2))
    let token = try #require(tokenTold(effects))
    #expect(machine.handle(.sessionEnded(desktop, .peerUnreachable)) == [])
    #expect(
      machine.handle(.streamAccepted(token: token, client: c2, user: 1000))
        == [.join(c2, StreamID(peer: desktop, number: 2), FirstLimits(accepting: Limits.streamFirstWindow))]
    )
  }

  @Test func theAppIsAskedOnce() throws {
    var machine = origin()
    let effects = machine.handle(open(2))
    let token = try #require(tokenTold(effects))
    _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
    machine.connect(desktop)
    #expect(machine.handle(open(2)) == [])
    #expect(machine.handle(.streamAccepted(token: token, client: c2, user: 1000)).count == 2)
    #expect(told(open(4), &machine) != nil)
  }

  @Test(arguments: [1, 2] as [UInt64]) func aPeerThatStopsOrBeginsAnewWaitsForNothing(epoch: UInt64) throws {
    var machine = origin()
    let effects = machine.handle(open(2))
    let token = try #require(tokenTold(effects))
    _ = machine.handle(.sessionEnded(desktop, epoch == 1 ? .shuttingDown : .peerUnreachable))
    machine.connect(desktop, epoch: epoch)
    #expect(machine.handle(.streamAccepted(token: token, client: c2, user: 1000)) == [.fail(c2, .streamNotFound)])
    #expect((told(open(2), &machine) != nil) == (epoch == 2), "A daemon that began anew numbers from the start")
  }

  @Test func onePeerWaitsForSoManyAndNoMore() {
    var machine = origin()
    for number in 1...UInt32(Limits.openingStreamsPerPeer) { #expect(machine.handle(open(2 * number)).count == 1) }
    #expect(machine.handle(open(1000)) == [reset(1000, .streamLimitReached)])
    _ = machine.handle(resetReceived(2, .streamReset))
    #expect(told(open(1002), &machine) != nil)
  }

  @Test func allPeersWaitForSoManyAndNoMore() {
    var machine = Machine(teams: [Names.team: [0, 1000, 1001]])
    // User 1000 gets the share of one user, and user 1001 the rest of what the two can have. Then only root gets any.
    let share = Limits.openingStreamShare
    let all = share.total - share.forRoot - share.forOthers
    let expected: [UserID: Int] = [1000: share.perUser, 1001: all - share.perUser, 0: share.total - all]
    var number: UInt8 = 0
    for user in [1000, 1001, 0] as [UserID] {
      var waiting = 0
      for _ in 0...(share.total / Limits.openingStreamsPerPeer) {
        number += 1
        let peer = Names.peer(number)
        machine.connect(peer)
        machine.publish(Names.rich(UInt64(number)), client: UInt64(number), user: user)
        machine.giveAway(Names.id(UInt64(number)), to: peer)
        for stream in 1...UInt32(Limits.openingStreamsPerPeer) {
          let effects = machine.handle(open(2 * stream, UInt64(number), from: peer))
          if effects == [reset(2 * stream, .streamLimitReached, to: peer)] { continue }
          waiting += 1
          #expect(machine.continuation.waitingStreams.count(of: user) == waiting)
        }
      }
      #expect(waiting == expected[user], "User \(user)")
    }
    let waiting = expected.keys.map { machine.continuation.waitingStreams.count(of: $0) }
    #expect(waiting.reduce(0, +) == Limits.openingStreams)
  }

  @Test func oneUserOpensSoManyAndNoMore() {
    var machine = Machine()
    let share = Limits.openingStreamShare
    var (opened, refused) = (0, 0)
    for number in 1...UInt8(share.perUser / Limits.openingStreamsPerPeer + 1) {
      machine.connect(Names.peer(number))
      machine.take(Names.rich(UInt64(number)), from: Names.peer(number))
      for _ in 0..<Limits.openingStreamsPerPeer {
        let effects = machine.handle(
          .streamRequested(Names.id(UInt64(number)), client: ClientID(1000), user: 1000)
        )
        if effects == [.fail(ClientID(1000), .streamLimitReached)] { refused += 1 } else { opened += 1 }
      }
    }
    #expect(opened == share.perUser && refused == Limits.openingStreamsPerPeer)
    machine.connect(Names.peer(200))
    machine.take(Names.rich(200), from: Names.peer(200), user: 1001)
    let effects = machine.handle(.streamRequested(Names.id(200), client: c2, user: 1001))
    #expect(effects.contains { if case .sendOfStream = $0 { true } else { false } }, "Another user has room")
  }

  @Test(arguments: [1, 3, UInt32.max] as [UInt32]) func numbersOfThisSideAreNotThePeers(number: UInt32) {
    var machine = origin()
    #expect(machine.handle(open(number)) == [reset(number, .protocolViolation)])
  }

  @Test func numbersAreNotUsedAgain() {
    var machine = origin()
    #expect(told(open(4), &machine) != nil)
    #expect(machine.handle(open(4)) == [], "It waits for the app")
    #expect(machine.handle(open(2)) == [reset(2, .streamInterrupted)])
    #expect(told(open(6), &machine) != nil)
  }
}
