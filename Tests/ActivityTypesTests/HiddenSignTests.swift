// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import Testing

/// Texts from elsewhere whose characters hide a sign from `String`, but not from the programs that read their bytes.
struct HiddenSignTests {
  static let marks = ["\u{301}", "\u{200D}", "\u{FE0F}"]

  @Test(arguments: marks)
  func anAbsolutePathStaysOne(mark: String) {
    #expect(EditorCommand.operand("/\(mark)x").utf8.elementsEqual("/\(mark)x".utf8))
    #expect(EditorCommand.operand("-\(mark)x").utf8.starts(with: "./-".utf8))
  }

  @Test(arguments: marks)
  func aPartThatLooksLikeALineIsSeen(mark: String) {
    #expect(EditorCommand.goto.arguments(path: "/a:\(mark):7", line: 3) == ["/a:\(mark):7"])
    let position = FilePosition("/a\u{D4E}:7:\(mark)", exists: { _ in false })
    #expect(position.line == nil)
    #expect(FilePosition("/a\u{D4E}:7", exists: { _ in false }).line == 7)
  }

  @Test(arguments: ["\u{D4E}", "\u{600}"])
  func aSecretIsSeen(sign: String) {
    #expect(CommandText.sendable("curl -u ada\(sign):x host") == nil)
    #expect(CommandText.sendable("curl https://ada:x\(sign)@host") == nil)
    #expect(
      CommandText.sendable("export PGPASS\u{301}=x") == nil || CommandText.sendable("export PASS\(sign)=x") == nil
    )
    #expect(CommandText.sendable("echo a\u{301}bcdefghij0123456789klmnop") == nil)
  }

  @Test(arguments: marks)
  func aListOfDirectoriesIsReadByBytes(mark: String) {
    let paths = DirectoryExclusion.paths("/a:\(mark)/b", home: "/home/ada")
    #expect(paths == nil)
    let below = DirectoryExclusion.paths("~/\(mark)x", home: "/home/ada")
    #expect(below?.first?.utf8.elementsEqual("/home/ada/\(mark)x".utf8) == true)
  }

  @Test(arguments: marks)
  func noHostIsMadeOfTheRest(mark: String) {
    #expect(SecureShell.host(ofAddress: "[\(mark)::1]:1") == nil)
    #expect(SecureShell.host(ofAddress: "[::1]\(mark):1") == "::1")
    #expect(SecureShell.host(ofAddress: "host:\(mark)1") == "host")
  }

  @Test(arguments: marks)
  func theTitleOfADirectoryIsItsName(mark: String) {
    #expect(DirectoryActivity.title(of: "/srv/\(mark)x", home: nil).utf8.elementsEqual("\(mark)x".utf8))
  }
}
