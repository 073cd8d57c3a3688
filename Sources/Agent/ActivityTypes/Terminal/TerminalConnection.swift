// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides at the receiver when streams to a shared session are opened, and when it is over.
///
/// Legal transitions:
/// - `opening` → `connected` → `waiting` → `opening` and so on, with `continuing` before `opening` if necessary
/// - `opening` → `over` if the first attempt fails; `opening` and `continuing` → `waiting` if a later one fails
/// - any state → `over`, when the origin says so, when the user leaves, or when the time is over
package struct TerminalConnection: Sendable {
  package enum Event: Equatable, Sendable {
    case begin
    case welcomed(TerminalWelcome)
    /// The stream ended before the origin said so, or could not be opened.
    case broke(Failure)
    /// What ``Effect/continueAgain`` asked for is done.
    case continuedAgain
    case ended(TerminalEnd)
    /// The user has typed something, which was sent.
    case typed
    /// The origin has sent output, which may be older than what the user has typed.
    case heard
    /// The origin has given the sign of life.
    case answered
    /// The user leaves the session, or interrupts the attempts to reach it.
    case left
    /// The user stops the program, and continues it later. The screen must be drawn again then.
    case stopped
    case resumed
    case wake
  }

  package enum Failure: Equatable, Sendable {
    /// The stream broke, or the origin could not be reached, or the daemon.
    case unreachable
    /// The origin was asked, and does not know that this machine has continued the activity.
    case unknown
    /// The origin is connected, and does not offer the activity.
    case notOffered
    case refused(Reason)
  }

  package enum Effect: Equatable, Sendable {
    /// Open a stream, and send a hello with this token.
    case open(token: String?)
    /// Fetch the activity again.
    case continueAgain
    case closeStream
    /// Tell the origin that the user leaves, and wait for its answer.
    case sendDetach
    /// Ask the origin for a sign of life.
    case sendPing
    /// Send ``Event/wake`` then; nil: do not send it at all.
    case wake(at: ContinuousClock.Instant?)
    /// The session cannot be seen at the moment.
    case tellBroken
    case tellConnected
    /// The origin does not answer what the user types.
    case tellSilent
    /// Let the origin draw everything again, because the user was told something meanwhile.
    case draw
    case finish(Outcome)
  }

  package enum Outcome: Equatable, Sendable {
    case ended(TerminalEnd.How, message: String?)
    /// The user left the session. If it is not confirmed, the origin finds out by itself.
    case left
    /// The user gave up while the session could not be reached.
    case interrupted
    /// The resume time is over.
    case lost
    /// The origin no longer shares the session.
    case notOffered
    case failed(Failure)
  }

  private enum State: Equatable {
    case opening
    case connected
    case waiting
    case continuing
    case stopped
    case leaving
    case over
  }

  /// What the user knows of an origin that is connected.
  private enum Silence: Equatable {
    case none
    /// The origin was asked for a sign of life.
    case asked
    /// It was asked, and has sent output since.
    case heard
    /// The user was told that the origin does not answer.
    case told
  }

  private var state = State.opening
  private var silence = Silence.none
  private var welcome: TerminalWelcome?
  private var backoff = Backoff(.milliseconds(250) ... .seconds(15))
  /// When the attempts end.
  private var deadline: ContinuousClock.Instant?
  /// Since when the origin answers that it does not offer the session.
  private var notOfferedSince: ContinuousClock.Instant?
  private let longestResumeTime: Duration
  private let random: @Sendable () -> Double

  /// The time in which the daemon at the origin starts again, and the session is offered again.
  package static let offerTime = Duration.seconds(60)
  /// The time from an attempt to the origin's welcome. Its app may take 15 s to accept a stream.
  package static let openTime = Duration.seconds(30)
  /// The time in which the origin answers what the user types, before the user is told that it does not. The daemon
  /// takes half a minute to find out that a connection is broken, and waits half a minute for the next one.
  package static let silentTime = Duration.seconds(5)
  /// The time in which the origin confirms that the user has left.
  package static let leaveTime = Duration.seconds(2)

  /// - Parameters:
  ///   - longestResumeTime: For how long the session is tried to be reached at most, whatever the origin says.
  ///   - random: Returns a number from 0 to 1, which is random unless a test chooses it.
  package init(
    longestResumeTime: Duration,
    random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.longestResumeTime = longestResumeTime
    self.random = random
  }

  /// Whether what the user types goes to the session.
  package var isConnected: Bool { state == .connected }

  /// Whether the session was seen, and cannot be seen at the moment.
  package var isBroken: Bool { welcome != nil && [.opening, .waiting, .continuing].contains(state) }

  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    guard state != .over else { return [] }
    switch event {
    case .begin: return [.wake(at: now + Self.openTime), .open(token: nil)]
    case .welcomed(let welcome): return welcomed(welcome)
    case .broke(let failure): return broke(failure, now)
    case .continuedAgain:
      guard state == .continuing else { return [] }
      return open(now)
    case .ended(let end): return finish(state == .leaving ? .left : .ended(end.how, message: end.message))
    case .typed:
      guard state == .connected, silence == .none else { return [] }
      return ask(now)
    case .heard:
      guard state == .connected else { return [] }
      if silence == .asked { silence = .heard }
      return silence == .told ? endSilence() : []
    case .answered: return state == .connected && silence != .none ? endSilence() : []
    case .left: return leave(now)
    case .stopped:
      guard state == .connected || isBroken else { return [] }
      state = .stopped
      deadline = deadline ?? now + resumeTime
      return [.wake(at: nil), .closeStream]
    case .resumed:
      guard state == .stopped else { return [] }
      return open(now)
    case .wake: return wake(now)
    }
  }

  private var resumeTime: Duration {
    min(.seconds(max(0, min(welcome?.resumeTime ?? 0, 100 * 86_400))), longestResumeTime)
  }

  private mutating func welcomed(_ welcome: TerminalWelcome) -> [Effect] {
    guard state == .opening else { return [] }
    self.welcome = welcome
    state = .connected
    silence = .none
    backoff.reset()
    deadline = nil
    notOfferedSince = nil
    return [.wake(at: nil), .tellConnected]
  }

  private mutating func broke(_ failure: Failure, _ now: ContinuousClock.Instant) -> [Effect] {
    switch state {
    case .leaving: return finish(.left)
    case .stopped, .waiting, .over: return []
    case .opening, .connected, .continuing: break
    }
    // What fails at the beginning fails for good.
    guard welcome != nil else { return finish(.failed(failure)) }
    if state == .connected { deadline = now + resumeTime }
    if failure == .unknown, state == .opening {
      state = .continuing
      return [.closeStream, .continueAgain]
    }
    if failure == .notOffered {
      let since = notOfferedSince ?? now
      notOfferedSince = since
      if now - since >= Self.offerTime { return finish(.notOffered) }
    } else {
      notOfferedSince = nil
    }
    guard let deadline, deadline > now else { return finish(.lost) }
    state = .waiting
    let pause = backoff.next(jitter: 0.5 + random() / 2)
    return [.closeStream, .wake(at: min(now + pause, deadline)), .tellBroken]
  }

  private mutating func ask(_ now: ContinuousClock.Instant) -> [Effect] {
    silence = .asked
    return [.sendPing, .wake(at: now + Self.silentTime)]
  }

  private mutating func endSilence() -> [Effect] {
    defer { silence = .none }
    return [.wake(at: nil)] + (silence == .told ? [.draw] : [])
  }

  private mutating func leave(_ now: ContinuousClock.Instant) -> [Effect] {
    switch state {
    case .connected:
      state = .leaving
      return [.sendDetach, .wake(at: now + Self.leaveTime)]
    case .leaving: return finish(.left)
    default: return finish(.interrupted)
    }
  }

  private mutating func wake(_ now: ContinuousClock.Instant) -> [Effect] {
    switch state {
    case .leaving: return finish(.left)
    case .waiting: return open(now)
    case .opening: return broke(.unreachable, now)
    case .connected:
      // An origin that has much to send gives no sign of life.
      if silence == .heard { return ask(now) }
      guard silence == .asked else { return [] }
      silence = .told
      return [.tellSilent]
    case .continuing, .stopped, .over: return []
    }
  }

  private mutating func open(_ now: ContinuousClock.Instant) -> [Effect] {
    guard let deadline, deadline > now else { return finish(.lost) }
    state = .opening
    return [.wake(at: min(now + Self.openTime, deadline)), .open(token: welcome?.token)]
  }

  private mutating func finish(_ outcome: Outcome) -> [Effect] {
    state = .over
    return [.wake(at: nil), .closeStream, .finish(outcome)]
  }
}
