// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import MessageSamples
import Testing

struct StreamEndpointTests {
  typealias Event = StreamEndpoint.Event
  typealias Effect = StreamEndpoint.Effect
  typealias Progress = StreamFlow.Progress

  private static let start = ContinuousClock.now
  private static let window = Limits.streamFirstWindow
  private static let there = StreamEndpoint.AppCondition(hasHungUp: false, isAwaited: true, isAbandoned: false)
  private static let gone = StreamEndpoint.AppCondition(hasHungUp: true, isAwaited: false, isAbandoned: false)
  private static let leaving = StreamEndpoint.AppCondition(hasHungUp: true, isAwaited: true, isAbandoned: false)
  private static let killed = StreamEndpoint.AppCondition(hasHungUp: true, isAwaited: false, isAbandoned: true)

  /// What has happened to an endpoint before a test.
  private enum Step: Sendable {
    case event(Event)
    case message(StreamMessage)
    case data(UInt64)
    case time(Duration)
  }

  private static func endpoint(_ steps: [Step]) throws -> (StreamEndpoint, now: ContinuousClock.Instant) {
    var endpoint = StreamEndpoint(number: 3, flow: StreamFlow())
    var now = start
    for step in steps {
      switch step {
      case .event(let event): _ = endpoint.handle(event, at: now)
      case .message(let message): _ = try endpoint.receive(message)
      case .data(let count): try endpoint.received(count, at: endpoint.flow.receivedCount)
      case .time(let duration): now += duration
      }
    }
    return (endpoint, now)
  }

  private static func resume(_ received: UInt64, isFinished: Bool = false) -> StreamMessage {
    .resume(Resume(stream: 3, progress: Progress(received: received, limit: window + received, isFinished: isFinished)))
  }

  private static func acknowledge(_ received: UInt64, isFinished: Bool = false) -> StreamMessage {
    .acknowledge(
      Acknowledge(stream: 3, progress: Progress(received: received, limit: window + received, isFinished: isFinished))
    )
  }

  private static func finish(_ length: UInt64) -> StreamMessage { .finish(Finish(stream: 3, length: length)) }

  private static func ended(_ reason: Reason) -> Effect {
    .end(reason, answer: .reset(Reset(stream: 3, reason: reason)))
  }

  private static func givenUp(_ reason: Reason) -> [Effect] {
    [.send(.reset(Reset(stream: 3, reason: reason))), ended(reason)]
  }

  // MARK: Transitions

  private static let joined: [Step] = [.event(.attached)]
  private static let suspended = joined + [.event(.sessionLost)]
  private static let relayed = joined + [.event(.relayedSessionLost)]
  private static let resuming = suspended + [.event(.sessionBegan)]
  private static let over = joined + [.event(.abandon(.streamInterrupted))]
  private static let expecting = joined + [.event(.appExpected)]
  /// The app wrote 10 bytes, and no more.
  private static let finished = joined + [.event(.read(10)), .event(.readEnd(there))]
  /// The app's socket has the peer's 10 bytes, and their end is about to follow.
  private static let written = joined + [.data(10), .message(finish(10)), .event(.wrote(10))]
  /// The app's socket has the end as well.
  private static let told = written + [.event(.looked(there))]

