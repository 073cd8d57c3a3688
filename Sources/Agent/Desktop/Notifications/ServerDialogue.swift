// SPDX-License-Identifier: Apache-2.0

import Activity

/// What is known of the program that shows notifications, and what it was asked last. Each kind of notifications has a
/// dialogue of its own.
///
/// One notification is sent after the other: the next when the server has replied, or has not replied for
/// `notificationReplyTime`. If there is no server, or it refuses, the pauses become longer.
package struct ServerDialogue: Sendable {
  /// The time from showing a notification until the server answers, which takes milliseconds. The next notification
  /// waits no longer than this.
  static let notificationReplyTime = Duration.seconds(20)

  /// The number that a server gives to a notification.
  package typealias NotificationID = UInt32
  /// Identifies one notification that was sent, so that its result can be reported.
  package typealias Request = UInt64
  typealias Instant = ContinuousClock.Instant

  enum Server: Equatable, Sendable {
    /// It is not known whether there is one.
    case unknown
    case asked
    case ready
    /// There is none. It is asked again when there is something new or a sign of a server.
    case missing
  }

  enum Readiness: Equatable, Sendable {
    case ready
    /// The server must be looked for first.
    case asks
    case waits
  }

  private(set) var habits = ServerHabits.unknown
  /// Nothing is asked or sent before this instant.
  private(set) var retryAt: Instant?
  private var server = Server.unknown
  private var backoff = Backoff(Limits.notificationBackoff)
  /// The notification whose reply is awaited before another is sent, and since when.
  private var awaited: (request: Request, since: Instant)?
  private var lastRequest: Request = 0

  /// Whether there is a server, or one can be looked for.
  var isPossible: Bool { server == .ready || server == .unknown }

  var isAwaitingReply: Bool { awaited != nil }

  /// When the reply that is awaited is late; nil if none is.
  var replyDeadline: Instant? { awaited.map { $0.since + Self.notificationReplyTime } }

  // MARK: What the server says

  /// Forgets all about the server.
  ///
  /// - Parameter next: Whether there may be another one.
  mutating func forget(_ next: Server) {
    server = next
    backoff.reset()
    (retryAt, awaited) = (nil, nil)
    habits = .unknown
  }

  mutating func isReady() { if server == .asked { server = .ready } }

  mutating func isLike(_ habits: ServerHabits) { if server == .asked { self.habits = habits } }

  mutating func isMissing(_ now: Instant) {
    guard server == .asked else { return }
    server = .missing
    pause(now)
  }

  mutating func replied(to request: Request) { if awaited?.request == request { awaited = nil } }

  /// Called when the server has shown something that it should.
  mutating func succeeded() {
    backoff.reset()
    retryAt = nil
  }

  /// Called when the server has refused something.
  mutating func pause(_ now: Instant) { retryAt = now + backoff.next(jitter: 1) }

  /// No longer waits for a reply that is late.
  ///
  /// - Returns: Whether one was.
  mutating func giveUp(at now: Instant) -> Bool {
    guard let replyDeadline, replyDeadline <= now else { return false }
    awaited = nil
    return true
  }

  // MARK: What it is asked

  /// Someone may have started a server in the meantime.
  mutating func lookAgain() { if server == .missing { server = .unknown } }

  /// Whether something can be sent now. Counts the server as asked if it must be.
  mutating func readiness(at now: Instant) -> Readiness {
    guard (retryAt ?? now) <= now else { return .waits }
    if server == .unknown {
      server = .asked
      return .asks
    }
    return server == .ready ? .ready : .waits
  }

  /// Returns the name of the next notification, whose reply is awaited.
  mutating func send(at now: Instant) -> Request {
    lastRequest += 1
    awaited = (lastRequest, now)
    return lastRequest
  }
}
