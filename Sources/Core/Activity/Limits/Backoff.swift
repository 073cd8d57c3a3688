// SPDX-License-Identifier: Apache-2.0

/// Pauses between attempts, each up to twice the previous one, with jitter. This prevents peers that lost a machine at
/// the same time from all coming back at the same time.
package struct Backoff: Equatable, Sendable {
  private let bounds: ClosedRange<Duration>
  private var due: Duration

  /// - Parameter bounds: The first pause, and the longest.
  package init(_ bounds: ClosedRange<Duration>) {
    self.bounds = bounds
    due = bounds.lowerBound
  }

  /// Returns the pause before the next attempt: between half of the pause that is due and all of it.
  ///
  /// - Parameter jitter: The share of it, 0.5 to 1. It is random unless a test sets it.
  package mutating func next(jitter: Double = .random(in: 0.5...1)) -> Duration {
    defer { due = min(due * 2, bounds.upperBound) }
    return due * jitter
  }

  /// Starts again with the first pause, because an attempt succeeded.
  package mutating func reset() { due = bounds.lowerBound }
}