  private static let transitions: [([Step], Event, [Effect])] = [
    // The session.
    (joined, .sessionLost, [.suspend]),
    (joined, .relayedSessionLost, [.suspend]),
    (suspended, .sessionBegan, [.send(resume(0))]),
    (resuming, .sessionLost, [.suspend]),
    // From the app to the peer.
    ([], .attached, [.pump, .deliver]),
    (joined, .read(10), [.sendData(10)]),
    (joined + [.event(.read(10))], .read(5), [.sendData(5)]),
    (joined + [.event(.read(10))], .readEnd(there), [.send(finish(10))]),
    (joined, .readEnd(gone), [.send(finish(0))]),
    (joined, .readEnd(killed), givenUp(.streamReset)),
    (joined, .socketFailed, givenUp(.streamReset)),
    // From the peer to the app.
    (joined + [.data(10)], .wrote(10), []),
    (
      joined + [.data(window / 2)], .wrote(window / 2),
      [
        .send(
          .acknowledge(Acknowledge(stream: 3, progress: Progress(received: window / 2, limit: window + window / 2)))
        )
      ]
    ),
    (joined + [.data(10), .message(finish(10))], .wrote(9), []),
    (joined + [.data(10), .message(finish(10))], .wrote(10), [.lookAtApp]),
    ([.message(finish(0))], .wrote(0), []),
    (written, .looked(there), [.endSocket, .checkDelivery]),
    (written, .looked(gone), [.endSocket, .checkDelivery]),
    (written, .looked(killed), givenUp(.streamReset)),
    (told, .wrote(0), [.checkDelivery]),
    (told, .unread, [.watchApp(true)]),
    (told, .appChanged, [.checkDelivery]),
    (told, .allRead, [.watchApp(false), .send(acknowledge(10, isFinished: true))]),
    (told + [.event(.allRead)], .wrote(0), []),
    (told + [.event(.sessionLost)], .allRead, [.watchApp(false)]),
    (told + [.event(.allRead), .event(.sessionLost)], .sessionBegan, [.send(resume(10, isFinished: true))]),
    // Whether the app is there.
    (joined, .waiterLeft, [.watchApp(true), .lookAtApp]),
    ([], .waiterLeft, []),
    (joined, .appChanged, [.lookAtApp]),
    (joined, .looked(there), []),
    (joined, .looked(gone), []),
    (joined, .looked(killed), givenUp(.streamReset)),
    (expecting, .readEnd(there), []),
    (expecting + [.event(.appAsked)], .readEnd(there), [.send(finish(0))]),
    (expecting, .appAsked, [.pump, .deliver]),
    (joined, .readEnd(leaving), []),
    (written, .looked(leaving), []),
    (joined + [.event(.readEnd(leaving))], .readEnd(gone), [.send(finish(0))]),
    (joined + [.event(.readEnd(leaving))], .readEnd(killed), givenUp(.streamReset)),
    (joined + [.event(.readEnd(leaving)), .time(StreamEndpoint.appExitTime)], .wake, [.pump, .deliver]),
    (
      joined + [.event(.readEnd(leaving)), .time(StreamEndpoint.appExitTime), .event(.wake)], .readEnd(leaving),
      [
        .send(finish(0))
      ]
    ),
    (told, .readEnd(leaving), [.send(finish(0))]),
    // The end.
    (joined, .giveUp(.streamLimitReached), givenUp(.streamLimitReached)),
    (joined, .abandon(.streamInterrupted), [ended(.streamInterrupted)]),
    (joined, .wake, []),
    (suspended + [.time(Limits.streamResumeTime - .nanoseconds(1))], .wake, []),
    (suspended + [.time(Limits.streamResumeTime)], .wake, [ended(.streamInterrupted)]),
    (relayed + [.time(StreamEndpoint.relayedStreamResumeTime - .nanoseconds(1))], .wake, []),
    (relayed + [.time(StreamEndpoint.relayedStreamResumeTime)], .wake, [ended(.streamInterrupted)]),
    (resuming + [.time(Limits.streamResumeTime)], .wake, []),
    (expecting + [.time(StreamEndpoint.streamReturnTime)], .wake, givenUp(.streamReset)),
    (expecting + [.event(.appAsked), .time(StreamEndpoint.streamReturnTime)], .wake, []),
    (expecting + [.event(.sessionLost), .time(Limits.streamResumeTime)], .wake, givenUp(.streamReset)),
    (joined, .leave, []),
  ]

  @Test(arguments: transitions.indices) func eachEventHasItsEffects(index: Int) throws {
    let (steps, event, effects) = Self.transitions[index]
    var (endpoint, now) = try Self.endpoint(steps)
    #expect(endpoint.handle(event, at: now) == effects)
  }

  private static let messages: [([Step], StreamMessage, [Effect]?)] = [
    (joined, resume(0), nil),
    (suspended, resume(0), nil),
    (resuming, resume(0), [.resumed, .pump, .deliver]),
    (resuming, .open(Open(stream: 3, activity: Sample.offered.id)), [.resumed, .pump, .deliver]),
    (resuming + [.message(resume(0))], resume(0), nil),
    (resuming, resume(1), nil),
    (
      finished + [.event(.sessionLost), .event(.sessionBegan)], resume(10),
      [
        .resumed, .send(finish(10)), .pump, .deliver,
      ]
    ),
    (finished + [.event(.sessionLost), .event(.sessionBegan)], resume(4), [.resumed, .pump, .deliver]),
    (joined + [.event(.read(10))], acknowledge(10), [.pump]),
    (joined + [.event(.read(10))], acknowledge(11), nil),
    (joined + [.event(.read(10))], acknowledge(10, isFinished: true), nil),
    (finished, acknowledge(10, isFinished: true), [.pump]),
    (joined + [.data(10)], finish(10), [.deliver]),
    (joined + [.data(10)], finish(9), nil),
    (joined, .reset(Reset(stream: 3, reason: .streamReset)), [ended(.streamReset)]),
    (over, resume(0), []),
  ]

  /// The effects are nil if the message breaks the rules.
  @Test(arguments: messages.indices) func eachMessageHasItsEffects(index: Int) throws {
    let (steps, message, effects) = Self.messages[index]
    var (endpoint, _) = try Self.endpoint(steps)
    if let effects {
      #expect(try endpoint.receive(message) == effects)
    } else {
      #expect(throws: Reason.protocolViolation) { try endpoint.receive(message) }
    }
  }

  private static let allowances: [([Step], StreamEndpoint.Outgoing)] = [
    (joined, .new(window)),
    (joined + [.event(.read(10))], .new(window - 10)),
    (joined + [.event(.read(window))], .nothing),
    (finished, .nothing),
    (suspended, .nothing),
    (resuming, .nothing),
    (resuming + [.message(resume(0))], .new(window)),
    (joined + [.event(.read(10)), .event(.sessionLost), .event(.sessionBegan), .message(resume(4))], .again),
    (finished + [.event(.sessionLost), .event(.sessionBegan), .message(resume(4)), .event(.readAgain(6))], .nothing),
    (over, .nothing),
  ]

