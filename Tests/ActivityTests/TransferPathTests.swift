// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Activity

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
    ("top/a", "b", "b"), ("top/x/a", "b/c", "../b/c"), ("top/x/y/a", "x/y/b", "b"), ("top/x/y/a", "x/z", "../z"),
    ("top/x/a", "", ".."), ("top/x/a", "x", "."), ("top/a", "", "."),
  ])
  func aTargetLeadsFromTheLinkToThePlace(_ path: String, _ place: String, _ target: String) throws {
    let path = try #require(TransferPath(Array(path.utf8)))
    let found = path.target(for: Array(place.utf8).split(separator: UInt8(ascii: "/")))
    #expect(String(decoding: found, as: UTF8.self) == target)
    #expect(path.mayLink(to: found))
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
