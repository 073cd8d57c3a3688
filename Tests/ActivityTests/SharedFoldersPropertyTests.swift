// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import SeededGenerator
import Testing

/// Random folders and URLs, compared with what Foundation takes a file URL to name.
struct SharedFoldersPropertyTests {
  private static let names = ["Notes", "notes", "a", "..."]
  private static let paths = ["/", "/srv", "/srv/notes", "/srv/notes2", "/srv/a b", "/é/%2e%2e", "/srv/notes/sub/deep"]
  private static let parts = [
    "/", "/", "/", "srv", "notes", "notes2", "sub", "deep", "a%20b", "a b", "%C3%A9", "é", "%252e%252e", ".", "..",
    "%2e",
    "%2F", "%5C", "\\", "%00", "\u{0}", "%", "%0A", "\n", " ", "?", "#", "...", "Notes", "a", ":", "%FF", "\u{301}",
    ";",
  ]

  private struct Sample {
    var shared = SharedFolders()
    /// Paths by name.
    var folders: [String: String] = [:]

    init(using generator: inout SeededGenerator) throws {
      for name in names where Bool.random(using: &generator) {
        let path = paths[Int.random(in: 0..<paths.count, using: &generator)]
        try shared.add(name, at: path)
        folders[name] = path
      }
    }
  }

  private func random(_ beginnings: [String], using generator: inout SeededGenerator) -> String {
    let count = Int.random(in: 0...8, using: &generator)
    let rest = (0..<count).map { _ in Self.parts[Int.random(in: 0..<Self.parts.count, using: &generator)] }
    return beginnings[Int.random(in: 0..<beginnings.count, using: &generator)] + rest.joined()
  }

  /// Returns the path that a file URL names, its query and its fragment; nil if Foundation finds no path.
  private func document(_ url: String) -> [String]? {
    guard let parsed = URLComponents(string: url), parsed.scheme == "file" else { return nil }
    return [parsed.percentEncodedPath.removingPercentEncoding ?? parsed.percentEncodedPath.uppercased()]
      + [parsed.percentEncodedQuery ?? "-", parsed.percentEncodedFragment ?? "-"]
  }

  @Test(arguments: 1...8) func outwardThenInwardIsTheSameDocument(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mapped = 0
    for _ in 0..<1000 {
      let sample = try Sample(using: &generator)
      let url = random(
        ["file:///", "file:///srv/", "file:/srv/notes", "file://localhost/srv/notes/"],
        using: &generator
      )
      let wire = sample.shared.outward(url)
      let back = sample.shared.inward(wire)
      guard wire != url else {
        #expect(back == url)
        continue
      }
      mapped += 1
      #expect(wire.hasPrefix("baton-folder:/"))
      #expect(document(back) != nil)
      #expect(document(back) == document(url), "\(url) became \(back)")
      #expect(sample.shared.outward(back) == wire)
      let info: JSON = ["k": [["$url": .string(url)]]]
      #expect(sample.shared.inward(sample.shared.outward(info)) == ["k": [["$url": .string(back)]]])
    }
    #expect(mapped > 50, "The generator makes too few URLs in folders")
  }

  @Test(arguments: 1...8) func inwardNeverLeavesTheFolder(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 100 + seed)
    var mapped = 0
    for _ in 0..<2000 {
      let sample = try Sample(using: &generator)
      let name = Self.names[Int.random(in: 0..<Self.names.count, using: &generator)]
      let url = random(["baton-folder:/\(name)/", "baton-folder:/\(name)", "baton-folder:"], using: &generator)
      let file = sample.shared.inward(url)
      guard file != url else { continue }
      mapped += 1
      let written = url.dropFirst("baton-folder:/".count).prefix { !["/", "?", "#"].contains($0) }
      let folder = try #require(sample.folders[String(written)])
      // Check both the path of the URL, and what a program sees that takes everything after the scheme for a path.
      let path = try #require(URLComponents(string: file)).percentEncodedPath
      for text in [path, String(file.dropFirst("file://".count))] {
        let decoded = try #require(PercentEncoding.decode(text))
        #expect(!decoded.contains(0))
        let components = decoded.split(separator: UInt8(ascii: "/")).map(Array.init)
        #expect(components.allSatisfy { $0 != Array("..".utf8) && $0 != Array(".".utf8) }, "\(url) became \(file)")
      }
      let decoded = try #require(PercentEncoding.decode(path))
      let base = Array(folder.utf8)
      #expect(
        decoded == base || decoded.starts(with: folder == "/" ? base : base + "/".utf8),
        "\(url) became \(file), which is not in \(folder)"
      )
    }
    #expect(mapped > 100, "The generator makes too few URLs in folders")
  }
}