  @Test(arguments: allowances.indices) func onlyAJoinedStreamSends(index: Int) throws {
    let (steps, outgoing) = Self.allowances[index]
    #expect(try Self.endpoint(steps).0.outgoing == outgoing)
  }

  private static let deadlines: [([Step], Duration?)] = [
    (joined, nil),
    (suspended, Limits.streamResumeTime),
    (relayed, StreamEndpoint.relayedStreamResumeTime),
    // A session through a relay took its place, and is lost, too; or the other way round.
    (suspended + [.event(.sessionBegan), .event(.relayedSessionLost)], StreamEndpoint.relayedStreamResumeTime),
    (relayed + [.event(.sessionBegan), .event(.sessionLost)], Limits.streamResumeTime),
    (resuming, nil),
    (expecting, StreamEndpoint.streamReturnTime),
    (expecting + [.event(.sessionLost)], min(StreamEndpoint.streamReturnTime, Limits.streamResumeTime)),
    (expecting + [.event(.appAsked)], nil),
    (joined + [.event(.readEnd(leaving))], StreamEndpoint.appExitTime),
    // The time to leave is not given twice.
    (
      joined + [.event(.readEnd(leaving)), .time(.milliseconds(1)), .event(.readEnd(leaving))],
      StreamEndpoint.appExitTime
    ),
    (joined + [.event(.readEnd(leaving)), .time(StreamEndpoint.appExitTime), .event(.wake)], nil),
    (over, nil),
    (suspended + [.event(.leave)], nil),
  ]

  @Test(arguments: deadlines.indices) func eachWaitHasItsDeadline(index: Int) throws {
    let (steps, duration) = Self.deadlines[index]
    #expect(try Self.endpoint(steps).0.deadline == duration.map { Self.start + $0 })
  }

  // MARK: Rules

  @Test func whatMustBeSentAgainPrecedesTheFinish() throws {
    var (endpoint, now) = try Self.endpoint(
      Self.finished + [.event(.sessionLost), .event(.sessionBegan), .message(Self.resume(4))]
    )
    #expect(endpoint.handle(.readAgain(5), at: now) == [.sendData(5)])
    #expect(endpoint.handle(.readAgain(1), at: now) == [.sendData(1), .send(Self.finish(10))])
  }

  @Test func aStreamIsCompleteWhenBothAppsHaveReadEverything() throws {
    let answer = StreamMessage.resume(
      Resume(stream: 3, progress: Progress(received: 10, limit: Self.window + 10, isFinished: true))
    )
    let sent: [Step] = [.event(.read(10)), .event(.readEnd(Self.there))]
    // This side's app reads last.
    var (endpoint, now) = try Self.endpoint(Self.told + sent + [.message(Self.acknowledge(10, isFinished: true))])
    #expect(!endpoint.isOver)
    #expect(
      endpoint.handle(.allRead, at: now)
        == [.watchApp(false), .send(Self.acknowledge(10, isFinished: true)), .end(nil, answer: answer)]
    )
    // The peer's app reads last.
    (endpoint, now) = try Self.endpoint(Self.told + sent + [.event(.allRead)])
    #expect(!endpoint.isOver)
    #expect(try endpoint.receive(Self.acknowledge(10, isFinished: true)) == [.end(nil, answer: answer)])
    // The peer says so in the next session.
    (endpoint, now) = try Self.endpoint(
      Self.told + sent + [.event(.allRead), .event(.sessionLost), .event(.sessionBegan)]
    )
    #expect(try endpoint.receive(Self.resume(10, isFinished: true)).last == .end(nil, answer: answer))
    #expect(endpoint.isOver)
  }

  @Test func aStreamThatIsLeftToTheNextDaemonSaysWhetherItsAppIsExpected() throws {
    #expect(try !Self.endpoint(Self.joined).0.expectsApp)
    #expect(try Self.endpoint(Self.expecting).0.expectsApp)
    #expect(try !Self.endpoint(Self.expecting + [.event(.appAsked)]).0.expectsApp)
  }

  private static let events: [Event] = [
    .sessionBegan, .sessionLost, .relayedSessionLost, .attached, .readEnd(there), .wrote(0), .socketFailed,
    .looked(there), .unread,
    .allRead, .appChanged, .appExpected, .appAsked, .waiterLeft, .wake, .giveUp(.streamReset),
    .abandon(.streamInterrupted), .leave,
  ]

  @Test(arguments: events) func nothingFollowsTheEnd(event: Event) throws {
    for steps in [Self.over, Self.joined + [.event(.leave)]] {
      var (endpoint, now) = try Self.endpoint(steps)
      #expect(endpoint.handle(event, at: now) == [])
      #expect(endpoint.isOver)
    }
  }
}
