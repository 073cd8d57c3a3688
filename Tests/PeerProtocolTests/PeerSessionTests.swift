// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import MessageSamples
import Testing

struct PeerSessionTests {
  private let start = ContinuousClock.now
  private let ours = Hello(minimum: 1, maximum: 1, device: "laptop", epoch: 1, revocations: 0)
  private let theirs = Hello(minimum: 1, maximum: 1, device: "desktop", epoch: 2, revocations: 0)
  private let offer = Message.handoff(.offer(Offer(activity: Sample.offered, counter: 1)))
  private let violation: [PeerSession.Effect] = [
    .send(.bye(Bye(reason: .protocolViolation))), .end(.protocolViolation),
  ]

  private func opened() -> PeerSession {
    var session = PeerSession(hello: ours)
    _ = session.handle(.opened, at: start)
    return session
  }

  private func greeted() -> PeerSession {
    var session = opened()
    _ = session.handle(.received(.session(.hello(theirs))), at: start)
    return session
  }

  /// Returns a session that both sides accepted at `start`.
  private func ready() -> PeerSession {
    var session = greeted()
    _ = session.handle(.received(.session(.accepted(Accepted(version: 1)))), at: start)
    return session
  }

  private func after(_ duration: Duration) -> ContinuousClock.Instant { start + duration }

  // MARK: Opening

  @Test func helloComesFirst() {
    var session = PeerSession(hello: ours)
    #expect(session.handle(.opened, at: start) == [.send(.hello(ours)), .wake(at: start + Limits.acceptTime)])
    #expect(!session.isReady)
  }

  @Test func aGoodHelloIsAccepted() {
    var session = opened()
    #expect(session.handle(.received(.session(.hello(theirs))), at: start) == [.send(.accepted(Accepted(version: 1)))])
    #expect(!session.isReady)
  }

