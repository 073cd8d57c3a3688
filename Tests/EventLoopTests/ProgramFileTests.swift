// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EventLoop

struct ProgramFileTests {
  @Test func itsPathIsTheRunningPrograms() throws {
    let path = try #require(ProgramFile.path)
    #expect(path.hasPrefix("/") && path.hasSuffix(".xctest"))
    #expect(ProgramFile.prefix == nil)
  }

  @Test(arguments: [
    ("/usr/bin/baton", "/usr"), ("/usr/sbin/batond", "/usr"), ("/opt/baton/bin/baton", "/opt/baton"),
    ("/bin/baton", ""), ("/home/eve/b\u{301}in/../bin/baton", "/home/eve/b\u{301}in/.."),
    ("/home/eve/.build/release/baton", nil), ("/home/eve/robin/baton", nil), ("/bin", nil), ("baton", nil), ("", nil),
  ])
  func itsPrefixIsAboveTheFolderOfPrograms(path: String, prefix: String?) {
    #expect(ProgramFile.prefix(of: path) == prefix)
  }
}
