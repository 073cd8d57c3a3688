// SPDX-License-Identifier: Apache-2.0

import Activity

/// What one side does with one continuation stream (Protocol.md section 7), without the session, the app's socket and
/// the bytes. It decides when to send, when to end, and whether the stream is complete; ``StreamFlow`` counts for it.
///
/// Three things go on at the same time:
///
/// - The session: `joined → suspended → resuming → joined`; a session that is lost while `resuming` → `suspended`.
///   From any of these → `over`. Late events after `over` are normal.
/// - The app's socket: `absent → attached → ended`. It is ended when it has everything that the peer's app wrote.
/// - Whether the app is there: `present → leaving → left`. `expected` comes before `present` if the app has said that
///   it will ask how the stream ends. Until it asks, and while it is `leaving`, the end of its socket means nothing,
///   because the kernel closes the descriptors of a killed process one after the other.
package struct StreamEndpoint: Equatable, Sendable {
  /// How long a stream waits for the next session if the last one went through a relay. The relay may be the only
  /// path, and start again; or both sides must find each other at a server first.
  package static let relayedStreamResumeTime = Duration.seconds(120)
  /// The time from the start of a stream until its app awaits the end, if the app announced that. Also the time from
  /// the start of a daemon that takes over streams until their apps ask again.
  package static let streamReturnTime = Duration.seconds(10)
  /// The time from the end of a program's stream to the end of its call that awaits it, if the program was killed. The
  /// kernel closes one right after the other.
  package static let appExitTime = Duration.milliseconds(200)

  private enum State: Equatable, Sendable {
    /// Both sides know how far the other has come.
    case joined(Told)
    /// There is a session, and the peer has not yet said how far it has come.
    case resuming(Told)
    case suspended(until: ContinuousClock.Instant)
    case over
  }

  /// What the peer was told in this session.
  private struct Told: Equatable {
    /// That this side's app writes no more.
    var finish = false
    /// That this side's app has everything, and the end.
    var delivery = false
  }

  private enum Socket { case absent, attached, ended }

  private enum Presence: Equatable {
    case expected(until: ContinuousClock.Instant)
    case present
    /// Its socket is closed. A program that waits for the stream's end has until then to hang up as well.
    case leaving(until: ContinuousClock.Instant)
    /// It closed its socket itself.
    case left
  }

  private let number: UInt32
  package private(set) var flow: StreamFlow
  private var state = State.joined(Told())
  private var socket = Socket.absent
  private var presence = Presence.present

  /// - Parameters:
  ///   - number: The stream's number on its sessions.
  ///   - flow: How far the stream has come.
  package init(number: UInt32, flow: StreamFlow) {
    self.number = number
    self.flow = flow
  }

  package var isOver: Bool { if case .over = state { true } else { false } }

  /// Whether the app has said that it will ask how the stream ends, and has not asked yet.
  package var expectsApp: Bool { if case .expected = presence { true } else { false } }

  /// When ``Event/wake`` is due next.
  package var deadline: ContinuousClock.Instant? {
    let session: ContinuousClock.Instant?
    switch state {
    case .over: return nil
    case .suspended(let until): session = until
    case .joined, .resuming: session = nil
    }
    switch presence {
    case .expected(let until), .leaving(let until): return session.map { min($0, until) } ?? until
    case .present, .left: return session
    }
  }

  package var outgoing: Outgoing {
    guard case .joined = state else { return .nothing }
    if flow.repeatable > 0 { return .again }
    return flow.sendable > 0 ? .new(flow.sendable) : .nothing
  }

  // MARK: Events

  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    if isOver { return [] }
    switch event {
    case .sessionBegan: return beginSession()
    case .sessionLost, .relayedSessionLost:
      let patience = event == .relayedSessionLost ? Self.relayedStreamResumeTime : Limits.streamResumeTime
      state = .suspended(until: now + patience)
      return [.suspend]
    case .attached:
      socket = .attached
      return [.pump, .deliver]
    case .read(let count):
      flow.sent(count)
      return [.sendData(count)]
    case .readAgain(let count):
      flow.repeated(count)
      return [.sendData(count)] + sendFinish()
    case .readEnd(let app): return finishSending(app, now)
    case .wrote(let count):
      let progress = flow.took(count)
      return (progress.map { [acknowledge($0)] } ?? []) + deliverEnd()
    case .quiet: return flow.isAcknowledgementDue && told != nil ? [acknowledge(flow.report())] : []
    case .widened(let count):
      flow.widen(by: count)
      return told == nil || flow.hasFinishedReceiving ? [] : [acknowledge(flow.report())]
    case .looked(let app): return look(at: app, now)
    case .unread: return [.watchApp(true)]
    case .allRead: return delivered()
    case .appChanged: return lookAgain()
    case .appExpected:
      presence = .expected(until: now + Self.streamReturnTime)
      return []
    case .appAsked:
      if expectsApp { presence = .present }
      return [.pump, .deliver]
    case .waiterLeft: return socket == .absent ? [] : [.watchApp(true)] + lookAgain()
    case .wake: return wake(now)
    case .socketFailed: return giveUp(.streamReset)
    case .giveUp(let reason): return giveUp(reason)
    case .abandon(let reason): return end(reason)
    case .leave:
      state = .over
      return []
    }
  }

  /// Takes bytes of the peer, which the shell holds until ``Effect/deliver``.
  ///
  /// - Throws: `Reason.protocolViolation` if the peer may not send them.
  package mutating func received(_ count: UInt64, at offset: UInt64) throws(Reason) {
    try flow.received(count, at: offset)
  }

  /// See `StreamFlow.wantedGrowth(roundTrip:at:)`.
  package mutating func wantedGrowth(
    roundTrip: @autoclosure () -> Duration,
    at now: ContinuousClock.Instant
  ) -> UInt64? {
    isOver || flow.hasFinishedReceiving ? nil : flow.wantedGrowth(roundTrip: roundTrip(), at: now)
  }

  /// Takes a message about this stream.
  ///
  /// - Throws: `Reason.protocolViolation` if the peer may not send it.
  package mutating func receive(_ message: StreamMessage) throws(Reason) -> [Effect] {
    if isOver { return [] }
    switch message {
    case .open(let open): return try resumed(StreamFlow.Progress(received: 0, limit: open.limit ?? Limits.streamWindow))
    case .resume(let resume): return try resumed(resume.progress)
    case .acknowledge(let acknowledge):
      try flow.acknowledged(acknowledge.progress)
      return flow.isComplete ? end(nil) : [.pump]
    case .finish(let finish):
      try flow.receivedFinish(length: finish.length)
      return [.deliver]
    case .reset(let reset): return end(reset.reason)
    case .opened: return []
    }
  }

  // MARK: The session

  private mutating func beginSession() -> [Effect] {
    let progress = flow.report()
    state = .resuming(Told(delivery: progress.isFinished))
    return [.send(.resume(Resume(stream: number, progress: progress)))]
  }

  private mutating func resumed(_ progress: StreamFlow.Progress) throws(Reason) -> [Effect] {
    guard case .resuming(let told) = state else { throw .protocolViolation }
    try flow.resumed(progress)
    state = .joined(told)
    return [.resumed] + sendFinish() + [.pump, .deliver] + endIfComplete()
  }

  private var told: Told? {
    switch state {
    case .joined(let told), .resuming(let told): told
    case .suspended, .over: nil
    }
  }

  private mutating func tell(_ told: Told) {
    switch state {
    case .joined: state = .joined(told)
    case .resuming: state = .resuming(told)
    case .suspended, .over: break
    }
  }

  // MARK: From the app to the peer

  private mutating func finishSending(_ app: AppCondition, _ now: ContinuousClock.Instant) -> [Effect] {
    if app.isAbandoned { return giveUp(.streamReset) }
    guard isIntended(app, now) else { return [] }
    flow.finishSending()
    return sendFinish()
  }

  /// Tells the peer, once in each session, that nothing follows what was sent.
  private mutating func sendFinish() -> [Effect] {
    guard case .joined(var told) = state, !told.finish, flow.hasFinishedSending, flow.repeatable == 0 else { return [] }
    told.finish = true
    tell(told)
    return [.send(.finish(Finish(stream: number, length: flow.sentCount)))]
  }

  // MARK: From the peer to the app

  /// Whether the app's socket has taken everything that the peer's app has written.
  private var hasWrittenAll: Bool { flow.hasFinishedReceiving && flow.heldCount == 0 }

  private func acknowledge(_ progress: StreamFlow.Progress) -> Effect {
    .send(.acknowledge(Acknowledge(stream: number, progress: progress)))
  }

  private mutating func deliverEnd() -> [Effect] {
    guard hasWrittenAll else { return [] }
    switch socket {
    case .absent: return []
    case .attached: return [.lookAtApp]
    case .ended: return flow.isDelivered ? reportDelivery() + endIfComplete() : [.checkDelivery]
    }
  }

  private mutating func delivered() -> [Effect] {
    guard hasWrittenAll, socket == .ended else { return [] }
    flow.delivered()
    return [.watchApp(false)] + reportDelivery() + endIfComplete()
  }

  /// Tells the peer, once in each session, that the app has read everything.
  private mutating func reportDelivery() -> [Effect] {
    guard var told, !told.delivery else { return [] }
    told.delivery = true
    tell(told)
    return [acknowledge(flow.report())]
  }

  // MARK: The app's presence

  private mutating func lookAgain() -> [Effect] {
    guard socket != .absent else { return [] }
    return hasWrittenAll ? deliverEnd() : [.lookAtApp]
  }

  private mutating func look(at app: AppCondition, _ now: ContinuousClock.Instant) -> [Effect] {
    if app.hasHungUp, app.isAbandoned { return giveUp(.streamReset) }
    guard socket == .attached, hasWrittenAll, !app.hasHungUp || isIntended(app, now) else { return [] }
    socket = .ended
    return [.endSocket, .checkDelivery]
  }

  /// Whether an app whose socket has ended meant that. If that is not known yet, it will be in a moment, and both
  /// directions are then checked again.
  private mutating func isIntended(_ app: AppCondition, _ now: ContinuousClock.Instant) -> Bool {
    switch presence {
    case .expected: return false
    case .left: return true
    case .present, .leaving:
      guard socket != .ended, app.hasHungUp, app.isAwaited else { return true }
      if presence == .present { presence = .leaving(until: now + Self.appExitTime) }
      return false
    }
  }

  // MARK: The end

  /// The earliest deadline counts, although several may have passed.
  private mutating func wake(_ now: ContinuousClock.Instant) -> [Effect] {
    guard let deadline, deadline <= now else { return [] }
    switch presence {
    case .expected(deadline): return giveUp(.streamReset)
    case .leaving(deadline):
      presence = .left
      return [.pump, .deliver]
    default: return end(.streamInterrupted)
    }
  }

  private mutating func giveUp(_ reason: Reason) -> [Effect] {
    [.send(.reset(Reset(stream: number, reason: reason)))] + end(reason)
  }

  private mutating func endIfComplete() -> [Effect] { flow.isComplete ? end(nil) : [] }

  private mutating func end(_ reason: Reason?) -> [Effect] {
    state = .over
    let answer: StreamMessage =
      if let reason {
        .reset(Reset(stream: number, reason: reason))
      } else {
        .resume(Resume(stream: number, progress: flow.report()))
      }
    return [.end(reason, answer: answer)]
  }
}
