/// Pauses between attempts, each twice the one before.
struct Backoff {
  private let range: ClosedRange<Duration>
  private var pause: Duration

  init(_ range: ClosedRange<Duration>) {
    self.range = range
    pause = range.lowerBound
  }

  /// How long to wait before the next attempt.
  mutating func next() -> Duration {
    defer { pause = min(pause * 2, range.upperBound) }
    return pause
  }

  mutating func reset() { pause = range.lowerBound }
}
