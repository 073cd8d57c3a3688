/// Pauses between attempts, each up to twice the one before, with jitter: programs that lost the daemon at once do not all
/// come back at once.
struct Backoff: Equatable {
  private let bounds: ClosedRange<Duration>
  private var due: Duration

  init(_ bounds: ClosedRange<Duration>) {
    self.bounds = bounds
    due = bounds.lowerBound
  }

  /// The pause before the next attempt: between half of what is due and all of it.
  mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
    defer { due = min(due * 2, bounds.upperBound) }
    return due * Double.random(in: 0.5...1, using: &generator)
  }

  mutating func reset() { due = bounds.lowerBound }
}
