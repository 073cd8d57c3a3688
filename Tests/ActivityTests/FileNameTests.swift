// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Activity

@Suite struct FileNameTests {
  private func names(_ name: String, _ number: Int) -> String {
    String(decoding: FileName(Array(name.utf8), isFolder: false).attempt(number), as: UTF8.self)
  }

  @Test(arguments: [
    ("notes.txt", "notes-2.txt"), ("backup.tar.gz", "backup-2.tar.gz"), ("folder", "folder-2"),
    (".bashrc", ".bashrc-2"),
    ("a.thisisnotasuffixbecauseitislong", "a.thisisnotasuffixbecauseitislong-2"), ("..x", ".-2.x"),
    (".tar.gz", ".tar-2.gz"), ("ls.1", "ls-2.1"), ("film.7z", "film-2.7z"),
    // No suffixes.
    ("Report 1.10", "Report 1.10-2"), ("J. Smith", "J. Smith-2"), ("a.", "a-2."),
  ])
  func theNumberPrecedesTheSuffix(_ name: String, _ second: String) {
    #expect(names(name, 1) == name)
    #expect(names(name, 2) == second)
  }

  @Test(arguments: ["Ubuntu 22.04", "conf.d", "v1.2.tar.gz", ".config", "a."])
  func theNumberFollowsTheNameOfAFolder(_ name: String) {
    let folder = FileName(Array(name.utf8), isFolder: true)
    #expect(folder.attempt(1) == Array(name.utf8))
    #expect(folder.attempt(2) == Array("\(name)-2".utf8))
  }

  @Test func aNameStaysWithinTheLimit() {
    let long = String(repeating: "ä", count: 125) + ".txt"
    let second = FileName(Array(long.utf8), isFolder: false).attempt(2)
    #expect(second.count <= FileName.length)
    #expect(String(decoding: second, as: UTF8.self).hasSuffix("ä-2.txt"))
    #expect(String(validating: second, as: UTF8.self) != nil)
    let bytes = [UInt8](repeating: 0xBF, count: 255)
    #expect(FileName(bytes, isFolder: true).attempt(12).count <= FileName.length)
  }
}
