// SPDX-License-Identifier: Apache-2.0

/// A time in an expression, which depends on when and where it is evaluated.
package enum TimeReference: Hashable, Sendable {
  /// A number of seconds from now.
  case now(Double)
  /// A day, a week, a month or a year, or one that is this number of them later.
  case span(Span, Int)
  case iso(ISOTime)

  package enum Span: String, CaseIterable, Hashable, Sendable {
    case today
    case yesterday
    case thisWeek = "this_week"
    case lastWeek = "last_week"
    case thisMonth = "this_month"
    case thisYear = "this_year"
  }

  /// The greatest number that can be added.
  static let maximumOffset = 1e9
}

/// A date, or a date and a time.
package struct ISOTime: Hashable, Sendable {
  package let date: CivilDate
  /// The time in seconds. Nil for the whole day.
  package let second: Double?
  /// The difference from UTC in seconds. Nil for local time.
  package let utcOffset: Double?

  package init(date: CivilDate, second: Double? = nil, utcOffset: Double? = nil) {
    self.date = date
    self.second = second
    self.utcOffset = utcOffset
  }

  /// Reads `2026-01-31`, `2026-01-31T12:00`, `2026-01-31T12:00:00.5`, and each of the latter with `Z`, `+02:00`,
  /// `+0200` or `+02`. Nil if it is something else, or there is no such day or time.
  package init?(_ text: some Sequence<UInt8>) {
    var rest = Array(text)[...]
    guard let year = rest.takeDigits(4), rest.take("-"), let month = rest.takeDigits(2), rest.take("-"),
      let day = rest.takeDigits(2), let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    self.date = date
    guard !rest.isEmpty else {
      (second, utcOffset) = (nil, nil)
      return
    }
    guard rest.take("T"), let hour = rest.takeDigits(2), hour < 24, rest.take(":"), let minute = rest.takeDigits(2),
      minute < 60
    else { return nil }
    var seconds = 0.0
    if rest.take(":") {
      guard let whole = rest.takeDigits(2), whole < 60 else { return nil }
      seconds = Double(whole)
      if rest.take(".") {
        let digits = rest.prefix(while: Self.isDigit)
        guard let fraction = Double("0.\(String(decoding: digits, as: UTF8.self))"), !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        seconds += fraction  // Checked: a sum of `Double`s does not trap.
      }
    }
    second = Double(hour) * 3600 + Double(minute) * 60 + seconds  // Checked: neither does this.
    guard let offset = Self.utcOffset(&rest), rest.isEmpty else { return nil }
    utcOffset = offset
  }

  /// Nil if it is wrong. Nil in it if there is none.
  private static func utcOffset(_ rest: inout ArraySlice<UInt8>) -> Double?? {
    if rest.isEmpty { return .some(nil) }
    if rest.take("Z") { return 0 }
    let sign: Double
    if rest.take("+") {
      sign = 1
    } else if rest.take("-") {
      sign = -1
    } else {
      return nil
    }
    guard let hours = rest.takeDigits(2), hours < 24 else { return nil }
    var minutes = 0
    if rest.take(":") || !rest.isEmpty {
      guard let given = rest.takeDigits(2), given < 60 else { return nil }
      minutes = given
    }
    return sign * (Double(hours) * 3600 + Double(minutes) * 60)  // Checked: these are `Double`s.
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension ArraySlice<UInt8> {
  /// Takes exactly this number of digits. Takes nothing if there are not as many.
  fileprivate mutating func takeDigits(_ count: Int) -> Int? {
    let digits = prefix(count)
    guard digits.count == count, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
    self = dropFirst(count)
    return Int(String(decoding: digits, as: UTF8.self))
  }

  fileprivate mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard first == UInt8(ascii: character) else { return false }
    self = dropFirst()
    return true
  }
}
