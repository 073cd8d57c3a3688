// SPDX-License-Identifier: Apache-2.0

import Search
import Testing

/// What is wrong with an expression, and where.
struct ExpressionErrorTests {
  private func error(_ text: String) -> SearchExpressionError? {
    do throws(SearchExpressionError) { _ = try SearchExpression(parsing: text) } catch { return error }
    return nil
  }

  @Test(
    arguments: [
      ("", 0, "an attribute"), ("  ", 2, "an attribute"), ("()", 1, "an attribute"), ("&& a == 1", 0, "an attribute"),
      (#""a" == title"#, 0, "an attribute"), ("title", 5, "an operator such as =="),
      ("title ", 6, "an operator such as =="),
      ("title is 'a'", 6, "an operator such as =="), ("é == 1", 0, "an attribute"),
      ("titleé == 1", 5, "an operator such as =="),
      ("title ==", 8, "a value"), ("title == ", 9, "a value"), ("title == )", 9, "a value"),
      ("title == == 1", 9, "a value"),
      ("title > ", 8, "a value"), ("title ==[x] 'a'", 9, "a modifier (c, d, w or t) or ]"),
      ("title ==[c 'a'", 11, "a modifier (c, d, w or t) or ]"),
      (#"title == "é"#, 12, "the closing quote"), (#"title == "a'"#, 12, "the closing quote"),
      (#"title == "a\""#, 13, "the closing quote"), (#"title == "a\"#, 12, "the closing quote"),
      (#"title == "é"x"#, 13, "a modifier (c, d, w or t), && or ||"),
      (#"title == "a"cx"#, 13, "a modifier (c, d, w or t), && or ||"),
      (#"title == "a"C"#, 12, "a modifier (c, d, w or t), && or ||"),
      (#"title == "a" c"#, 13, "&& or ||"), ("title == a b", 11, "&& or ||"), ("title == a)", 10, "&& or ||"),
      ("title == a & b == c", 11, "&& or ||"), ("title == a AND b == c", 11, "&& or ||"),
      ("title == 'a''b'", 12, "&& or ||"),
      ("(title == a", 11, "&&, || or )"), ("(title == a b)", 12, "&&, || or )"), ("title == a &&", 13, "an attribute"),
      ("title == a || ", 14, "an attribute"), ("!", 1, "an attribute"), ("!= 1", 1, "an attribute"),
      ("rating < 'a'", 9, "a number or a time"), ("rating >= *", 10, "a number or a time"),
      ("rating > 1x", 9, "a number or a time"),
      ("rating > 1e999", 9, "a number or a time"),
      ("InRange(rating)", 14, ","), ("InRange(rating, 1)", 17, ","), ("InRange(rating, 1, 2", 20, ")"),
      ("InRange(rating, 1, a)", 19, "a number or a time"), ("InRange(, 1, 2)", 8, "an attribute"),
      ("InRange == ", 11, "a value"),
      ("a == $", 5, "$time."), ("a == $time", 5, "$time."), ("a == $now", 5, "$time."),
      (
        "a == $time.tomorrow", 11,
        "now, today, yesterday, this_week, last_week, this_month, this_year or iso"
      ),
      ("a == $time.now(x)", 15, "a number up to 1000000000"), ("a == $time.now(1", 16, ")"),
      ("a == $time.now(1e10)", 15, "a number up to 1000000000"),
      ("a == $time.today(1.5)", 17, "a whole number up to 1000000000"),
      ("a == $time.today(-1e300)", 17, "a whole number up to 1000000000"),
      ("a == $time.iso", 14, "("), ("a == $time.iso()", 15, "a time such as 2026-01-31 or 2026-01-31T12:00:00Z"),
      ("a == $time.iso(2026-02-29)", 15, "a time such as 2026-01-31 or 2026-01-31T12:00:00Z"),
      ("a == $time.iso('2026-01-01'", 27, ")"), ("a == $time.iso('2026", 20, "the closing quote"),
    ]
  )
  func anErrorSaysWhere(text: String, offset: Int, expected: String) {
    let error = error(text)
    #expect(error == SearchExpressionError(offset: offset, expected: expected))
    #expect(error?.message == "The query isn't valid: expected \(expected) at byte \(offset).")
  }

  @Test(
    arguments: [
      "2026", "2026-1-01", "2026-13-01", "2026-00-10", "2026-01-32", "2026-04-31", "1900-02-29", "26-01-01",
      "+026-01-01",
      "2026-01-01T", "2026-01-01 12:00", "2026-01-01T24:00", "2026-01-01T12", "2026-01-01T12:60", "2026-01-01T12:00:60",
      "2026-01-01T12:00:00.", "2026-01-01T12:00:00.5.5", "2026-01-01T12:00:00z", "2026-01-01T12:00Z+1",
      "2026-01-01T12:00+1",
      "2026-01-01T12:00+24:00", "2026-01-01T12:00+02:", "2026-01-01T12:00+02:60", "2026-01-01Z", "2026-01-01T12:00 ",
    ]
  )
  func noSuchTime(text: String) { #expect(ISOTime(text.utf8) == nil) }

  @Test func lengthAndDepthAreLimited() throws {
    let (length, depth) = (SearchExpression.searchExpressionLength, SearchExpression.searchExpressionDepth)
    #expect(error("title == '\(String(repeating: "a", count: length - 11))'") == nil)
    #expect(error("title == '\(String(repeating: "a", count: length - 10))'")?.offset == length)
    func nested(_ count: Int) -> String {
      "\(String(repeating: "(", count: count))a==1\(String(repeating: ")", count: count))"
    }
    #expect(error(nested(depth)) == nil)
    #expect(error(nested(depth + 1))?.offset == depth)
    #expect(error(String(repeating: "!", count: depth) + "a==1") == nil)
    #expect(error(String(repeating: "!", count: depth + 1) + "a==1")?.offset == depth)
    #expect(error(String(repeating: "(", count: length))?.offset == depth)
    // What is beside one another is not nested.
    #expect(error(Array(repeating: "(a==1)", count: 400).joined(separator: "||")) == nil)
  }
}
