// SPDX-License-Identifier: Apache-2.0

import Activity

@testable import Desktop

/// What a domain says of the apps that may show its pages: the rest of a page's URL, and the file.
enum AssociationFuzzer: Fuzzer {
  static var seeds: [[UInt8]] {
    let components = ##"""
      [{"#": "no_universal_links", "exclude": true, "comment": 7}, {"/": "/buy/*"},
       {"/": "/help/$(lang)/*", "?": {"articleNumber": "????"}, "caseSensitive": false}]
      """##
    let details = #"[{"appIDs":["K7Q2M9XW4T.a"],"components":\#(components)},{"appID":"X.b","paths":["NOT /a/*","*"]}]"#
    let files = [
      #"{"applinks":{"details":\#(details),"defaults":{"percentEncoded":false},"substitutionVariables":{"a":["b*","?"]}}}"#,
      #"{"activitycontinuation":{"apps":["K7Q2M9XW4T.a"]}}"#,
      #"{"applinks":{"apps":[],"details":{"K7Q2M9XW4T.a":{"paths":["/$(a)"]}}}}"#,
    ]
    let page = Array("help/en/a?articleNumber=1234&x#f".utf8)
    return files.map { [UInt8(page.count)] + page + Array($0.utf8) }
  }

  static let words = [
    "applinks", "activitycontinuation", "apps", "details", "appIDs", "appID", "components", "paths", "defaults",
    "substitutionVariables", "exclude", "caseSensitive", "percentEncoded", "K7Q2M9XW4T.a", "$(lang)", "$(region)",
    "$(alpha)", "$(a)", "NOT ", "\"?\":{", "true", "%41",
  ]

  private static let entries: [DesktopEntry] = ["", "X-Baton-TeamID=K7Q2M9XW4T"].compactMap { line in
    let lines = ["[Desktop Entry]", "Type=Application", "Name=A", "Exec=a %u", "X-Baton-Domains=a.org", line]
    guard let file = try? DesktopFile(Array(lines.joined(separator: "\n").utf8)) else { return nil }
    return try? DesktopEntry(id: "a", path: "/a.desktop", file)
  }

  static func run(_ input: [UInt8]) throws {
    same(entries.count, 2)
    var choices = Choices(input)
    let rest = String(decoding: choices.bytes(), as: UTF8.self)
    guard let association = Association(choices.remaining()), let page = WebPage("https://a.org/" + rest) else {
      return
    }
    func verdict(_ entry: DesktopEntry) -> Bool? {
      var matching = LinkMatching(page)
      return try? association.confirms(entry, &matching)
    }
    let verdicts = entries.map(verdict)
    same(entries.map(verdict), verdicts, "It says something else the second time")
  }
}
