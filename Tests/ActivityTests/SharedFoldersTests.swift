// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Testing

struct SharedFoldersTests {
  private func folders(_ folders: KeyValuePairs<String, String>) throws -> SharedFolders {
    var shared = SharedFolders()
    for (name, path) in folders { try shared.add(name, at: path) }
    return shared
  }

  private var notes: SharedFolders { get throws { try folders(["Notes": "/srv/my notes"]) } }

  // MARK: Outward

  @Test(arguments: [
    ("file:///srv/my%20notes/sub/file.txt", "baton-folder:/Notes/sub/file.txt"),
    ("file:/srv/my%20notes/file.txt", "baton-folder:/Notes/file.txt"),
    ("file://localhost/srv/my%20notes/file.txt", "baton-folder:/Notes/file.txt"),
    ("FILE://LocalHost/srv/my%20notes/file.txt", "baton-folder:/Notes/file.txt"),
    ("file:///%73rv/my%20%6eotes/%66ile%2etxt", "baton-folder:/Notes/%66ile%2etxt"),
    ("file:///srv/my%20notes/na%C3%AFve%20%ff...", "baton-folder:/Notes/na%C3%AFve%20%ff..."),
    ("file:///srv/my%20notes/sub/", "baton-folder:/Notes/sub/"),
    ("file:///srv/my%20notes/", "baton-folder:/Notes/"),
    ("file:///srv/my%20notes", "baton-folder:/Notes"),
    ("file:///srv/my%20notes/a.pdf?v=1#page=3", "baton-folder:/Notes/a.pdf?v=1#page=3"),
  ])
  func aFileInAFolderIsNamedByIt(url: String, expected: String) throws {
    #expect(try notes.outward(url) == expected)
  }

