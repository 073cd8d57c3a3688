import Activity

/// The settings of search: the section `[Search]` of agent.conf(5).
package struct SearchSettings: Equatable, Sendable {
  /// Which teams learn what is eligible for public indexing.
  package enum Teams: Equatable, Sendable {
    case all
    /// Names or IDs of teams, separated by commas in the file. Empty for none.
    case named([String])

    package static let none = Teams.named([])

    /// Returns the teams among these.
    ///
    /// - Parameter teams: The teams' IDs as people see them, and their names.
    /// - Returns: The IDs, and the names for which there is no team, or more than one.
    package func chosen(among teams: [(id: String, name: String)]) -> (ids: Set<String>, unclear: [String]) {
      guard case .named(let names) = self else { return (Set(teams.map(\.id)), []) }
      var (ids, unclear): (Set<String>, [String]) = ([], [])
      for name in names {
        let exact = teams.filter { $0.id == name.uppercased() }
        let meant = exact.isEmpty ? teams.filter { $0.name == name } : exact
        if meant.count == 1 { ids.insert(meant[0].id) } else { unclear.append(name) }
      }
      return (ids, unclear)
    }
  }

  /// `Enabled`: whether anything is kept. If not, what was kept is deleted.
  package var isEnabled = true
  /// `Suggestions`: whether times of use are kept, and what is likely next is suggested.
  package var suggests = true
  /// `ShareWith`
  package var teams = Teams.none

  /// The teams with which to share: none if nothing is kept.
  package var sharedTeams: Teams { isEnabled ? teams : .none }

  package init() {}

  /// Reads a file (systemd's syntax: sections, `Key=Value`, comments after `#` or `;`). A later value replaces an
  /// earlier one; an empty value restores the default.
  ///
  /// - Returns: What is wrong, with the number of its line. Such lines change nothing.
  package mutating func read(_ text: String) -> [String] {
    var faults: [String] = []
    var section: Substring?
    // As in batond.conf: a byte order mark is ignored, and each of these ends a line.
    let content = text.unicodeScalars.first == "\u{FEFF}" ? Substring(text.unicodeScalars.dropFirst()) : text[...]
    let lines = content.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n", "\0"].contains($0) }
    for (index, line) in lines.enumerated() {
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      var fault: String?
      if line.hasPrefix("["), line.hasSuffix("]") {
        section = line.dropFirst().dropLast()
        if section != "Search" { fault = "there is no section \(line.quoted), only [Search]" }
      } else if section == nil || section == "Search" {
        // An unknown section was reported where it begins.
        fault = set(line, isInSection: section != nil)
      }
      guard let fault else { continue }
      guard faults.count < Limits.configurationFaults else {
        return faults + ["line \(index + 1): there are too many faults; the rest is not read"]
      }
      faults.append("line \(index + 1): \(fault)")
    }
    return faults
  }

  /// - Returns: What is wrong with the line.
  private mutating func set(_ line: Substring, isInSection: Bool) -> String? {
    guard let equals = line.firstIndex(of: "=") else { return "a line is [Search] or Key=Value, not \(line.quoted)" }
    let key = line[..<equals].trimmed
    guard isInSection else { return "\(key.quoted) is not in a section" }
    let value = line[line.index(after: equals)...].trimmed
    let usual = SearchSettings()
    switch key {
    case "Enabled": return set(value, \.isEnabled, usual.isEnabled)
    case "Suggestions": return set(value, \.suggests, usual.suggests)
    case "ShareWith": return share(with: value)
    default: return "there is no key \(key.quoted) in section [Search], which has Enabled, Suggestions, ShareWith"
    }
  }

  private mutating func share(with value: Substring) -> String? {
    let names = value.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
    let word = names.first { ["all", "none"].contains($0.lowercased()) }
    if let word, names.count > 1 { return "\"\(word)\" stands alone; there are other teams beside it" }
    guard names.count <= Limits.sharingTeams else { return "at most \(Limits.sharingTeams) teams can be named" }
    teams = word.map { $0.lowercased() == "all" ? .all : .none } ?? .named(names)
    return nil
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
    default: return "expected yes or no, not \(value.quoted)"
    }
    return nil
  }
}

extension Substring {
  /// For a message: one short line.
  fileprivate var quoted: String { String(prefix(60)).debugDescription }

  fileprivate var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? start.prefix(0)
  }
}
