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
  package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
    defer { due = min(due * 2, bounds.upperBound) }
    return due * Double.random(in: 0.5...1, using: &generator)
  }

  /// The same, with the system's randomness.
  package mutating func next() -> Duration {
    var generator = SystemRandomNumberGenerator()
    return next(using: &generator)
  }

  /// An attempt succeeded.
  package mutating func reset() { due = bounds.lowerBound }
}
