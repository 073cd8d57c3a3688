// SPDX-License-Identifier: Apache-2.0

import Activity

/// The `Exec=` of a desktop entry (Desktop Entry Specification 1.5, sections 6 and 7): a program and its arguments,
/// with field codes where values are inserted.
package struct ExecLine: Equatable, Sendable {
  private enum Part: Equatable, Sendable {
    case text(String)
    /// `%f` or `%u`: the only target, or the first.
    case one
    case name
    case path
  }

  private enum Argument: Equatable, Sendable {
    case parts([Part])
    /// `%F` or `%U`: all targets.
    case all
    case icon
  }

  /// The values of the field codes.
  package struct Fields: Equatable, Sendable {
    /// URLs or files.
    package var targets: [String]
    package var icon: String?
    package var name: String
    /// The path of the desktop entry.
    package var path: String

    package init(targets: [String] = [], icon: String? = nil, name: String, path: String) {
      self.targets = targets
      self.icon = icon
      self.name = name
      self.path = path
    }
  }

  private var arguments: [Argument] = []
  /// The field code for files or URLs. There is at most one.
  private var target: Unicode.Scalar?

  /// - Parameter text: The value, with the escapes of strings resolved.
  /// - Throws: `MalformedEntry` if quotes, reserved characters or field codes are malformed.
  package init(_ text: String) throws(MalformedEntry) {
    for word in try Self.words(text) { try append(word) }
    guard case .parts(let parts)? = arguments.first, case .text(let program)? = parts.first, parts.count == 1 else {
      throw MalformedEntry("Exec doesn't specify a program")
    }
    guard !program.unicodeScalars.contains("="),
      program.starts(withBytesOf: "/") || !program.unicodeScalars.contains("/")
    else {
      throw MalformedEntry("Exec doesn't start with a program's name or absolute path")
    }
  }

  /// Whether it has a place for a URL. Programs take `%f` and `%F` for local files only.
  package var takesURL: Bool { target == "u" || target == "U" }

  /// The program and its arguments. An argument that is only a field code without a value is left out.
  package func commandLine(_ fields: Fields) -> [String] {
    arguments.flatMap { argument -> [String] in
      switch argument {
      case .all: return fields.targets
      case .icon: return fields.icon.flatMap { $0.isEmpty ? nil : ["--icon", $0] } ?? []
      case .parts([.one]): return fields.targets.first.map { [$0] } ?? []
      case .parts(let parts):
        return [
          parts.map { part in
            switch part {
            case .text(let text): text
            case .one: fields.targets.first ?? ""
            case .name: fields.name
            case .path: fields.path
            }
          }.joined()
        ]
      }
    }
  }

  // MARK: Quoting

  private struct Word {
    var text = ""
    let isQuoted: Bool
  }

  /// The characters that must be quoted.
  private static let reserved = Set("\t\n\"'\\><~|&;$*?#()`".unicodeScalars)
  /// The characters that need a backslash within quotes.
  private static let escaped = Set("\"`$\\".unicodeScalars)

  private static func words(_ text: String) throws(MalformedEntry) -> [Word] {
    var words: [Word] = []
    var rest = text.unicodeScalars[...]
    guard !rest.contains("\0") else { throw MalformedEntry("Exec contains a zero byte") }
    while true {
      rest = rest.drop { $0 == " " }
      guard let first = rest.first else { return words }
      var word = Word(isQuoted: first == "\"")
      word.isQuoted ? try takeQuoted(&rest, &word.text) : try takePlain(&rest, &word.text)
      words.append(word)
    }
  }

  private static func takePlain(
    _ rest: inout Substring.UnicodeScalarView,
    _ text: inout String
  ) throws(MalformedEntry) {
    while let scalar = rest.first, scalar != " " {
      guard !reserved.contains(scalar) else { throw MalformedEntry("Exec has an unquoted \(scalar.debugDescription)") }
      text.unicodeScalars.append(scalar)
      rest.removeFirst()
    }
  }

  private static func takeQuoted(
    _ rest: inout Substring.UnicodeScalarView,
    _ text: inout String
  ) throws(MalformedEntry) {
    rest.removeFirst()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"":
        guard rest.first == nil || rest.first == " " else {
          throw MalformedEntry("Exec has an argument that is only partly quoted")
        }
        return
      case "\\":
        guard let next = rest.popFirst(), escaped.contains(next) else {
          throw MalformedEntry("Exec has an unknown escape sequence in quotes")
        }
        text.unicodeScalars.append(next)
      case "`", "$": throw MalformedEntry("Exec has a \(scalar) in quotes without a backslash")
      default: text.unicodeScalars.append(scalar)
      }
    }
    throw MalformedEntry("Exec has an unclosed quote")
  }

  // MARK: Field codes

  private mutating func append(_ word: Word) throws(MalformedEntry) {
    switch word.text {
    case "%F" where !word.isQuoted, "%U" where !word.isQuoted:
      try take(target: word.text == "%F" ? "F" : "U")
      return arguments.append(.all)
    case "%i" where !word.isQuoted: return arguments.append(.icon)
    case "%d" where !word.isQuoted, "%D" where !word.isQuoted, "%n" where !word.isQuoted, "%N" where !word.isQuoted,
      "%v" where !word.isQuoted, "%m" where !word.isQuoted:
      return
    default: break
    }
    var parts: [Part] = []
    var text = ""
    func flush() {
      if !text.isEmpty { parts.append(.text(text)) }
      text = ""
    }
    var rest = word.text.unicodeScalars.makeIterator()
    while let scalar = rest.next() {
      guard scalar == "%" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      guard let code = rest.next() else { throw MalformedEntry("Exec has an unknown field code") }
      guard !word.isQuoted || code == "%" else { throw MalformedEntry("Exec has a field code in quotes") }
      switch code {
      case "%": text += "%"
      case "f", "u":
        try take(target: code)
        flush()
        parts.append(.one)
      case "c":
        flush()
        parts.append(.name)
      case "k":
        flush()
        parts.append(.path)
      case "d", "D", "n", "N", "v", "m": break
      case "F", "U", "i": throw MalformedEntry("Exec has a %F, %U or %i that isn't an argument by itself")
      default: throw MalformedEntry("Exec has an unknown field code")
      }
    }
    flush()
    arguments.append(.parts(parts.isEmpty ? [.text("")] : parts))
  }

  private mutating func take(target code: Unicode.Scalar) throws(MalformedEntry) {
    guard target == nil else { throw MalformedEntry("Exec has more than one of %f, %F, %u and %U") }
    target = code
  }
}
