// SPDX-License-Identifier: Apache-2.0

import Activity

/// The text of a shell's startup file.
struct ShellScript {
  private let lines: [Substring]
  /// The index of an unindented `return` or `exit` that nothing guards. The shell reads nothing after it. Nil if it
  /// reads everything. Only the shell knows for sure; in doubt, it does.
  private let end: Int?

  init(_ text: String) {
    let lines = text.split(atScalar: "\n", omittingEmptySubsequences: false)
    self.lines = lines
    end = lines.indices.first { index in
      Self.isEnd(lines[index]) && lines[..<index].last(where: Self.isCode).map(Self.guardsNext) != true
        && lines[(index + 1)...].first(where: Self.isCode).map(Self.closesBlock) != true
    }
  }

  /// What the shell reads.
  var reached: String { lines[..<(end ?? lines.endIndex)].joined(separator: "\n") }

  /// The line with which it ends early, and its number, from 1.
  var lastLine: (number: Int, text: Substring)? { end.map { ($0 + 1, lines[$0]) } }

  private static func words(_ line: Substring) -> [Substring] { line.splitScalars { $0 == " " || $0 == "\t" } }

  private static func isCode(_ line: Substring) -> Bool {
    words(line).first.map { !$0.starts(withBytesOf: "#") } ?? false
  }

  private static func isEnd(_ line: Substring) -> Bool {
    guard ["return", "exit"].contains(where: { line.starts(withBytesOf: $0) }) else { return false }
    let words = words(line).prefix { !$0.starts(withBytesOf: "#") }
    return ["return", "exit"].contains(words[0]) && (words.count == 1 || words.count == 2 && Int(words[1]) != nil)
  }

  /// Whether it depends on this line if the next one is run.
  private static func guardsNext(_ line: Substring) -> Bool {
    ["\\", "&&", "||"].contains { line.trimmed.ends(withBytesOf: $0) }
  }

  /// Whether this line ends a block, or a part of it.
  private static func closesBlock(_ line: Substring) -> Bool {
    // Before a semicolon: `;;` becomes an empty word.
    let word = words(line)[0].scalarPrefix { $0 != ";" }
    return ["", "fi", "else", "elif", "esac", "done", "end", "case", "}", ")"].contains(word)
  }
}
