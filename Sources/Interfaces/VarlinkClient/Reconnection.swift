// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides when a standing call is made, replaced, and made again.
///
/// A call stands from its first reply until it ends. An attempt is a call without a reply yet. There can be both,
/// because a call that stands stays until the attempt to replace it succeeds.
///
/// Legal transitions of the attempt:
/// - any state → `calling`, on `.call`; `waiting` → `calling`, on `.wake`
/// - `calling` → `none`, with the first reply: from now on, this call stands
/// - `calling` → `waiting`, if the call fails
/// - `none` → `waiting`, if the call that stood ends; any state → `waiting`, on `.pause`
/// - any state → `none`, on `.settle` and `.stop`
///
/// Late events, and events of calls that were released, are normal.
package struct Reconnection: Sendable {
  /// The first and the longest pause between an app's attempts to reach a daemon that has disconnected. A restart takes
  /// a second.
  package static let reconnectBackoff = Duration.milliseconds(100)...Duration.seconds(5)

  /// Identifies one call.
  package typealias Number = UInt64

  package enum Event: Equatable, Sendable {
    /// Make a call now. It replaces an attempt immediately, and a call that stands with its first reply.
    case call
    case replied(Number)
    /// A call could not be made, or has ended. The next one follows after `pause`; if that is nil, after the back-off.
    case failed(Number, ControlError, pause: Duration? = nil)
    /// Give up every call, and make the next one after the back-off.
    case pause
    case wake
    /// Attempt nothing more. A call that stands stays.
    case settle
    /// Give up every call.
    case stop
  }

  package enum Effect: Equatable, Sendable {
    case call(Number)
    /// Close the call's connection.
    case release(Number)
    /// Send `.wake` at this instant, which replaces any earlier one. Nil: do not send it at all.
    case wake(at: ContinuousClock.Instant?)
    /// The call that stood has ended.
    case tellLost
    /// No call stands, or the one that stands could not be replaced. The next attempt is planned.
    case tellFailed(ControlError)
  }

  private enum Attempt: Equatable {
    case none
    case calling(Number)
    case waiting
  }

  private var standing: Number?
  private var attempt = Attempt.none
  private var last: Number = 0
  private var backoff = Backoff(Self.reconnectBackoff)
  private let random: @Sendable () -> Double

  /// - Parameter random: Returns a number from 0 to 1, which is random unless a test chooses it.
  package init(random: @escaping @Sendable () -> Double = { .random(in: 0...1) }) { self.random = random }

  package var isStanding: Bool { standing != nil }
  package var isCalling: Bool { if case .calling = attempt { true } else { false } }
  package var isWaiting: Bool { attempt == .waiting }

  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    switch event {
    case .call: return call()
    case .replied(let number): return replied(number)
    case .failed(let number, let error, let pause): return failed(number, error, pause, now)
    case .pause: return release() + [wait(nil, now)]
    case .wake:
      guard isWaiting else { return [] }
      attempt = .none
      return call()
    case .settle: return settle()
    case .stop: return settle() + release()
    }
  }

  /// The new attempt comes first, so that no moment is without a connection.
  private mutating func call() -> [Effect] {
    last += 1
    defer { attempt = .calling(last) }
    switch attempt {
    case .none: return [.call(last)]
    case .calling(let previous): return [.call(last), .release(previous)]
    case .waiting: return [.wake(at: nil), .call(last)]
    }
  }

  private mutating func replied(_ number: Number) -> [Effect] {
    guard attempt == .calling(number) else { return [] }
    let previous = standing
    standing = number
    attempt = .none
    backoff.reset()
    return previous.map { [.release($0)] } ?? []
  }

  private mutating func failed(
    _ number: Number,
    _ error: ControlError,
    _ pause: Duration?,
    _ now: ContinuousClock.Instant
  ) -> [Effect] {
    if attempt == .calling(number) { return [.release(number), wait(pause, now), .tellFailed(error)] }
    guard standing == number else { return [] }
    standing = nil
    // If another attempt is being made, it reports how it ends.
    guard !isCalling else { return [.release(number), .tellLost] }
    return [.release(number), wait(pause, now), .tellLost, .tellFailed(error)]
  }

  private mutating func wait(_ pause: Duration?, _ now: ContinuousClock.Instant) -> Effect {
    let due = backoff.next(jitter: 0.5 + random() / 2)
    attempt = .waiting
    return .wake(at: now + (pause ?? due))
  }

  private mutating func settle() -> [Effect] {
    defer { attempt = .none }
    return switch attempt {
    case .none: []
    case .calling(let number): [.release(number)]
    case .waiting: [.wake(at: nil)]
    }
  }

  /// Gives up every call. A pause goes on.
  private mutating func release() -> [Effect] {
    var effects: [Effect] = []
    if case .calling(let number) = attempt {
      attempt = .none
      effects.append(.release(number))
    }
    if let standing { effects.append(.release(standing)) }
    standing = nil
    return effects
  }
}
