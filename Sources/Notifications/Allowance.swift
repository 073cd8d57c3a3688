import Activity

/// How often one machine may tell people something: some notifications in a row, and one each so often after that.
///
/// What is over it is shown quietly, where nobody is disturbed, and that has an end, too. A machine that makes new offers for
/// ever is then heard of every few minutes.
struct Allowance: Equatable, Sendable {
  /// A bucket of tokens, told by the instant at which it is full again.
  struct Bucket: Equatable, Sendable {
    private let burst: Int
    private let interval: Duration
    private var fullAt: ContinuousClock.Instant?

    init(burst: Int, interval: Duration) {
      self.burst = burst
      self.interval = interval
    }

    /// When there is a token; in the past where there is one.
    func nextToken(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
      fullAt.map { $0 - interval * (burst - 1) } ?? now
    }

    func isFull(at now: ContinuousClock.Instant) -> Bool { fullAt.map { $0 <= now } ?? true }

    mutating func take(_ now: ContinuousClock.Instant) { fullAt = max(fullAt ?? now, now) + interval }
  }

  private var aloud = Bucket(burst: Limits.notificationBurst, interval: Limits.machineNotificationInterval)
  private var quiet = Bucket(burst: Limits.quietNotificationBurst, interval: Limits.quietNotificationInterval)

  /// Whether it may disturb people.
  func isAloud(at now: ContinuousClock.Instant) -> Bool { aloud.nextToken(now) <= now }

  /// When something may be shown quietly; in the past where it may be.
  func nextQuiet(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant { quiet.nextToken(now) }

  /// When anything may be shown that people were not told of.
  func nextNew(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    min(aloud.nextToken(now), quiet.nextToken(now))
  }

  mutating func take(isQuiet: Bool, _ now: ContinuousClock.Instant) {
    if isQuiet { quiet.take(now) } else { aloud.take(now) }
  }

  /// Nothing is to be remembered of it.
  func isFull(at now: ContinuousClock.Instant) -> Bool { aloud.isFull(at: now) && quiet.isFull(at: now) }
}
