// SPDX-License-Identifier: Apache-2.0

/// The time and the place at which an expression is evaluated. Times are in seconds since 2001-01-01 00:00:00 UTC, as
/// in attributes.
struct LocalTime {
  /// The number of seconds from 1970 to 2001.
  static let reference = 978_307_200.0

  let now: Double
  private let today: Int
  /// The difference between local time and UTC at a time in seconds since 1970, in seconds.
  private let utcOffset: (Double) -> Double

  /// - Parameter now: In seconds since 1970.
  init(now: Double, utcOffset: @escaping (Double) -> Double) {
    self.now = now - Self.reference  // Checked: these are `Double`s.
    self.utcOffset = utcOffset
    let local = (now + utcOffset(now)) / Self.day  // Checked: these, too.
    today = Int(exactly: local.rounded(.down)) ?? 0
  }

  /// From the first second to the one after the last. Both are the same if it is a moment.
  func times(of reference: TimeReference) -> (start: Double, end: Double) {
    switch reference {
    case .now(let offset):
      let time = now + offset  // Checked: these are `Double`s.
      return (time, time)
    // Checked: `offset` has at most ten digits.
    case .span(let span, let offset): return (start(of: span, offset), start(of: span, offset + 1))
    case .iso(let time):
      let day = time.date.dayNumber
      guard let second = time.second else {
        // Checked: a year of four digits.
        return (start(ofDay: day), start(ofDay: day + 1))
      }
      let moment: Double
      if let offset = time.utcOffset {
        moment = Double(day) * Self.day + second - offset - Self.reference  // Checked: these are `Double`s.
      } else {
        moment = start(ofDay: day, second: second)
      }
      return (moment, moment)
    }
  }

  // Checked offset, today: at most ten digits.
  private func start(of span: TimeReference.Span, _ offset: Int) -> Double {
    let date = CivilDate(dayNumber: today)
    switch span {
    case .today: return start(ofDay: today + offset)
    case .yesterday: return start(ofDay: today - 1 + offset)
    case .thisWeek: return start(ofDay: monday + 7 * offset)  // Checked: as above.
    case .lastWeek: return start(ofDay: monday - 7 + 7 * offset)  // Checked: as above.
    // Checked: a month.
    case .thisMonth: return start(ofDay: CivilDate.firstDay(year: date.year, month: date.month + offset))
    case .thisYear: return start(ofDay: CivilDate.firstDay(year: date.year + offset, month: 1))  // Checked: as above.
    }
  }

  /// The first day of the week. 1970-01-01 was a Thursday.
  private var monday: Int {
    let sinceMonday = (today + 3) % 7
    return today - (sinceMonday < 0 ? sinceMonday + 7 : sinceMonday)  // Checked: it is at most 6 less.
  }

  private func start(ofDay day: Int, second: Double = 0) -> Double {
    let local = Double(day) * Self.day + second  // Checked: these are `Double`s.
    // The offset at that time, which may differ from the offset at the first guess.
    let guess = local - utcOffset(local)  // Checked: as above.
    return local - utcOffset(guess) - Self.reference  // Checked: as above.
  }

  private static let day = 86400.0
}