  @Test(arguments: [
    "file:///srv/my%20notes2/a", "file:///srv/my%20note", "file:///srv/", "file:///", "file://", "file:",
    "file://server/srv/my%20notes/a", "file://localhost:80/srv/my%20notes/a", "file://user@/srv/my%20notes/a",
    "file:srv/my%20notes/a", "file:////srv/my%20notes/a", "file:///srv//my%20notes/a", "file:///srv/my%20notes//a",
    "file:///srv/my%20notes/../a", "file:///srv/x/../my%20notes/a", "file:///srv/my%20notes/a/..",
    "file:///srv/my%20notes/%2e%2E/a", "file:///srv/my%20notes/./a", "file:///srv/my%20notes/a%2Fb",
    "file:///srv/my%20notes/a%00", "file:///srv/my%20notes/a%2", "file:///srv/my%20notes/a%zz",
    "file:///srv/my notes/a",
    "file:///srv/my%20notes/é", "file:///SRV/my%20notes/a", "http://localhost/srv/my%20notes/a", "/srv/my%20notes/a",
    "files:///srv/my%20notes/a", "",
  ])
  func whatIsNotInAFolderOrCanBeReadInTwoWaysIsLeft(url: String) throws { #expect(try notes.outward(url) == url) }

  @Test func theLongestFolderWins() throws {
    for shared in [
      try folders(["Outer": "/srv", "Inner": "/srv/notes/"]), try folders(["Inner": "/srv//notes", "Outer": "/srv/"]),
    ] {
      #expect(shared.outward("file:///srv/notes/a") == "baton-folder:/Inner/a")
      #expect(shared.outward("file:///srv/notes2/a") == "baton-folder:/Outer/notes2/a")
    }
    let same = try folders(["B": "/srv/notes", "A": "/srv/notes"])
    #expect(same.outward("file:///srv/notes/a") == "baton-folder:/B/a")
  }

  // MARK: Inward

  @Test(arguments: [
    ("baton-folder:/Notes/sub/file.txt", "file:///srv/my%20notes/sub/file.txt"),
    ("baton-folder:/%4Eotes/na%C3%AFve%20%ff...", "file:///srv/my%20notes/na%C3%AFve%20%ff..."),
    ("baton-folder:/Notes/sub/", "file:///srv/my%20notes/sub/"),
    ("baton-folder:/Notes/", "file:///srv/my%20notes/"),
    ("baton-folder:/Notes", "file:///srv/my%20notes"),
    ("baton-folder:/Notes/a.pdf?v=1#page=3", "file:///srv/my%20notes/a.pdf?v=1#page=3"),
    ("baton-folder:/Notes/%252e%252e", "file:///srv/my%20notes/%252e%252e"),
  ])
  func aFileOfAFolderIsFoundInIt(url: String, expected: String) throws { #expect(try notes.inward(url) == expected) }

  @Test(arguments: [
    "/Other/a", "/notes/a", "/Notes2/a", "/", "", "Notes/a", "//Notes/a", "///Notes/a", "//localhost/Notes/a",
    "/Notes/../a", "/Notes/..", "/Notes/a/../../b", "/../Notes/a", "/Notes/%2e%2e/a", "/Notes/.%2E", "/Notes/./a",
    "/Notes/.", "/Notes/%2e", "/Notes//a", "/Notes/a//", "/Notes/..%2Fa", "/Notes/%2f", "/Notes%2Fa", "/Notes/a%00",
    "/Notes/%00", "/Notes/a%", "/Notes/a%0", "/Notes/a%0x", "/Notes/..\\..\\a", "/Notes/.. ", "/Notes/.\t./a",
    "/Notes/.\n.", "/Notes/é", "/Notes/../?", "/Notes/..?", "/Notes/..#", "/Notes/a?/../../b",
    "/Notes/a#/../../b", "/Notes/a#%2F..%2Fb", "/Notes/a?%00", "/Notes/a?%", "/Notes/a/\u{301}b",
  ])
  func whatNoMachineWritesIsLeft(rest: String) throws {
    #expect(try notes.inward("baton-folder:" + rest) == "baton-folder:" + rest)
  }

  @Test func bytesThatAreInNoURLAreLeft() throws {
    for byte in UInt8.min...UInt8.max {
      let name = String(decoding: [UInt8(ascii: "a"), byte, UInt8(ascii: "b")], as: UTF8.self)
      let url = "baton-folder:/Notes/\(name)"
      let isAllowed = PercentEncoding.encode([byte]).utf8.count == 1 || "/?#".utf8.contains(byte)
      #expect(try notes.inward(url) == (isAllowed ? "file:///srv/my%20notes/\(name)" : url))
    }
  }

  @Test(arguments: ["file:///etc/passwd", "file:///srv/my%20notes/a", "Baton-Folder:/Notes/a", "https://example.org/"])
  func otherURLsOfAPeerAreLeft(url: String) throws { #expect(try notes.inward(url) == url) }

  @Test func theRootCanBeAFolder() throws {
    let root = try folders(["Root": "/"])
    for (file, folder) in [("file:///", "baton-folder:/Root/"), ("file:///a/b", "baton-folder:/Root/a/b")] {
      #expect(root.outward(file) == folder)
      #expect(root.inward(folder) == file)
    }
    #expect(root.inward("baton-folder:/Root/../a") == "baton-folder:/Root/../a")
  }

  @Test func withoutFoldersNothingChanges() {
    for url in ["file:///srv/notes", "file:///", "baton-folder:/Notes/a", "baton-folder:/"] {
      #expect(SharedFolders().outward(url) == url)
      #expect(SharedFolders().inward(url) == url)
    }
  }

  // MARK: Whole userInfos

  @Test func urlsAreFoundWhereverTheyAre() throws {
    let local = try JSON(
      parsing: #"""
        {"$$url":"file:///srv/my%20notes/a","text":"file:///srv/my%20notes/a","url":{"$url":"file:///srv/my%20notes/a"},
        "list":[{"$set":[{"$url":"file:///srv/my%20notes/b"},{"$url":"x:y"}]},1],
        "pairs":{"$dictionary":[[{"$url":"file:///srv/my%20notes/c"},{"k":{"$url":"file:///srv/my%20notes/d/"}}]]}}
        """#.utf8,
      depth: Limits.userInfoDepth
    )
    let wire = try JSON(
      parsing: #"""
        {"$$url":"file:///srv/my%20notes/a","text":"file:///srv/my%20notes/a","url":{"$url":"baton-folder:/Notes/a"},
        "list":[{"$set":[{"$url":"baton-folder:/Notes/b"},{"$url":"x:y"}]},1],
        "pairs":{"$dictionary":[[{"$url":"baton-folder:/Notes/c"},{"k":{"$url":"baton-folder:/Notes/d/"}}]]}}
        """#.utf8,
      depth: Limits.userInfoDepth
    )
    #expect(try notes.outward(local) == wire)
    #expect(try notes.inward(wire) == local)
  }

  @Test func nothingIsLostWhereTwoURLsBecomeOne() throws {
    let elements: JSON = [["$url": "file:///srv/my%20notes/a"], ["$url": "file:/srv/my%20notes/a"]]
    let set: JSON = ["k": ["$set": elements]]
    #expect(try notes.outward(set) == set)
    let pairs: JSON = [
      "k": [
        "$dictionary": [[["$url": "file:/srv/my%20notes/a"], 1], [["$url": "file:///srv/my%20notes/a"], elements]]
      ]
    ]
    guard case .dictionary(let result) = try UserInfoValue(json: try notes.outward(pairs)),
      case .dictionary(let inner) = result[.string("k")]
    else {
      Issue.record("No dictionary")
      return
    }
    let url = UserInfoValue.url("baton-folder:/Notes/a")
    #expect(
      inner == [.url("file:/srv/my%20notes/a"): .integer(1), .url("file:///srv/my%20notes/a"): .array([url, url])]
    )
  }

  @Test func theFormIsCanonicalAfterwards() throws {
    let shared = try folders(["A": "/z", "Z": "/a"])
    let local: JSON = ["k": ["$set": [["$url": "file:///a/1"], ["$url": "file:///z/1"]]]]
    let wire: JSON = ["k": ["$set": [["$url": "baton-folder:/A/1"], ["$url": "baton-folder:/Z/1"]]]]
    #expect(shared.outward(local) == wire)
    #expect(shared.inward(wire) == local)
  }

  @Test(arguments: [["k": ["$url": 1]], ["$other": "x"], "text", ["$set": [1, 1]]] as [JSON])
  func whatIsNoUserInfoIsLeft(json: JSON) throws {
    #expect(try notes.outward(json) == json)
    #expect(try notes.inward(json) == json)
  }

  // MARK: Which folders there may be

  @Test(arguments: ["a", "A.b_c-9", "...", ".hidden", String(repeating: "n", count: 63)])
  func theseNamesAreTaken(name: String) throws {
    #expect(try folders([name: "/srv"]).inward("baton-folder:/\(name)/a") == "file:///srv/a")
  }

  @Test(arguments: ["", ".", "..", "a b", "a/b", "é", "a%20", "a:b", String(repeating: "n", count: 64)])
  func otherNamesAreRefused(name: String) {
    #expect(throws: SharedFolders.Fault.self) { try folders([name: "/srv"]) }
  }

  @Test(arguments: ["", "srv", "~/notes", "./srv", "/srv/../etc", "/..", "/srv/."])
  func otherPathsAreRefused(path: String) {
    #expect(throws: SharedFolders.Fault.self) { try folders(["Notes": path]) }
  }

  @Test func aPathWithAZeroByteIsRefused() {
    #expect(throws: SharedFolders.Fault.self) { try folders(["Notes": "/srv/a\u{0}b"]) }
  }

  @Test func aNameStandsForOneFolder() {
    let fault = #expect(throws: SharedFolders.Fault.self) {
      try folders(["Notes": "/srv/a", "Notes": "/srv/b"])
    }
    #expect(fault?.description == "the folder Notes is listed twice")
  }

  @Test func theLimitsHold() throws {
    let longest = "/" + String(repeating: "p", count: SharedFolders.sharedFolderPathLength - 1)
    _ = try folders(["Notes": longest])
    #expect(throws: SharedFolders.Fault.self) { try folders(["Notes": longest + "p"]) }
    var shared = SharedFolders()
    for number in 1...SharedFolders.sharedFolders { try shared.add("f\(number)", at: "/srv/\(number)") }
    let fault = #expect(throws: SharedFolders.Fault.self) { try shared.add("more", at: "/srv/more") }
    #expect(fault?.description == "at most 16 folders can be shared")
    #expect(shared.outward("file:///srv/16/a") == "baton-folder:/f16/a")
  }

  @Test func theLargestDeliveryFitsBeforeAClient() throws {
    let shared = try folders(["N": "/" + String(repeating: " ", count: SharedFolders.sharedFolderPathLength - 1)])
    let item: JSON = ["$url": "baton-folder:/N"]
    let count = (Limits.userInfoLength - #"{"k":[]}"#.utf8.count) / (item.bytes.count + 1)
    let info = try UserInfo(json: ["k": .array(Array(repeating: item, count: count))])
    let delivered = shared.inward(info.json)
    #expect(delivered.bytes.count > 100 * Limits.userInfoLength)
    #expect(delivered.bytes.count < Limits.controlSendQueueLength / 2)
    #expect(shared.outward(delivered) == info.json)
  }
}
