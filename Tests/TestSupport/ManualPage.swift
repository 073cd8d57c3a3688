// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A manual page, read for the commands and options that it describes.
package struct ManualPage {
  private static let directory = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Documentation/reference/man")

  /// The name of its file: `baton-team.1`.
  package let name: String
  private let lines: [String]

  /// - Parameter name: The name of a file in `Documentation/reference/man`.
  package init(_ name: String) throws {
    self.name = name
    let text = try String(contentsOf: Self.directory.appending(path: name), encoding: .utf8)
    lines = text.split(separator: "\n").map(String.init)
  }

  /// All pages, in the order of their names.
  package static func all() throws -> [ManualPage] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted().map { try ManualPage($0) }
  }

  /// The page as others refer to it: `baton-team(1)`.
  package var reference: String {
    let parts = name.split(separator: ".")
    return "\(parts.dropLast().joined(separator: "."))(\(parts.last ?? ""))"
  }

  /// The names by which it is found: `baton-search` and `baton-suggest`.
  package var names: [String] {
    let line = sections.first { $0.title == "NAME" }?.lines.first ?? ""
    return Self.text(line).components(separatedBy: " - ")[0].components(separatedBy: ", ")
  }

  /// Whether it refers to another page, in a line of its own.
  package func refers(to page: ManualPage) -> Bool {
    lines.contains { Self.text($0).hasPrefix(page.reference) }
  }

  /// The hanging paragraphs of the synopsis: `baton team invite [--team ID]`.
  package var synopses: [String] {
    sections.filter { $0.title == "SYNOPSIS" }.flatMap { Self.split($0.lines, at: ".HP") }
      .map { $0.lines.map(Self.text).joined(separator: " ") }
  }

  /// A heading and what is below it, up to the next of its kind or of a higher kind.
  package struct Section {
    package let title: String
    fileprivate let lines: [String]

    /// The tags of paragraphs that begin with a dash: `--type TYPE`.
    package var optionTags: [String] {
      zip(lines, lines.dropFirst()).filter { [".TP", ".TQ"].contains($0.0) }.map { ManualPage.text($0.1) }
        .filter { $0.hasPrefix("-") }
    }

    /// The paragraphs with tags: each tag, and the first line below it.
    package var entries: [(tag: String, line: String)] {
      ManualPage.split(lines, at: ".TP").map(\.lines).filter { $0.count > 1 }
        .map { (ManualPage.text($0[0]), ManualPage.text($0[1])) }
    }
  }

  package var sections: [Section] { Self.split(lines, at: ".SH ") }

  /// The subsections of a section.
  package func subsections(of title: String) -> [Section] {
    sections.filter { $0.title == title }.flatMap { Self.split($0.lines, at: ".SS ") }
  }

  /// The rows of tables that begin with a number: the exit statuses, each with a tab and its meaning.
  package var numberedRows: [String] {
    lines.filter { $0.first?.isNumber == true && $0.contains("\t") }.map { $0.replacing("\\-", with: "-") }
  }

  private static func split(_ lines: [String], at macro: String) -> [Section] {
    let parts = lines.split(omittingEmptySubsequences: false) { $0.hasPrefix(macro) }.dropFirst()
    let titles = lines.filter { $0.hasPrefix(macro) }.map(text)
    return zip(titles, parts).map { Section(title: $0, lines: Array($1)) }
  }

  /// The text of a line, without macro and fonts. The macros with two fonts, such as `BI`, join their arguments without
  /// a space.
  private static func text(_ line: String) -> String {
    guard line.hasPrefix(".") else { return plain(line) }
    let macro = line.prefix { $0 != " " }
    var arguments = [""]
    var isQuoted = false
    for character in line.dropFirst(macro.count + 1) {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        arguments.append("")
      } else {
        arguments[arguments.count - 1].append(character)
      }
    }
    let isJoined = macro.count == 3 && !macro.hasPrefix(".S")
    return plain(arguments.joined(separator: isJoined ? "" : " "))
  }

  private static func plain(_ text: String) -> String {
    let withoutFonts = ["\\fB", "\\fI", "\\fR"].reduce(text) { $0.replacing($1, with: "") }
    return withoutFonts.replacing("\\ ", with: " ").replacing("\\-", with: "-")
  }
}
