// SPDX-License-Identifier: Apache-2.0

/// A line of a configuration file, other than comments and empty lines. The syntax is systemd's: sections, `Key=Value`,
/// and comments after `#` or `;`.
package struct ConfigurationLine: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    /// It begins ``ConfigurationLine/section``.
    case section
    case setting(key: Substring, value: Substring)
    case neither
  }

  /// Its number in the file; the first is 1.
  package let number: Int
  /// Without white space at its ends.
  package let text: Substring
  /// The name of the section in which it is; nil before the first one.
  package let section: Substring?
  package let content: Content

  /// Returns the lines of a file, without comments and empty ones.
  package static func lines(of text: String) -> [ConfigurationLine] {
    var section: Substring?
    return zip(1..., text.configurationLines).compactMap { number, line in
      let line = line.trimmed
      if line.isEmpty || line.starts(withBytesOf: "#") || line.starts(withBytesOf: ";") { return nil }
      let name = line.rest(afterBytesOf: "[")?.start(beforeBytesOf: "]")
      if let name { section = name }
      let content = name == nil ? Content(setting: line) : .section
      return ConfigurationLine(number: number, text: line, section: section, content: content)
    }
  }

  /// The fault of a line that is outside of all sections, or neither begins one nor sets a key.
  package var fault: String? {
    switch content {
    case .neither: "a line must be [Section] or Key=Value, not \(text.quoted)"
    case .setting(let key, _) where section == nil: "\(key.quoted) isn't in a section"
    case .section, .setting: nil
    }
  }

  /// The fault of a line whose key existed in earlier versions.
  package static func removed(_ key: Substring) -> String {
    "the key \(key.quoted) is no longer used; you can delete the line"
  }

  /// Says that a section has no such key.
  ///
  /// - Parameter known: The keys that it has.
  package static func unknown(_ key: some StringProtocol, in section: String, known: [String]) -> String {
    "unknown key \(key.quoted) in section [\(section)]; the keys are \(known.joined(separator: ", "))"
  }
}

extension ConfigurationLine.Content {
  fileprivate init(setting line: Substring) {
    guard let equals = line.unicodeScalars.firstIndex(of: "=") else {
      self = .neither
      return
    }
    self = .setting(key: line[..<equals].trimmed, value: line.rest(after: equals).trimmed)
  }
}
