// SPDX-License-Identifier: Apache-2.0

import Desktop
import Testing

@Suite struct FileURLTests {
  /// As RFC 8089 and other programs write them.
  @Test(arguments: [
    "file:///home/ada/a%20b", "file://localhost/home/ada/a%20b", "FILE:///home/ada/a b",
    "File://LocalHost/home/ada/a%20b",
  ])
  func aFileOfThisMachineHasSeveralURLs(url: String) {
    #expect(FileURL.path(url) == Array("/home/ada/a b".utf8))
  }

  @Test(arguments: [
    "", "file:", "file:x", "file://", "file://nas/home/ada", "file://localhost", "file://localhostx/a", "file://x",
    "https://example.org/a", "file:///a/../b", "file:///a/./b", "file:///a%00b", "file:///a%2", "/home/ada", "e\u{301}",
  ])
  func whatNamesNoFileOfThisMachineIsNone(url: String) { #expect(FileURL.path(url) == nil) }

  @Test func aPathIsTheSameAfterward() {
    let path: [UInt8] = Array("/-\n %41/".utf8) + [0xFF]
    #expect(FileURL.path(FileURL.text(path)) == path)
  }
}
