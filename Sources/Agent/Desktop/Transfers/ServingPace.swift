import Activity

/// When the receiver of a transfer may have another stream. Each one lets this machine look at all files that it sends,
/// so a receiver that opens streams and breaks them waits ever longer.
package struct ServingPace: Sendable {
  private var backoff = Backoff(Limits.servedStreamBackoff)
  private var began: ContinuousClock.Instant?
  /// Nil if it may have one at any time.
  package private(set) var next: ContinuousClock.Instant?

  package init() {}

  /// A stream begins.
  package mutating func begin(at now: ContinuousClock.Instant) {
    // It was used, whoever broke it.
    if let began, now - began >= Limits.usedStreamTime { backoff.reset() }
    began = now
    next = now + backoff.next(jitter: 1)
  }
}