  @Test func bothAcceptedIsReady() {
    var session = greeted()
    #expect(
      session.handle(.received(.session(.accepted(Accepted(version: 1)))), at: after(.seconds(1)))
        == [.ready(theirs), .wake(at: after(.seconds(1)) + PeerSession.pingInterval)]
    )
    #expect(session.isReady)
  }

  @Test(arguments: [(2, 3), (0, 0), (2, UInt64.max)] as [(UInt64, UInt64)])
  func versionsWithoutAnyInCommonAreRefused(minimum: UInt64, maximum: UInt64) {
    var session = opened()
    let other = Hello(minimum: minimum, maximum: maximum, device: "x", epoch: 1, revocations: 0)
    #expect(
      session.handle(.received(.session(.hello(other))), at: start)
        == [.send(.refused(Refused(reason: .versionMismatch))), .end(.versionMismatch)]
    )
  }

  @Test func theGreatestCommonVersionIsAccepted() {
    var session = PeerSession(hello: Hello(minimum: 1, maximum: 4, device: "x", epoch: 1, revocations: 0))
    _ = session.handle(.opened, at: start)
    let other = Hello(minimum: 2, maximum: 3, device: "y", epoch: 1, revocations: 0)
    #expect(session.handle(.received(.session(.hello(other))), at: start) == [.send(.accepted(Accepted(version: 3)))])
    var wrong = session
    #expect(wrong.handle(.received(.session(.accepted(Accepted(version: 2)))), at: start) == violation)
    #expect(session.handle(.received(.session(.accepted(Accepted(version: 3)))), at: start).first == .ready(other))
  }

  @Test func beingRefusedEndsTheSession() {
    var session = greeted()
    #expect(
      session.handle(.received(.session(.refused(Refused(reason: .certificateRevoked)))), at: start) == [
        .end(.certificateRevoked)
      ]
    )
  }

  @Test func versionsInTheWrongOrderAreAViolation() {
    var session = opened()
    let other = Hello(minimum: 2, maximum: 1, device: "x", epoch: 1, revocations: 0)
    #expect(session.handle(.received(.session(.hello(other))), at: start) == violation)
  }

  @Test func aNameMayBeSoLongAndNoLonger() {
    let longest = String(repeating: "n", count: Limits.deviceNameLength)
    var session = opened()
    var other = session
    let good = Hello(minimum: 1, maximum: 1, device: longest, epoch: 1, revocations: 0)
    #expect(session.handle(.received(.session(.hello(good))), at: start) == [.send(.accepted(Accepted(version: 1)))])
    let bad = Hello(minimum: 1, maximum: 1, device: longest + "n", epoch: 1, revocations: 0)
    #expect(other.handle(.received(.session(.hello(bad))), at: start) == violation)
  }

  // MARK: Wrong order

  /// All messages except those that end a session in any state.
  private static let others = Sample.all.map(\.message).filter {
    switch $0 {
    case .session(.bye), .session(.refused): false
    default: true
    }
  }

  @Test(arguments: others) func nothingPrecedesHello(message: Message) {
    guard case .session(.hello) = message else {
      var session = opened()
      #expect(session.handle(.received(message), at: start) == violation)
      #expect(session.handle(.received(.session(.hello(theirs))), at: start) == [])
      return
    }
  }

  @Test(arguments: others) func onlyAcceptedFollowsHello(message: Message) {
    guard case .session(.accepted) = message else {
      var session = greeted()
      #expect(session.handle(.received(message), at: start) == violation)
      return
    }
  }

  @Test func anotherVersionThanTheCommonOneIsAViolation() {
    var session = greeted()
    #expect(session.handle(.received(.session(.accepted(Accepted(version: 2)))), at: start) == violation)
  }

  @Test func bytesOfStreamsMustWaitUntilReady() {
    var session = opened()
    #expect(session.handle(.receivedData, at: start) == violation)
    session = greeted()
    #expect(session.handle(.receivedData, at: start) == violation)
  }

  @Test func helloAndAcceptedComeOnce() {
    var session = ready()
    #expect(session.handle(.received(.session(.hello(theirs))), at: start) == violation)
    session = ready()
    #expect(session.handle(.received(.session(.accepted(Accepted(version: 1)))), at: start) == violation)
    session = ready()
    #expect(session.handle(.received(.session(.refused(Refused(reason: .otherTeam)))), at: start) == violation)
  }

  @Test func nothingIsSaidBeforeTheConnectionIsOpen() {
    var session = PeerSession(hello: ours)
    #expect(session.handle(.received(.session(.hello(theirs))), at: start) == [.end(.protocolViolation)])
    session = PeerSession(hello: ours)
    #expect(session.handle(.leave(.shuttingDown), at: start) == [.end(.shuttingDown)])
    session = PeerSession(hello: ours)
    #expect(session.handle(.wake, at: start) == [])
  }

  // MARK: Deadlines

  @Test func acceptanceHasADeadline() {
    for session in [opened(), greeted()] {
      var session = session
      let early = start + Limits.acceptTime - .nanoseconds(1)
      #expect(session.handle(.wake, at: early) == [.wake(at: start + Limits.acceptTime)])
      #expect(
        session.handle(.wake, at: start + Limits.acceptTime)
          == [.send(.bye(Bye(reason: .handshakeTimedOut))), .end(.handshakeTimedOut)]
      )
    }
  }

  @Test func aSilentPeerIsPinged() {
    var session = ready()
    let due = start + PeerSession.pingInterval
    #expect(session.handle(.wake, at: due - .nanoseconds(1)) == [.wake(at: due)])
    #expect(session.handle(.wake, at: due) == [.send(.ping(Ping(number: 1))), .wake(at: due + PeerSession.pongTime)])
  }

  @Test func aPeerThatMayBeGoneHasAShortTimeToAnswer() {
    var session = ready()
    let due = start + .seconds(5) + PeerSession.quickPongTime
    let ping = PeerSession.Effect.send(.ping(Ping(number: 1)))
    #expect(session.handle(.probe, at: start + .seconds(5)) == [ping, .wake(at: due)])
    // A second reason to ask does not give the peer more time.
    #expect(
      session.handle(.probe, at: start + .seconds(6)) == [.send(.ping(Ping(number: 2))), .wake(at: due)]
    )
    let farewell = PeerSession.Effect.send(.bye(Bye(reason: .peerTimedOut)))
    #expect(session.handle(.wake, at: due) == [farewell, .end(.peerTimedOut)])
  }

  @Test func aPeerThatAnswersIsLeftAlone() {
    var session = ready()
    _ = session.handle(.probe, at: start)
    _ = session.handle(.received(.session(.pong(Pong(number: 1)))), at: start + .seconds(1))
    let next = start + .seconds(1) + PeerSession.pingInterval
    #expect(session.handle(.wake, at: start + PeerSession.quickPongTime) == [.wake(at: next)])
  }

  @Test func onlyAReadySessionIsProbed() {
    var session = PeerSession(hello: ours)
    #expect(session.handle(.probe, at: start) == [])
    _ = session.handle(.opened, at: start)
    #expect(session.handle(.probe, at: start) == [])
  }

  @Test func aPeerThatAnswersNoPingIsGone() {
    var session = ready()
    let due = start + PeerSession.pingInterval
    _ = session.handle(.wake, at: due)
    let end = due + PeerSession.pongTime
    #expect(session.handle(.wake, at: end - .nanoseconds(1)) == [.wake(at: end)])
    #expect(session.handle(.wake, at: end) == [.send(.bye(Bye(reason: .peerTimedOut))), .end(.peerTimedOut)])
  }

  @Test func anythingReceivedIsASignOfLife() {
    let due = start + PeerSession.pingInterval
    let signs: [PeerSession.Event] = [.received(.session(.pong(Pong(number: 1)))), .received(offer), .receivedData]
    for sign in signs {
      var session = ready()
      _ = session.handle(.wake, at: due)
      let heard = due + .seconds(1)
      _ = session.handle(sign, at: heard)
      let next = heard + PeerSession.pingInterval
      #expect(session.handle(.wake, at: due + PeerSession.pongTime) == [.wake(at: next)], "\(sign)")
      #expect(
        session.handle(.wake, at: next) == [.send(.ping(Ping(number: 2))), .wake(at: next + PeerSession.pongTime)],
        "\(sign)"
      )
    }
  }

  @Test func aTalkativePeerIsNeverPinged() {
    var session = ready()
    var wake = start + PeerSession.pingInterval
    var now = start
    while now < start + .seconds(300) {
      now += .seconds(7)
      while wake <= now {
        let effects = session.handle(.wake, at: wake)
        guard case .wake(let next)? = effects.first else {
          Issue.record("It did \(effects)")
          return
        }
        #expect(next > wake)
        wake = next
      }
      _ = session.handle(.receivedData, at: now)
    }
  }

  @Test func aPingIsAnswered() {
    var session = ready()
    #expect(
      session.handle(.received(.session(.ping(Ping(number: 99)))), at: start)
        == [.send(.pong(Pong(number: 99))), .wake(at: start + PeerSession.pingInterval)]
    )
  }

  /// An idle machine wakes up to ask, and for nothing else; and the other machine does not ask, too.
  @Test func oneSideAsksAndNobodyWakesForNothing() {
    var asker = ready()
    var other = PeerSession(hello: theirs)
    for event in [.opened, .received(.session(.hello(ours)))] as [PeerSession.Event] {
      _ = other.handle(event, at: start)
    }
    var otherWake = start + PeerSession.pingInterval + PeerSession.pingCourtesy
    #expect(
      other.handle(.received(.session(.accepted(Accepted(version: 1)))), at: start) == [
        .ready(ours), .wake(at: otherWake),
      ]
    )
    var wake = start + PeerSession.pingInterval
    for number in 1...50 {
      let (asked, answered) = (wake + .milliseconds(1), wake + .milliseconds(2))
      let ping = Ping(number: UInt64(number)), pong = Pong(number: UInt64(number))
      #expect(asker.handle(.wake, at: wake) == [.send(.ping(ping)), .wake(at: wake + PeerSession.pongTime)])
      #expect(otherWake > asked)
      otherWake = asked + PeerSession.pingInterval + PeerSession.pingCourtesy
      #expect(other.handle(.received(.session(.ping(ping))), at: asked) == [.send(.pong(pong)), .wake(at: otherWake)])
      wake = answered + PeerSession.pingInterval
      #expect(asker.handle(.received(.session(.pong(pong))), at: answered) == [.wake(at: wake)])
    }
    // An asker that is gone is missed.
    let ping = PeerSession.Effect.send(.ping(Ping(number: 1)))
    #expect(other.handle(.wake, at: otherWake) == [ping, .wake(at: otherWake + PeerSession.pongTime)])
  }

  // MARK: Ready

  @Test(arguments: Sample.all) func messagesAreDeliveredOnceReady(sample: Sample) {
    var session = ready()
    switch sample.message {
    case .session(.hello), .session(.accepted), .session(.refused), .session(.bye), .session(.ping), .session(.pong):
      break
    default: #expect(session.handle(.received(sample.message), at: start) == [.deliver(sample.message)])
    }
  }

  // MARK: The end

  @Test func byeNamesTheReasonOfTheOtherSide() {
    for session in [opened(), greeted(), ready()] {
      var session = session
      #expect(session.handle(.received(.session(.bye(Bye(reason: .sessionIdle)))), at: start) == [.end(.sessionIdle)])
      #expect(!session.isReady)
    }
  }

  @Test func leavingSaysBye() {
    for session in [opened(), greeted(), ready()] {
      var session = session
      #expect(
        session.handle(.leave(.shuttingDown), at: start)
          == [.send(.bye(Bye(reason: .shuttingDown))), .end(.shuttingDown)]
      )
    }
  }

  @Test func aLostConnectionIsAPeerOutOfReach() {
    for session in [PeerSession(hello: ours), opened(), greeted(), ready()] {
      var session = session
      #expect(session.handle(.lost, at: start) == [.end(.peerUnreachable)])
    }
  }

  @Test func lateEventsAreSilent() {
    var session = ready()
    _ = session.handle(.leave(.sessionIdle), at: start)
    let events: [PeerSession.Event] =
      Sample.all.map { .received($0.message) } + [.receivedData, .wake, .leave(.shuttingDown), .lost, .opened]
    for event in events { #expect(session.handle(event, at: after(.seconds(100))) == [], "\(event)") }
  }
}
