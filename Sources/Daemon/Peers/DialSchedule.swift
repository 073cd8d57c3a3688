import Activity

/// When one peer is tried again after a failure: each pause is twice the one before, with jitter, so that machines which
/// lost one another at once do not all call at once.
struct DialSchedule: Equatable {
  private var pause = Limits.dialBackoff.lowerBound

  /// The pause before the next attempt: between half of what is due and all of it.
  mutating func failed(using generator: inout some RandomNumberGenerator) -> Duration {
    let due = pause
    pause = min(pause * 2, Limits.dialBackoff.upperBound)
    return due * Double.random(in: 0.5...1, using: &generator)
  }

  mutating func succeeded() { self = DialSchedule() }
}
