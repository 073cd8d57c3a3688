// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import JSONCoding
import Testing

struct FilesInfoTests {
  private func info(_ names: [String], count: Int? = nil, size: Int = 10) -> FilesInfo {
    FilesInfo(names.map { FilesInfo.File(name: $0, size: 1) }, count: count ?? names.count, size: size)
  }

  private func decoded(more: String) -> FilesInfo? {
    let text =
      "{\"files\":[{\"name\":\"a\",\"size\":1},{\"name\":\"b\",\"size\":1}],\"count\":2,\"size\":2,\"more\":\(more)}"
    return (try? JSON(parsing: Array(text.utf8), depth: 8)).flatMap(FilesInfo.init(json:))
  }

  @Test func theTitleSaysHowManyCome() {
    #expect(info(["a", "b", "c"]).title == "a, b and 1 more (3 files, 10 bytes)")
    #expect(decoded(more: "998")?.title == "a, b and 998 more (2 files, 2 bytes)")
  }

  @Test(arguments: ["9223372036854775807", "9223372036854775806", "1000", "18446744073709551615", "-1", "1e3"])
  func moreThanATransferCanHaveIsRefused(more: String) { #expect(decoded(more: more) == nil) }

  @Test func theEndOfALongNameIsShown() {
    let name = "holiday " + String(repeating: "photo ", count: 30) + ".jpg.desktop"
    let title = info([name]).title
    #expect(title.hasPrefix("holiday photo"))
    #expect(title.hasSuffix("….jpg.desktop (10 bytes)") || title.hasSuffix(".jpg.desktop (10 bytes)"))
    #expect(title.utf8.count < 100)
    #expect(info([String(repeating: "\u{202E}\u{200B}", count: 100) + "gpj.exe"]).title == "gpj.exe (10 bytes)")
  }

  @Test func onlyWhatIsNamedAndCountedIsCovered() {
    let question = info(["a", "b", "c"], size: 10)
    #expect(question.covers(names: ["a", "b", "c"], size: 10, count: 3))
    #expect(!question.covers(names: ["a", "b", "d"], size: 10, count: 3))
    #expect(!question.covers(names: ["a", "b", "c", "c"], size: 10, count: 4))
    #expect(!question.covers(names: ["a"], size: 10, count: 14))
    #expect(!question.covers(names: ["a"], size: 2 << 20, count: 1))
    // They look the same, and are two names.
    #expect(!info(["caf\u{E9}"]).covers(names: ["cafe\u{301}"], size: 1, count: 1))
  }

  @Test func aFolderIsNoFile() {
    #expect(!info(["a"]).covers(names: ["a/"], size: 1, count: 1))
    #expect(!info(["a"]).covers(names: ["a"], size: 1, count: 2))
    let folder = FilesInfo([FilesInfo.File(name: "a", size: 1, isFolder: true)], count: 1, size: 1)
    #expect(folder.title == "a/ (1 byte)")
    #expect(folder.covers(names: ["a/"], size: 1, count: 3))
    #expect(!folder.covers(names: ["a"], size: 1, count: 1))
  }

  @Test func onlyTheNamesInTheTitleWereShown() {
    #expect(info([".a", "b", ".c"]).shownNames == [Array(".a".utf8), Array("b".utf8)])
    #expect(info(["\u{200B}", "b"]).shownNames == [Array("b".utf8)])
  }
}
