// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

struct StringPrefixTests {
  @Test(
    arguments: [
      ("", 0, ""), ("abc", 3, "abc"), ("abc", 2, "ab"), ("abc", 0, ""), ("aé", 2, "a"), ("aé", 3, "aé"), ("😀", 3, ""),
      ("😀", 4, "😀"), ("e\u{301}x", 2, ""), ("e\u{301}x", 3, "e\u{301}"), ("a👨‍👩‍👧", 18, "a"), ("a👨‍👩‍👧", 19, "a👨‍👩‍👧"),
      ("🇩🇪🇫🇷", 15, "🇩🇪"), ("a\r\nb", 2, "a"),
    ] as [(String, Int, String)]
  )
  func charactersStayWhole(text: String, limit: Int, prefix: String) {
    #expect(Array(text.prefix(utf8Count: limit).utf8) == Array(prefix.utf8))
  }
}
