// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The contents of a URL. They are invented, and the same on every machine.
struct Page: Equatable, Sendable {
  /// A line of the page, and where it links to.
  struct Line: Equatable, Sendable {
    var text: String
    var link: URL?
  }

  /// The width of the text in columns. It is the same on every terminal, so that a scroll position in lines means the
  /// same place.
  static let width = 68

  let title: String
  let lines: [Line]

  init(_ url: URL) {
    var invention = Invention(url.absoluteString)
    title = Address.title(of: url)
    var lines = [Line(text: title), Line(text: String(repeating: "=", count: min(title.count, Self.width)))]
    let kind = TabKind.allCases.first { url.host == "\($0.rawValue).example.org" } ?? .wiki
    for _ in 0..<invention.number(in: 20..<40) {
      let sentences = (0..<invention.number(in: 2..<6)).map { _ in invention.sentence() }
      lines += [Line(text: "")] + Self.wrapped(sentences.joined(separator: " ")).map { Line(text: $0) }
      let topic = invention.topic()
      lines.append(Line(text: "See also: \(topic)", link: Address.url(of: kind, topic)))
    }
    self.lines = lines
  }

  /// The indices of lines that are links.
  var links: [Int] { lines.indices.filter { lines[$0].link != nil } }

  /// Returns the existing line nearest to `line`.
  func clamped(_ line: Int) -> Int { min(max(line, 0), lines.count - 1) }

  private static func wrapped(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if !line.isEmpty, line.count + word.count >= width {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] = line.isEmpty ? String(word) : "\(line) \(word)"
      }
    }
    return lines
  }
}
