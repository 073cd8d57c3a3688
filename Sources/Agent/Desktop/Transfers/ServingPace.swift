// SPDX-License-Identifier: Apache-2.0

import Activity

/// When the receiver of a transfer may have another stream. Each one lets this machine look at all files that it sends,
/// so a receiver that opens streams and breaks them waits ever longer.
package struct ServingPace: Sendable {
  /// The pauses before another stream of a machine to which files are sent is served. Each one lets this machine look
  /// at all of them.
  private static let servedStreamBackoff = Duration.seconds(1)...Duration.seconds(10)
  /// After this time, a stream was used, and the pauses begin again.
  package static let usedStreamTime = Duration.seconds(60)

  private var backoff = Backoff(Self.servedStreamBackoff)
  private var began: ContinuousClock.Instant?
  /// Nil if it may have one at any time.
  package private(set) var next: ContinuousClock.Instant?

  package init() {}

  /// A stream begins.
  package mutating func begin(at now: ContinuousClock.Instant) {
    // It was used, whoever broke it.
    if let began, now - began >= Self.usedStreamTime { backoff.reset() }
    began = now
    next = now + backoff.next(jitter: 1)
  }
}
