import Activity
import ControlInterface
import EventLoop

/// What the daemon counts, for `GetStatus` and `GetMetrics`.
@Loop
final class Tally {
  private(set) var counters = Counters()

  func count(_ total: Counters.Total) { counters.count(total) }

  func count(_ cause: Counters.Cause, _ reason: Reason) { counters.count(cause, reason) }

  // MARK: Streams

  func streamBegan() { counters.count(.streamsBegun) }

  /// - Parameter reason: Nil where both directions were whole.
  func streamEnded(_ reason: Reason?) {
    guard let reason else { return counters.count(.streamsCompleted) }
    counters.count(.streamsBroken, reason)
  }

  /// A stream goes on over another session.
  func streamResumed() { counters.count(.streamsResumed) }

  /// Bytes that came from the peer and that went to it since this was called last.
  func streamMoved(in received: UInt64, out sent: UInt64) {
    counters.count(.streamBytesReceived, by: received)
    counters.count(.streamBytesSent, by: sent)
  }
}
