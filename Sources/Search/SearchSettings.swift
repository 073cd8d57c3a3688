import Activity

/// The settings of search: the section `[Search]` of agent.conf(5).
package struct SearchSettings: Equatable, Sendable {
  /// Which teams learn what is eligible for public indexing.
  package enum Teams: Equatable, Sendable {
    case all
    /// Names or IDs of teams, separated by commas in the file. Empty for none.
    case named([String])

    package static let none = Teams.named([])
  }

  /// `Enabled`: whether anything is kept. If not, what was kept is deleted.
  package var isEnabled = true
  /// `Suggestions`: whether times of use are kept, and what is likely next is suggested.
  package var suggests = true
  /// `ShareWith`
  package var teams = Teams.none

  package init() {}

  /// Reads a file (systemd's syntax: sections, `Key=Value`, comments after `#` or `;`). A later value replaces an
  /// earlier one; an empty value restores the default.
  ///
  /// - Returns: What is wrong, with the number of its line. Such lines change nothing.
  package mutating func read(_ text: String) -> [String] {
    var faults: [String] = []
    var section: Substring = ""
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.trimmed
      guard let first = line.first, first != "#", first != ";" else { continue }
      if first == "[", line.last == "]" {
        section = line.dropFirst().dropLast()
        if section != "Search" { faults.append("line \(index + 1): there is no section \(line)") }
      } else if section == "Search" || section.isEmpty, let fault = set(line, section) {
        faults.append("line \(index + 1): \(fault)")
      }
      if faults.count == Limits.configurationFaults { break }
    }
    return faults
  }

  /// - Returns: What is wrong with the line.
  private mutating func set(_ line: Substring, _ section: Substring) -> String? {
    guard !section.isEmpty else { return "a key must follow [Search]" }
    guard let equals = line.firstIndex(of: "=") else { return "a line is [Search] or Key=Value" }
    let value = line[line.index(after: equals)...].trimmed
    let usual = SearchSettings()
    switch line[..<equals].trimmed {
    case "Enabled": return set(value, \.isEnabled, usual.isEnabled)
    case "Suggestions": return set(value, \.suggests, usual.suggests)
    case "ShareWith":
      let names = value.split(separator: ",").map { String($0.trimmed) }
      guard names.count <= Limits.sharingTeams else { return "ShareWith names more than \(Limits.sharingTeams) teams" }
      teams = names == ["all"] ? .all : names == ["none"] ? .none : .named(names)
      return nil
    case let key: return "there is no key \(key) in [Search], which has Enabled, Suggestions and ShareWith"
    }
  }

  private mutating func set(
    _ value: Substring,
    _ key: WritableKeyPath<SearchSettings, Bool>,
    _ usual: Bool
  ) -> String? {
    switch value.lowercased() {
    case "": self[keyPath: key] = usual
    case "yes", "true", "on", "1": self[keyPath: key] = true
    case "no", "false", "off", "0": self[keyPath: key] = false
    default: return "\(value) is neither yes nor no"
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? start.prefix(0)
  }
}
