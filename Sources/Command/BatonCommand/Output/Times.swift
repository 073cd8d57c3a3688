import Glibc

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
    let units: [(Double, String)] = [
      (365 * 86400, "year"), (86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"),
    ]
    let distance = abs(seconds).rounded()
    guard distance.isFinite, let (unit, name) = units.first(where: { distance >= $0.0 }) else { return "now" }
    let count = Int(clamping: Int64(exactly: (distance / unit).rounded()) ?? .max)
    let span = "\(count) \(name)\(count == 1 ? "" : "s")"
    return seconds > 0 ? "in \(span)" : "\(span) ago"
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
