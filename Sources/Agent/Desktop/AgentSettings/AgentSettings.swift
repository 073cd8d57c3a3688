// SPDX-License-Identifier: Apache-2.0

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

  /// Reads a file; see ``ConfigurationLine``. A later value replaces an earlier one. An empty value restores the
  /// default.
  ///
  /// - Returns: What is wrong, with the number of its line. Such lines change nothing.
  package mutating func read(_ text: String) -> [String] {
    var faults: [String] = []
    for line in ConfigurationLine.lines(of: text) {
      guard let fault = obey(line) else { continue }
      guard faults.count < Limits.configurationFaults else {
        return faults + ["line \(line.number): too many errors; the rest of the file is ignored"]
      }
      faults.append("line \(line.number): \(fault)")
    }
    return faults
  }

  /// - Returns: What is wrong with the line.
  private mutating func obey(_ line: ConfigurationLine) -> String? {
    let section = line.section.flatMap { Section(rawValue: String($0)) }
    guard section != nil || line.section == nil else {
      // What follows in such a section is not reported.
      guard line.content == .section else { return nil }
      let sections = Section.allCases.map { "[\($0.rawValue)]" }.joined(separator: ", ")
      return "unknown section \(line.text.quoted); the sections are \(sections)"
    }
    guard let section, case .setting(let key, let value) = line.content else { return line.fault }
    switch section {
    case .search: return search.set(key, value, in: section.rawValue)
    case .files: return files.set(key, value, in: section.rawValue)
    case .clipboard: return clipboard.set(key, value, in: section.rawValue)
    case .playback: return playback.set(key, value, in: section.rawValue)
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
      if Self.removed.contains(where: { $0.hasBytes(of: key) }) { return ConfigurationLine.removed(key) }
      return ConfigurationLine.unknown(key, in: section, known: Self.keys)
    }
    do throws(UnusableSetting) {
      try set(String(key), to: value)
      return nil
    } catch {
      return error.message
    }
  }
}
