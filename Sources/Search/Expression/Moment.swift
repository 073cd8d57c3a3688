/// A time in an expression.
package enum Moment: Equatable, Sendable {
  package enum Unit: String, Sendable {
    case today
    case yesterday
    case tomorrow
    case week = "this_week"
    case month = "this_month"
    case year = "this_year"
  }

  /// This number of seconds from now.
  case now(Double)
  /// The beginning of a day, a week, a month or a year, this number of them from now.
  case start(of: Unit, Int)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)

  /// What a moment depends on.
  package struct Clock: Equatable, Sendable {
    /// Seconds since 1970.
    package let now: Double
    /// The difference between local time and UTC, in seconds.
    package let utcOffset: Double

    package init(now: Double, utcOffset: Double) {
      self.now = now
      self.utcOffset = utcOffset
    }
  }

  /// The seconds from 1970 to 2001.
  static let epoch = 978_307_200.0
  private static let day = 86_400.0

  /// In seconds since 2001.
  func date(_ clock: Clock) -> Double {
    switch self {
    case .now(let offset): return clock.now + offset - Self.epoch
    case .date(let date): return date
    case .start(let unit, let count):
      let local = clock.now + clock.utcOffset
      guard abs(local) < 1e12 else { return local }
      let days = Int((local / Self.day).rounded(.down))
      return Double(Self.start(of: unit, count, days)) * Self.day - clock.utcOffset - Self.epoch
    }
  }

  /// The first day of a unit, counted from 1970-01-01.
  private static func start(of unit: Unit, _ count: Int, _ today: Int) -> Int {
    // Checked today, count: less than 10^8 each.
    switch unit {
    case .today: return today + count
    case .yesterday: return today - 1 + count
    case .tomorrow: return today + 1 + count
    case .week:
      // 1970-01-01 was a Thursday; weeks begin on Monday.
      let weekday = ((today + 3) % 7 + 7) % 7
      return today - weekday + 7 * count
    case .month, .year:
      let (year, month) = civil(today)
      let months = unit == .month ? year * 12 + month - 1 + count : (year + count) * 12
      let first = Int((Double(months) / 12).rounded(.down))
      return days(year: first, month: months - first * 12 + 1, day: 1)
    }
  }

  /// The year and the month of a day since 1970-01-01 (http://howardhinnant.github.io/date_algorithms.html).
  private static func civil(_ day: Int) -> (year: Int, month: Int) {
    let shifted = day + 719_468
    let era = Int((Double(shifted) / 146_097).rounded(.down))
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * ofYear + 2) / 153
    let number = month < 10 ? month + 3 : month - 9
    return (yearOfEra + era * 400 + (number <= 2 ? 1 : 0), number)
  }

  /// The days from 1970-01-01 to a date. The numbers must be those of a date.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = Int((Double(shifted) / 400).rounded(.down))
    let yearOfEra = shifted - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
  }

  /// Reads `2001-01-01`, `2001-01-01T00:00:00Z`, or with `+01:00` at the end. Nil if it is something else.
  static func iso(_ text: String) -> Moment? {
    func number(_ text: Substring?, _ range: ClosedRange<Int>) -> Int? {
      guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
        range.contains(number)
      else { return nil }
      return number
    }
    let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let date = halves.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    guard date.count == 3, let year = number(date[0], 1...9999), let month = number(date[1], 1...12),
      let day = number(date[2], 1...31)
    else { return nil }
    var seconds = Double(days(year: year, month: month, day: day)) * Self.day - epoch
    guard let half = halves.dropFirst().first else { return .date(seconds) }
    var time = half
    if time.hasSuffix("Z") {
      time = time.dropLast()
    } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let zone = time[time.index(after: sign)...].filter { $0 != ":" }
      guard zone.utf8.count == 4, let hours = number(zone.prefix(2)[...], 0...14),
        let minutes = number(zone.suffix(2)[...], 0...59)
      else { return nil }
      seconds -= Double((time[sign] == "-" ? -60 : 60) * (hours * 60 + minutes))
      time = time[..<sign]
    }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 2, let hour = number(parts[0], 0...23),
      let minute = number(parts[1], 0...59)
    else { return nil }
    seconds += Double(hour * 3600 + minute * 60)
    if let last = parts.dropFirst(2).first {
      guard let second = Double(last), second >= 0, second < 61 else { return nil }
      seconds += second
    }
    return .date(seconds)
  }
}
