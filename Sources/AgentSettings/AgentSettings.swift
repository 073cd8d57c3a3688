import Activity

/// The settings of the agent: agent.conf(5).
package struct AgentSettings: Equatable, Sendable {
  package var search = SearchSettings()
  package var files = FileSettings()
  package var clipboard = ClipboardSettings()
  package var playback = PlaybackSettings()

  package init() {}

  private enum Section: String, CaseIterable {
    case search = "Search"
    case files = "Files"
    case clipboard = "Clipboard"
    case playback = "Playback"
  }

  /// Reads a file (systemd's syntax: sections, `Key=Value`, comments after `#` or `;`). A later value replaces an
  /// earlier one; an empty value restores the default.
  ///
  /// - Returns: What is wrong, with the number of its line. Such lines change nothing.
  package mutating func read(_ text: String) -> [String] {
    var faults: [String] = []
    var section: Substring?
    for (index, line) in text.configurationLines.enumerated() {
      let line = line.trimmed
      if line.isEmpty || line.starts(withBytesOf: "#") || line.starts(withBytesOf: ";") { continue }
      var fault: String?
      if line.starts(withBytesOf: "["), line.ends(withBytesOf: "]") {
        section = line.rest(afterBytesOf: "[")?.start(beforeBytesOf: "]")
        if section.map({ Section(rawValue: String($0)) }) == .some(nil) {
          let sections = Section.allCases.map { "[\($0.rawValue)]" }.joined(separator: ", ")
          fault = "there is no section \(line.quoted), only \(sections)"
        }
      } else {
        fault = set(line, in: section)
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
  private mutating func set(_ line: Substring, in name: Substring?) -> String? {
    let section = name.flatMap { Section(rawValue: String($0)) }
    // A section that does not exist was reported where it begins.
    if name != nil, section == nil { return nil }
    guard let equals = line.unicodeScalars.firstIndex(of: "=") else {
      return "a line is a [Section] or Key=Value, not \(line.quoted)"
    }
    let key = line[..<equals].trimmed
    let value = line.rest(after: equals).trimmed
    switch section {
    case .search: return search.set(key, value, in: "Search")
    case .files: return files.set(key, value, in: "Files")
    case .clipboard: return clipboard.set(key, value, in: "Clipboard")
    case .playback: return playback.set(key, value, in: "Playback")
    case nil: return "\(key.quoted) is not in a section"
    }
  }
}

/// One section of agent.conf.
package protocol SettingsSection: Equatable, Sendable {
  init()

  static var keys: [String] { get }

  /// Keys of earlier versions. Nothing depends on them.
  static var removed: [String] { get }

  /// - Parameter value: Empty for the default.
  /// - Throws: What is wrong with the value. Nothing is changed then.
  mutating func set(_ key: String, to value: Substring) throws(UnusableSetting)
}

extension SettingsSection {
  package static var removed: [String] { [] }

  /// - Returns: What is wrong.
  fileprivate mutating func set(_ key: Substring, _ value: Substring, in section: String) -> String? {
    guard Self.keys.contains(String(key)) else {
      if Self.removed.contains(where: { $0.hasBytes(of: key) }) {
        return "the key \(key.quoted) is no longer used; you can delete the line"
      }
      return "there is no key \(key.quoted) in section [\(section)], which has \(Self.keys.joined(separator: ", "))"
    }
    do throws(UnusableSetting) {
      try set(String(key), to: value)
      return nil
    } catch {
      return error.message
    }
  }
}

/// Why a value cannot be used, in words.
package struct UnusableSetting: Error, Equatable, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }
}
