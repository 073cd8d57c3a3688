// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
  package let year: Int
  /// 1 to 12.
  package let month: Int
  package let day: Int

  /// Nil if there is no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.days(of: month, in: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  private static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Days are numbered from 1970-01-01. The calendar repeats every 400 years, and years that begin in March have their
/// leap day at the end.
extension CivilDate {
  // Checked years, months, era, dayOfEra, yearOfEra, dayOfYear, shifted, marchYear: far below the limits of `Int`.

  /// The first day of a month, which can be before or after the 12 months of the year.
  static func firstDay(year: Int, month: Int) -> Int {
    let months = month - 1  // Checked: a month is a small number.
    let years = year + floorDivide(months, 12)  // Checked: a year has at most ten digits.
    return dayNumber(year: years, month: floorRemainder(months, 12) + 1, day: 1)  // Checked: the remainder is below 12.
  }

  package var dayNumber: Int { Self.dayNumber(year: year, month: month, day: day) }

  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1  // Checked: a year has at most ten digits.
    let era = floorDivide(marchYear, 400)
    let yearOfEra = floorRemainder(marchYear, 400)
    let shifted = month > 2 ? month - 3 : month + 9  // Checked: a month is 1 to 12.
    let dayOfYear = (153 * shifted + 2) / 5 + day - 1  // Checked: it is below 366.
    // Checked: as above.
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// - Parameter dayNumber: Of a year with at most ten digits.
  package init(dayNumber: Int) {
    let shifted = dayNumber + 719_468  // Checked: a day has at most 13 digits.
    let era = Self.floorDivide(shifted, 146_097)
    let dayOfEra = Self.floorRemainder(shifted, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let months = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * months + 2) / 5 + 1  // Checked: it is 1 to 31.
    month = months < 10 ? months + 3 : months - 9
    year = yearOfEra + era * 400 + (months < 10 ? 0 : 1)  // Checked: as above.
  }

  private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
    number / divisor - (number % divisor < 0 ? 1 : 0)  // Checked: the quotient is smaller than the number.
  }

  private static func floorRemainder(_ number: Int, _ divisor: Int) -> Int {
    number - floorDivide(number, divisor) * divisor  // Checked: it is from 0 to the divisor.
  }
}
