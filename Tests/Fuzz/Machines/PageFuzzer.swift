// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop

/// Which apps may show a page, according to several domains in any order. The order changes nothing, and all share one
/// budget.
enum PageFuzzer: Fuzzer {
  static var seeds: [[UInt8]] {
    let file = #"{"applinks":{"details":[{"appIDs":["K7Q2M9XW4T.a"],"components":[{"/":"/*"}]}]}}"#
    return [[0, 1, 2, UInt8(file.utf8.count)] + Array(file.utf8), [2, 1, 0, 0, 3] + Array("{}x".utf8)]
  }

  static let words = AssociationFuzzer.words

  private static let entries: [DesktopEntry] = (0..<3).compactMap { number in
    let lines = [
      "[Desktop Entry]", "Type=Application", "Name=A", "Exec=a %u", "X-Baton-Domains=0.org;1.org",
      "X-Baton-TeamID=K7Q2M9XW4T",
    ]
    guard let file = try? DesktopFile(Array(lines.joined(separator: "\n").utf8)) else { return nil }
    return try? DesktopEntry(id: "a\(number == 0 ? "" : "\(number)")", path: "/a\(number).desktop", file)
  }

  static func run(_ input: [UInt8]) throws {
    same(entries.count, 3)
    guard let page = WebPage("https://0.org/help/a?x=1&x=2#f") else { fatalError("There is no page") }
    var choices = Choices(input)
    let first = choices.number(below: 3)
    let claims = (0..<3).map { (entries[($0 + first) % 3], "\($0 % 2).org") }
    let isFirst = choices.flag()
    let steps = choices.pick([Limits.pageSteps, 100_000, 1000, 0])
    let (one, other) = (choices.bytes(), choices.remaining())
    func outcome(_ order: [(String, [UInt8]?)]) -> [String]? {
      var pages = PageClaims(page, claims, steps: steps)
      for (domain, file) in order { pages.answer(domain, file) }
      hold(pages.domains == ["0.org", "1.org"], "Others are asked")
      return pages.applications?.map(\.id)
    }
    let answers: [(String, [UInt8]?)] = [("0.org", one), ("1.org", other.isEmpty ? nil : other)]
    guard let applications = outcome(isFirst ? answers : answers.reversed()) else {
      fatalError("All have answered, and nothing is decided")
    }
    same(outcome(isFirst ? answers.reversed() : answers), applications, "The order counts")
    hold(Set(applications).count == applications.count, "An app twice")
  }
}
