// SPDX-License-Identifier: Apache-2.0

/// How often one machine may notify people: a few notifications in a row, and after that one per interval.
///
/// Anything beyond that is shown quietly, without disturbing anyone, and quiet notifications are limited, too. So a
/// machine that keeps making new offers is heard of every few minutes.
///
/// What asks has an allowance of its own, because a person waits at the other end: it is never shown quietly first, and
/// what is beyond its allowance waits.
struct NotificationAllowance: Equatable, Sendable {
  /// The maximum number of new notifications that one machine may show in a row, for example while somebody goes
  /// through some apps there.
  static let notificationBurst = 8
  /// The time after those until the machine may disturb people once more. What it offers in the meantime is shown
  /// quietly.
  static let machineNotificationInterval = Duration.seconds(5 * 60)
  /// The maximum number of questions that one machine may ask in a row: as many as it can ask about files.
  static let questionBurst = 12
  /// The time after those until the next one. A person who sends more at the same time sends them together.
  static let questionInterval = Duration.seconds(60)
  /// The maximum number of quiet notifications, and of changes to those that are shown, that one machine may make in a
  /// row.
  static let quietNotificationBurst = 10
  /// The time after those until the next one.
  static let quietNotificationInterval = Duration.seconds(10)

  /// A token bucket, represented by the instant at which it is full again.
  struct Bucket: Equatable, Sendable {
    private let burst: Int
    private let interval: Duration
    private var fullAt: ContinuousClock.Instant?

    init(burst: Int, interval: Duration) {
      self.burst = burst
      self.interval = interval
    }

    /// When there is a token; in the past if there is one now.
    func nextToken(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
      fullAt.map { $0 - interval * (burst - 1) } ?? now
    }

    func isFull(at now: ContinuousClock.Instant) -> Bool { fullAt.map { $0 <= now } ?? true }

    mutating func take(_ now: ContinuousClock.Instant) { fullAt = max(fullAt ?? now, now) + interval }
  }

  private var aloud = Bucket(burst: Self.notificationBurst, interval: Self.machineNotificationInterval)
  private var quiet = Bucket(burst: Self.quietNotificationBurst, interval: Self.quietNotificationInterval)
  private var asking = Bucket(burst: Self.questionBurst, interval: Self.questionInterval)

  /// Whether the machine may disturb people.
  func isAloud(at now: ContinuousClock.Instant) -> Bool { aloud.nextToken(now) <= now }

  /// When something may be shown quietly; in the past if it may be now.
  func nextQuiet(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant { quiet.nextToken(now) }

  /// When something new that asks may be shown; in the past if it may be now.
  func nextQuestion(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant { asking.nextToken(now) }

  mutating func takeQuestion(_ now: ContinuousClock.Instant) { asking.take(now) }

  /// When a new offer may be shown, aloud or quietly; in the past if it may be now.
  func nextNew(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    min(aloud.nextToken(now), quiet.nextToken(now))
  }

  mutating func take(isQuiet: Bool, _ now: ContinuousClock.Instant) {
    if isQuiet { quiet.take(now) } else { aloud.take(now) }
  }

  /// Whether nothing about it needs to be remembered.
  func isFull(at now: ContinuousClock.Instant) -> Bool {
    aloud.isFull(at: now) && quiet.isFull(at: now) && asking.isFull(at: now)
  }
}
