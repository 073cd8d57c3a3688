import Testing

@testable import Transfers

@Suite struct TransferPathTests {
  @Test(arguments: ["a", "a/b", " ", "\n", "-rf", "...", ".hidden/.x", "a/..b", "\u{202E}gpj.exe", "a\\b"])
  func aPathThatLeadsDown(_ text: String) {
    #expect(TransferPath(Array(text.utf8))?.bytes == Array(text.utf8))
  }

  @Test(arguments: ["", "/", "/a", "a/", "a//b", ".", "..", "./a", "a/.", "a/../b", "../a", "a/..", "a\0b"])
  func aPathThatLeadsElsewhereOrNowhere(_ text: String) {
    #expect(TransferPath(Array(text.utf8)) == nil)
  }

  @Test func aNameNeedNotBeText() {
    #expect(TransferPath([0xFF, 0xFE])?.bytes == [0xFF, 0xFE])
  }

  @Test func theLimits() {
    let name = [UInt8](repeating: 0x61, count: TransferPath.nameLength)
    #expect(TransferPath(name) != nil)
    #expect(TransferPath(name + [0x61]) == nil)
    let deep = Array(repeating: "d", count: TransferPath.depth).joined(separator: "/")
    #expect(TransferPath(Array(deep.utf8))?.depth == TransferPath.depth)
    #expect(TransferPath(Array("\(deep)/d".utf8)) == nil)
    let long = Array(repeating: name, count: 12).joined(separator: [UInt8(ascii: "/")])
    #expect(TransferPath(Array(long)) != nil)
    #expect(TransferPath(Array(long) + Array("/".utf8) + name) == nil)
  }

  @Test(arguments: [
    ("top/a", "b"), ("top/a", "./b"), ("top/x/a", "../b"), ("top/x/y/a", "../../b/c"), ("top/a", "x/y"),
    ("top/x/a", ".."),
  ])
  func aLinkThatStaysInside(_ path: String, _ target: String) {
    #expect(TransferPath(Array(path.utf8))?.mayLink(to: Array(target.utf8)) == true)
  }

  @Test(arguments: [
    ("a", "b/../../c"), ("a", ".."), ("top/a", ".."), ("top/a", "../b"), ("top/a", "/etc/passwd"),
    ("top/x/a", "../../b"),
    ("top/x/y/a", "b/../../../../c"), ("top/x/a", "b/../c"), ("top/a", ""), ("top/a", "./../b"), ("top/a", "b\0c"),
  ])
  func aLinkThatCouldLeadOutside(_ path: String, _ target: String) {
    #expect(TransferPath(Array(path.utf8))?.mayLink(to: Array(target.utf8)) == false)
  }
}
