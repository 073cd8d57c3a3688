import Activity
import PeerProtocol
import Testing

@testable import Continuation

struct StreamOpeningTests {
  private let desktop = Names.desktop
  private let tablet = Names.tablet
  private let id = Names.id(1)

  private func open(_ stream: UInt32, _ activity: UInt64 = 1, from peer: PeerID = Names.desktop) -> Continuation.Event {
    .received(.open(Open(stream: stream, activity: Names.id(activity))), from: peer)
  }

  private func reset(_ stream: UInt32, _ reason: Reason, to peer: PeerID = Names.desktop) -> Effect {
    .send(.reset(Reset(stream: stream, reason: reason)), to: peer)
  }

  private func resetReceived(_ stream: UInt32, _ reason: Reason) -> Continuation.Event {
    .received(.reset(Reset(stream: stream, reason: reason)), from: desktop)
  }

  // MARK: The receiver

  /// Activity 1 was continued from the desktop by user 1000.
  private func receiver(isFirst: Bool = true, streams: Bool = true) -> Machine {
    var machine = Machine()
    machine.connect(desktop, isFirst: isFirst)
    machine.take(Names.rich(1) { $0.supportsContinuationStreams = streams }, from: desktop)
    return machine
  }

  private func request(_ client: ClientID, _ user: UserID = 1000) -> Continuation.Event {
    .streamRequested(id, client: client, user: user)
  }

  @Test(arguments: [(true, [1, 3, 5]), (false, [2, 4, 6])] as [(Bool, [UInt32])])
  func numbersGrowAndAreOddOrEven(isFirst: Bool, numbers: [UInt32]) {
    var machine = receiver(isFirst: isFirst)
    for number in numbers {
      #expect(machine.handle(request(c1)) == [.send(.open(Open(stream: number, activity: id)), to: desktop)])
      _ = machine.handle(resetReceived(number, .streamReset))
    }
  }

