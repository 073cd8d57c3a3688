// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONCoding
import Search
import Testing

/// Days, weeks, months and years, compared with Foundation's calendar.
struct LocalTimeTests {
  private func entry(_ date: Date) -> SavedEntry {
    var entry = SavedEntry(identifier: "a")
    entry.attributes = ["dueDate": ["$date": .string("\(date.timeIntervalSinceReferenceDate)")]]
    return entry
  }

  private func calendar(_ zone: String) throws -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    calendar.firstWeekday = 2
    return calendar
  }

  private func matches(_ text: String, _ date: Date, now: Date, _ zone: TimeZone) throws -> Bool {
    let matcher = SearchMatcher(try SearchExpression(parsing: text), now: now.timeIntervalSince1970) { time in
      Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: time)))
    }
    return matcher.matches(entry(date))
  }

  private static let names: [(String, Calendar.Component, Int)] = [
    ("today", .day, 0), ("yesterday", .day, -1), ("this_week", .weekOfYear, 0), ("last_week", .weekOfYear, -1),
    ("this_month", .month, 0), ("this_year", .year, 0),
  ]

  /// Each span begins with its first second, and ends with that of the next one, also where clocks change.
  @Test(arguments: ["UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Apia"], 0..<12)
  func spansAreThoseOfTheCalendar(zone: String, month: Int) throws {
    let calendar = try calendar(zone)
    let parts = DateComponents(
      year: 2024,
      month: 1 + month,
      day: [1, 10, 28, 31][month % 4],
      hour: [0, 2, 23][month % 3],
      minute: 30
    )
    let now = try #require(calendar.date(from: parts))
    for (name, component, shift) in Self.names {
      for offset in [0, -1, 1, -13, 27] {
        let other = try #require(calendar.dateInterval(of: component, for: now))
        let start = try #require(calendar.date(byAdding: component, value: shift + offset, to: other.start))
        let end = try #require(calendar.date(byAdding: component, value: 1, to: start))
        let text = "dueDate == $time.\(name)(\(offset))"
        for (date, isIn) in [(start, true), (start - 1, false), (end - 1, true), (end, false)] {
          #expect(try matches(text, date, now: now, calendar.timeZone) == isIn, "\(text) at \(now): \(date)")
        }
      }
    }
  }

  @Test func localTimesOfISO8601AreLocal() throws {
    let calendar = try calendar("America/New_York")
    for (text, parts) in [
      ("2026-07-04", DateComponents(year: 2026, month: 7, day: 4)),
      ("2026-12-24T18:30", DateComponents(year: 2026, month: 12, day: 24, hour: 18, minute: 30)),
    ] {
      let date = try #require(calendar.date(from: parts))
      #expect(
        try matches("dueDate == $time.iso(\(text))", date, now: Date(timeIntervalSince1970: 0), calendar.timeZone)
      )
      #expect(
        try !matches("dueDate == $time.iso(\(text))", date - 1, now: Date(timeIntervalSince1970: 0), calendar.timeZone)
      )
    }
  }

  @Test func farTimesAreNoTrap() throws {
    let now = Date(timeIntervalSince1970: 1e12)
    for (name, _, _) in Self.names {
      for offset in ["1000000000", "-1000000000", "999999999"] {
        #expect(try !matches("dueDate == $time.\(name)(\(offset))", now, now: now, .gmt))
      }
    }
  }

  @Test func daysAreNumberedAsInFoundation() throws {
    let calendar = try calendar("UTC")
    for day in stride(from: -800_000, to: 800_000, by: 997) where day > -141_427 {  // Since the Gregorian calendar
      let date = CivilDate(dayNumber: day)
      let parts = calendar.dateComponents(
        [.year, .month, .day],
        from: Date(timeIntervalSince1970: Double(day) * 86400)
      )
      #expect(date.year == parts.year && date.month == parts.month && date.day == parts.day, "\(day)")
      #expect(date.dayNumber == day)
    }
  }
}
