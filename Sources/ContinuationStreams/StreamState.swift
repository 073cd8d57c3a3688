import EventLoop
import Foundation

/// What one stream knows of itself. Nothing here waits: `StreamCore` does, without its lock.
struct StreamState {
  /// What became of an attempt to read or write.
  enum Attempt {
    /// What the app gets.
    case done(Int)
    /// The socket has no bytes, or no space.
    case blocked(StreamSocket)
    /// The stream is over, and until the deadline it may become known how it ended.
    case unsettled(until: ContinuousClock.Instant)
  }

  let direction: StreamCore.Direction
  let outcome: StreamOutcome
  /// `.notOpen`, `.open`, `.atEnd`, `.error` or `.closed`.
  var status = Stream.Status.notOpen
  /// Nil with `.error` while it is not known why.
  var error: (any Error)?
  /// Until the stream is closed.
  var socket: StreamSocket?
  /// To be read first.
  var leftover: ArraySlice<UInt8> = []
  /// Until when the outcome is waited for; nil while nobody needs it.
  var deadline: ContinuousClock.Instant?
  /// Of threads that wait for the socket.
  var wakeup: Wakeup?
  /// Of who waits on the loop.
  var watch: StreamWatch?

  // For StreamState+Events.swift.
  var recipient = Recipient()
  var schedules: [RunLoopSchedule] = []
  var isOpenDue = false
  /// Whether the delegate has used what it was told last, and is to be told of bytes or space again.
  var isArmed = true
  var isLastDue = false
  /// Whether it is worth looking at the socket.
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

  /// - Parameter error: Nil where the outcome has to tell.
  mutating func fail(_ error: (any Error)?) {
    status = .error
    self.error = error
    isLastDue = true
    if error == nil { settleError() }
  }

  /// Gives the error its reason, where that is known by now or never will be.
  mutating func settleError() {
    guard status == .error, error == nil, let ending = settledOutcome() else { return }
    if case .broken(let reason) = ending { error = reason } else { error = StreamFailure.connectionLost }
  }

  /// How the direction that we read ended, its bytes being used up; nil while that is not known.
  mutating func inputEnding() -> StreamOutcome.Ending? {
    // A daemon whose stream breaks closes the socket. An end while the socket is half open is one that the other app
    // meant.
    guard let socket, socket.isHungUp else { return .whole }
    return settledOutcome()
  }

  /// Whether nothing more will become known of how the stream ended.
  var isSettled: Bool { outcome.ending != nil || deadline.map { $0 <= .now } == true }

  /// The outcome; nil while it may still become known.
  private mutating func settledOutcome() -> StreamOutcome.Ending? {
    deadline = deadline ?? .now + outcome.time
    if let ending = outcome.ending { return ending }
    guard isSettled else { return nil }
    // After the end of our direction, the other side's end looks as if it had closed the socket; the daemon still has
    // bytes of ours then, and the stream goes on.
    return socket?.hasOutput == false ? .whole : .broken(StreamFailure.connectionLost)
  }
}
