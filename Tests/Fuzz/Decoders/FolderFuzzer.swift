// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// File URLs that travel between machines whose folders are in different places. No URL leads out of a folder.
enum FolderFuzzer: Fuzzer {
  static let seeds = [
    "baton-folder:/Notes/a%20b", "file:///srv/notes/a", "file://localhost/srv/notes/../a",
    "baton-folder:/Notes/%2e%2e/a",
    "file:/srv/my%20notes/a?b#c", "baton-folder:/Root/etc", #"{"a":{"$url":"file:///srv/notes/a"}}"#,
  ].map { Array($0.utf8) }

  static let words = [
    "baton-folder:/", "file://", "Notes", "Deep", "/srv/notes", "/srv/notes/deep", "%2e%2e", "%2F", "..", "%00",
  ]

  private static let folders: SharedFolders = {
    var folders = SharedFolders()
    for (name, path) in [("Notes", "/srv/notes"), ("Deep", "/srv/notes/deep"), ("Other", "/home/a b/ü")] {
      try? folders.add(name, at: path)
    }
    return folders
  }()

  static let length = 1024

  static func run(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    let outward = folders.outward(text)
    if outward != text { check(folders.inward(outward)) }
    let inward = folders.inward(text)
    if inward != text {
      check(inward)
      // The deepest folder names it, and the result leads to the same place.
      same(folders.inward(folders.outward(inward)), inward)
    }
    guard let json = try? JSON(parsing: input, depth: Limits.messageDepth), let userInfo = try? UserInfo(json: json)
    else {
      return
    }
    let here = folders.inward(folders.outward(userInfo.json))
    same(folders.inward(folders.outward(here)), here)
  }

  private static func check(_ url: String) {
    guard let rest = url.rest(afterBytesOf: "file://"), rest.starts(withBytesOf: "/") else {
      fatalError("\(url) is of no file")
    }
    let path = rest.scalarPrefix(while: { $0 != "?" && $0 != "#" })
    guard let bytes = PercentEncoding.decode(path) else { fatalError("\(url) is badly encoded") }
    let names = bytes.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    hold(!names.contains("..") && !names.contains(".") && !bytes.contains(0), "\(url) leads elsewhere")
    hold(names.starts(with: ["srv", "notes"]) || names.starts(with: ["home", "a b", "ü"]), "\(url) is in no folder")
  }
}
