// SPDX-License-Identifier: Apache-2.0

/// The clocks at one moment: one that never jumps, for waits, and the calendar clock, for expiration dates.
package struct Time: Equatable, Sendable {
  package let instant: ContinuousClock.Instant
  /// Seconds since 1970-01-01 00:00:00 UTC.
  package let date: Double

  package init(instant: ContinuousClock.Instant, date: Double) {
    self.instant = instant
    self.date = date
  }

  /// ``date``, without its fraction.
  package var seconds: Int64 { Int64(exactly: date.rounded(.down)) ?? 0 }
}
