// SPDX-License-Identifier: Apache-2.0

import Glibc
import Localization

/// Formats points in time for people.
enum Times {
  /// The current time, in seconds since 1970-01-01 00:00:00 UTC.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// `in 15 minutes`, `3 days ago`.
  static func relative(_ time: Double, to now: Double) -> String {
    let seconds = time - now
    let distance = abs(seconds).rounded()
    guard distance.isFinite, let unit = units.first(where: { distance >= $0 }) else { return localized("now") }
    let count = Int(clamping: Int64(exactly: (distance / unit).rounded()) ?? .max)
    return seconds > 0 ? later(count, unit) : earlier(count, unit)
  }

  /// Seconds in a year, a day, an hour, a minute, a second.
  private static let units: [Double] = [365 * 86400, 86400, 3600, 60, 1]

  private static func later(_ count: Int, _ unit: Double) -> String {
    switch unit {
    case units[0]: localized(count, one: "in \(count) year", other: "in \(count) years")
    case units[1]: localized(count, one: "in \(count) day", other: "in \(count) days")
    case units[2]: localized(count, one: "in \(count) hour", other: "in \(count) hours")
    case units[3]: localized(count, one: "in \(count) minute", other: "in \(count) minutes")
    default: localized(count, one: "in \(count) second", other: "in \(count) seconds")
    }
  }

  private static func earlier(_ count: Int, _ unit: Double) -> String {
    switch unit {
    case units[0]: localized(count, one: "\(count) year ago", other: "\(count) years ago")
    case units[1]: localized(count, one: "\(count) day ago", other: "\(count) days ago")
    case units[2]: localized(count, one: "\(count) hour ago", other: "\(count) hours ago")
    case units[3]: localized(count, one: "\(count) minute ago", other: "\(count) minutes ago")
    default: localized(count, one: "\(count) second ago", other: "\(count) seconds ago")
    }
  }

  /// `14:32`, in the user's time zone.
  static func clock(_ time: Double) -> String { clock(parts(time)) }

  /// `14:32`, or `2026-11-28 14:32` if that is not today.
  static func moment(_ time: Double, at now: Double) -> String {
    let (parts, today) = (parts(time), parts(now))
    let isToday = parts.tm_yday == today.tm_yday && parts.tm_year == today.tm_year
    let date = "\(Int(parts.tm_year) + 1900)-\(twoDigits(parts.tm_mon + 1))-\(twoDigits(parts.tm_mday)) "
    return (isToday ? "" : date) + clock(parts)
  }

  private static func clock(_ parts: tm) -> String { "\(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min))" }

  private static func parts(_ time: Double) -> tm {
    var seconds = time_t(exactly: time.rounded(.towardZero)) ?? 0
    var parts = tm()
    localtime_r(&seconds, &parts)
    return parts
  }

  private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
