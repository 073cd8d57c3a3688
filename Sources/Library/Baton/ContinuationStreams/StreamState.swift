// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation

/// The state of one stream. Nothing here waits; `StreamCore` does, without its lock.
struct StreamState {
  /// The result of an attempt to read or write.
  enum Attempt {
    /// The number that the app gets.
    case done(Int)
    /// The socket has no bytes, or no space.
    case blocked(StreamSocket)
    /// The stream has ended. Until the deadline, it may become known how.
    case unsettled(until: ContinuousClock.Instant)
  }

  let direction: StreamCore.Direction
  let outcome: StreamOutcome
  /// `.notOpen`, `.open`, `.atEnd`, `.error` or `.closed`.
  var status = Stream.Status.notOpen
  /// The error. Nil with the status `.error` means that the reason is not known yet.
  var error: (any Error)?
  /// The socket. Nil once the stream is closed.
  var socket: StreamSocket?
  /// Bytes to be read first.
  var leftover: ArraySlice<UInt8> = []
  /// Until when to wait for the outcome. Nil while nobody needs it.
  var deadline: ContinuousClock.Instant?
  /// Wakes threads that wait for the socket.
  var wakeup: Wakeup?
  /// Waits on the loop for the delegate's events.
  var watch: StreamWatch?

  // For StreamState+Events.swift.
  var recipient = EventRecipient()
  var schedules: [RunLoopSchedule] = []
  var isOpenDue = false
  /// Whether the delegate has used the bytes or space that it was last told about, and must be told again.
  var isArmed = true
  var isLastDue = false
  /// Whether the socket should be checked.
  var isReady = false
  var isWatching = false
  var isAskingOutcome = false

  init(_ direction: StreamCore.Direction, _ outcome: StreamOutcome) {
    self.direction = direction
    self.outcome = outcome
  }

  mutating func end() {
    status = .atEnd
    isLastDue = true
  }

  /// - Parameter error: Nil if the outcome must contain the reason.
  mutating func fail(_ error: (any Error)?) {
    status = .error
    self.error = error
    isLastDue = true
    if error == nil { settleError() }
  }

  /// Sets the error's reason if it is known by now, or never will be.
  mutating func settleError() {
    guard status == .error, error == nil, let ending = settledOutcome() else { return }
    if case .broken(let reason) = ending { error = reason } else { error = StreamFailure.connectionLost }
  }

  /// Returns how the direction that we read ended, after all its bytes were read. Nil while that is not known.
  mutating func inputEnding() -> StreamOutcome.Ending? {
    // A daemon whose stream breaks closes the socket. If the socket is still half open, the other app ended its
    // direction on purpose.
    guard let socket, socket.isHungUp || outcome.isGivenUp else { return .whole }
    return settledOutcome()
  }

  /// Whether nothing more will become known about how the stream ended.
  var isSettled: Bool { outcome.ending != nil || deadline.map { $0 <= .now } == true }

  /// Returns the outcome. Nil while it may still become known.
  private mutating func settledOutcome() -> StreamOutcome.Ending? {
    deadline = deadline ?? .now + outcome.time
    if let ending = outcome.ending { return ending }
    guard isSettled else { return nil }
    // After we have ended our direction, the end of the other side's direction looks as if it had closed the socket.
    // The daemon then still has bytes of ours, and the stream continues.
    return socket?.hasOutput == false ? .whole : .broken(StreamFailure.connectionLost)
  }
}
