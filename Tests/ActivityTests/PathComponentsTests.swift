// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

struct PathComponentsTests {
  @Test func aMarkAfterASlashHidesNothing() {
    #expect(PathComponents.split("/a//b/\u{301}c/") == ["a", "b", "\u{301}c"])
    #expect(PathComponents.last("/") == nil)
    #expect(PathComponents.parent("/a/\u{301}b") == "/a" && PathComponents.parent("/a") == "/")
  }

  @Test func whatIsBelowIsToldApart() {
    #expect(PathComponents.path("/a/b/\u{301}c", below: "/a/b") == "\u{301}c")
    #expect(PathComponents.path("/a/b", below: "/a/b") == "" && PathComponents.path("/a", below: "/") == "a")
    #expect(PathComponents.path("/a/bc", below: "/a/b") == nil && PathComponents.path("/a", below: "/a/b") == nil)
    // The same to people, and two files to Linux.
    #expect(PathComponents.path("/\u{E9}/x", below: "/e\u{301}") == nil)
  }
}
