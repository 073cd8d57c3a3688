import Foundation

/// A manual page, read for what it says about options.
package struct ManualPage {
  private let lines: [String]

  /// - Parameter name: The name of a file in `Documentation/reference/man`.
  package init(_ name: String) throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Documentation/reference/man/\(name)")
    lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// A heading and what is below it, up to the next of its kind or of a higher kind.
  package struct Section {
    package let title: String
    fileprivate let lines: [String]

    /// The tags of paragraphs that begin with a dash: `--type TYPE`.
    package var optionTags: [String] {
      zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" }.map { ManualPage.text($0.1) }.filter { $0.hasPrefix("-") }
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

  /// The text of a line with a macro. The macros with two fonts, such as `BI`, join their arguments without a space.
  private static func text(_ line: String) -> String {
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
    return arguments.joined(separator: isJoined ? "" : " ").replacing("\\-", with: "-")
  }
}
