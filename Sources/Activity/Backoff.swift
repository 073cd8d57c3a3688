/// Pauses between attempts, each up to twice the one before, with jitter: those who lost somebody at once do not all come
/// back at once.
package struct Backoff: Equatable, Sendable {
  private let bounds: ClosedRange<Duration>
  private var due: Duration

  /// - Parameter bounds: The first pause, and the longest.
  package init(_ bounds: ClosedRange<Duration>) {
    self.bounds = bounds
    due = bounds.lowerBound
  }

  /// The pause before the next attempt: between half of what is due and all of it.
  ///
  /// - Parameter jitter: The share of it, 0.5 to 1; at random unless a test says it.
  package mutating func next(jitter: Double = .random(in: 0.5...1)) -> Duration {
    defer { due = min(due * 2, bounds.upperBound) }
    return due * jitter
  }

  /// An attempt succeeded.
  package mutating func reset() { due = bounds.lowerBound }
}