  @Test func theAnswerJoins() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    #expect(
      machine.handle(.received(.opened(Opened(stream: 1, limit: 77)), from: desktop))
        == [.join(c1, StreamID(peer: desktop, number: 1), sendLimit: 77)]
    )
    #expect(machine.wake == nil)
    #expect(machine.handle(.received(.opened(Opened(stream: 1, limit: 77)), from: desktop)) == [])
  }

  @Test(arguments: [Reason.streamLimitReached, .appTimedOut, .activityNotFound])
  func aResetFailsWithItsReason(reason: Reason) {
    var machine = receiver()
    _ = machine.handle(request(c1))
    #expect(machine.handle(resetReceived(3, reason)) == [])
    #expect(machine.handle(resetReceived(1, reason)) == [.fail(c1, reason)])
    #expect(machine.handle(.received(.opened(Opened(stream: 1, limit: 1)), from: desktop)) == [])
  }

  @Test func onlyTheUserWhoContinuedAndRootMay() {
    var machine = receiver()
    #expect(machine.handle(request(c1, 1001)) == [.fail(c1, .activityNotFound)])
    #expect(machine.handle(request(c1, 0)) == [.send(.open(Open(stream: 1, activity: id)), to: desktop)])
    let other = Continuation.Event.streamRequested(Names.id(9), client: c2, user: 1000)
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
    #expect(machine.handle(request(c1)) == [.send(.open(Open(stream: 1, activity: id)), to: desktop)])
  }

  @Test func theOriginMustAnswerInTime() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    let time = Limits.streamAcceptTime + Limits.fetchTime
    #expect(machine.wake == machine.time.instant + time)
    #expect(machine.pass(time - .nanoseconds(1)) == [])
    #expect(machine.pass(.nanoseconds(1)) == [reset(1, .peerTimedOut), .fail(c1, .peerTimedOut)])
    #expect(machine.handle(.received(.opened(Opened(stream: 1, limit: 1)), from: desktop)) == [])
  }

  @Test func aProgramThatLeavesGivesItUp() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    #expect(machine.handle(.clientLeft(c1)) == [reset(1, .streamReset)])
    #expect(machine.wake == nil)
  }

  @Test(arguments: [Reason.peerUnreachable, .sessionIdle]) func aSessionThatEndsInterrupts(reason: Reason) {
    var machine = receiver()
    _ = machine.handle(request(c1))
    #expect(machine.handle(.sessionEnded(desktop, reason)) == [.fail(c1, .streamInterrupted)])
  }

  @Test func aSessionThatIsReplacedInterrupts() {
    var machine = receiver()
    _ = machine.handle(request(c1))
    #expect(
      machine.handle(.sessionReady(desktop, Names.hello(of: desktop), isFirst: false)) == [
        .fail(c1, .streamInterrupted)
      ]
    )
    #expect(machine.handle(request(c1)) == [.send(.open(Open(stream: 2, activity: id)), to: desktop)])
  }

  @Test func soManyAreOpenedAtOnceAndNoMore() {
    var machine = receiver()
    for number in 0..<Limits.streamsPerPeer {
      #expect(machine.handle(request(ClientID(UInt64(number + 100)))).count == 1)
    }
    #expect(machine.handle(request(c1)) == [.fail(c1, .streamLimitReached)])
    _ = machine.handle(resetReceived(3, .streamReset))
    #expect(machine.handle(request(c1)) == [.send(.open(Open(stream: 17, activity: id)), to: desktop)])
  }

  // MARK: The origin

  /// Activity 1 of client 1 and user 1000 was continued on the desktop. Its stream numbers are even.
  private func origin(streams: Bool = true) -> Machine {
    var machine = Machine()
    machine.connect(desktop)
    machine.connect(tablet)
    machine.publish(Names.rich(1) { $0.supportsContinuationStreams = streams })
    machine.giveAway(id, to: desktop)
    return machine
  }

  /// The token that the app got.
  private func tokenTold(_ effects: [Effect]) -> String? {
    guard effects.count == 1, case .tell(c1, .streamRequested(let token, "device 1"))? = effects.first else {
      return nil
    }
    return token
  }

  private func told(_ event: Continuation.Event, _ machine: inout Machine) -> String? {
    tokenTold(machine.handle(event))
  }

  @Test func theAppIsAskedAndAccepts() throws {
    var machine = origin()
    let effects = machine.handle(open(2))
    let token = try #require(tokenTold(effects))
    #expect(machine.wake == machine.time.instant + Limits.streamAcceptTime)
    #expect(
      machine.handle(.streamAccepted(token: token, client: c2, user: 1000)) == [
        .join(c2, StreamID(peer: desktop, number: 2), sendLimit: Limits.streamWindow),
        .send(.opened(Opened(stream: 2, limit: Limits.streamWindow)), to: desktop),
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

  @Test func aSessionThatEndsTakesItsStreamsAlong() throws {
    var machine = origin()
    let effects = machine.handle(open(2))
    let token = try #require(tokenTold(effects))
    #expect(machine.handle(.sessionEnded(desktop, .peerUnreachable)) == [])
    #expect(machine.handle(.streamAccepted(token: token, client: c2, user: 1000)) == [.fail(c2, .streamNotFound)])
    // On the next session who continued it may open again, with numbers from the start.
    machine.connect(desktop)
    #expect(told(open(2), &machine) != nil)
  }

  @Test func onePeerWaitsForSoManyAndNoMore() {
    var machine = origin()
    for number in 1...UInt32(Limits.streamsPerPeer) { #expect(machine.handle(open(2 * number)).count == 1) }
    #expect(machine.handle(open(100)) == [reset(100, .streamLimitReached)])
    _ = machine.handle(resetReceived(2, .streamReset))
    #expect(told(open(102), &machine) != nil)
  }

  @Test func allPeersWaitForSoManyAndNoMore() {
    var machine = Machine()
    var waiting = 0
    for number in 1...UInt8(Limits.streams / Limits.streamsPerPeer + 1) {
      let peer = Names.peer(number)
      machine.connect(peer)
      machine.publish(Names.rich(UInt64(number)), client: UInt64(number))
      machine.giveAway(Names.id(UInt64(number)), to: peer)
      for stream in 1...UInt32(Limits.streamsPerPeer) {
        let effects = machine.handle(open(2 * stream, UInt64(number), from: peer))
        if waiting < Limits.streams {
          waiting += 1
        } else {
          #expect(effects == [reset(2 * stream, .streamLimitReached, to: peer)])
        }
      }
    }
    #expect(machine.continuation.waitingStreams.count == Limits.streams)
  }

  @Test(arguments: [0, 1, 3, UInt32.max] as [UInt32]) func numbersOfThisSideAreNotThePeers(number: UInt32) {
    var machine = origin()
    #expect(machine.handle(open(number)) == [reset(number, .protocolViolation)])
  }

  @Test func numbersAreNotUsedAgain() {
    var machine = origin()
    #expect(told(open(4), &machine) != nil)
    #expect(machine.handle(open(4)) == [reset(4, .protocolViolation)])
    #expect(machine.handle(open(2)) == [reset(2, .protocolViolation)])
    #expect(told(open(6), &machine) != nil)
  }
}
