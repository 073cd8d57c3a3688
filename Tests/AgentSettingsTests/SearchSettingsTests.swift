// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Foundation
import Testing

struct SearchSettingsTests {
  /// Reads files one after the other, as the machine's and the user's.
  private func read(_ texts: String...) -> (settings: SearchSettings, faults: [String]) {
    var settings = AgentSettings()
    var faults: [String] = []
    for text in texts { faults += settings.read(text) }
    return (settings.search, faults)
  }

  private func good(_ text: String) throws -> SearchSettings {
    let (settings, faults) = read(text)
    try #require(faults.isEmpty, "\(faults)")
    return settings
  }

  @Test func everythingStaysOnThisMachineByDefault() {
    let usual = SearchSettings()
    #expect(usual.isEnabled)
    #expect(usual.suggests)
    #expect(usual.teams == .none)
  }

  @Test func anEmptyFileIsTheDefaults() throws {
    let text = "\n# Enabled=no\n ; ShareWith=all\n[Search]\nEnabled=\nSuggestions=\t\nShareWith= \n"
    #expect(try good(text) == SearchSettings())
    #expect(try good("") == SearchSettings())
  }

  @Test(arguments: [
    ("yes", true), ("true", true), ("on", true), ("1", true), ("YES", true), ("no", false), ("false", false),
    ("off", false), ("0", false), ("No", false),
  ])
  func aSwitchIsWrittenInSeveralWays(value: String, isOn: Bool) throws {
    let text = "[Search]\nEnabled=no\nSuggestions=yes\n Enabled = \(value) \nSuggestions=\(value)"
    let settings = try good(text)
    #expect(settings.isEnabled == isOn)
    #expect(settings.suggests == isOn)
  }

  @Test func teamsAreNamedOrAllOrNone() throws {
    #expect(
      try good("[Search]\nShareWith= Home ,My Work,,0123456789,\n").teams == .named(["Home", "My Work", "0123456789"])
    )
    #expect(try good("[Search]\nShareWith=all").teams == .all)
    #expect(try good("[Search]\nShareWith=All\n").teams == .all)
    #expect(try good("[Search]\nShareWith=all\nShareWith=none\n").teams == .none)
    #expect(try good("[Search]\nShareWith=,\n").teams == .none)
    let most = (1...TeamChoice.sharingTeams).map { "team \($0)" }
    #expect(try good("[Search]\nShareWith=\(most.joined(separator: ","))").teams == .named(most))
  }

  @Test func theUsersKeysReplaceTheMachines() {
    let machine = "[Search]\nEnabled=no\nSuggestions=no\nShareWith=Home\n"
    let (settings, faults) = read(machine, "[Search]\nEnabled=yes\nShareWith=\n")
    #expect(faults.isEmpty)
    #expect(settings.isEnabled)
    #expect(!settings.suggests)
    #expect(settings.teams == .none)
    #expect(read(machine, "").settings.teams == .named(["Home"]))
  }

  @Test(arguments: [
    ("[Search]\nEnabled=maybe", 2, "expected yes or no, not \"maybe\""),
    ("[Search]\n\n\nSuggestions=2", 4, "expected yes or no, not \"2\""),
    ("[Search]\nEnabled=no # for now", 2, "expected yes or no, not \"no # for now\""),
    ("[Search]\nShareWith=Home,all", 2, "\"all\" can't be combined with team names"),
    ("[Search]\nShareWith=none, Home", 2, "\"none\" can't be combined with team names"),
    (
      "[Search]\nShareWith=" + (0...TeamChoice.sharingTeams).map { "t\($0)" }.joined(separator: ","), 2,
      "at most 16 teams"
    ),
    ("[Search]\nSharewith=all", 2, "unknown key \"Sharewith\" in section [Search]; the keys are Enabled, Suggestions"),
    ("[Search]\n=yes", 2, "unknown key \"\""),
    ("[Search]\nEnabled", 2, "a line must be [Section] or Key=Value, not \"Enabled\""),
    ("[Search\nEnabled=no", 1, "a line must be [Section] or Key=Value, not \"[Search\""),
    ("Enabled=no", 1, "\"Enabled\" isn't in a section"),
    ("#\n[search]\nEnabled=no", 2, "unknown section \"[search]\"; the sections are [Search], [Files]"),
    ("[]\nEnabled=no", 1, "unknown section \"[]\""),
    ("[Search]\nEnabled=\u{1B}[31m", 2, "expected yes or no, not \"\\u{1B}[31m\""),
  ])
  func aFaultIsNamedWithItsLineAndChangesNothing(text: String, line: Int, message: String) throws {
    let (settings, faults) = read(text)
    let fault = try #require(faults.first)
    #expect(fault.hasPrefix("line \(line): \(message)"), "\(fault)")
    #expect(settings == SearchSettings())
  }

  @Test func theOtherLinesCount() {
    let text =
      "Enabled=no\n[Other]\nSuggestions=no\nx\n[Search]\nEnabled=?\nSuggestions=no\n[Other]\n[Search]\nShareWith=all\n"
    let (settings, faults) = read(text)
    #expect(settings.isEnabled)
    #expect(!settings.suggests)
    #expect(settings.teams == .all)
    // Lines in an unknown section are not named again.
    #expect(faults.map { $0.prefix { $0 != ":" } } == ["line 1", "line 2", "line 6", "line 8"])
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\0"]) func linesEndAsForSystemd(end: String) {
    for mark in ["", "\u{FEFF}"] {
      let lines = ["\(mark)[Search]", "Suggestions=no", "", "Enabled=?", "ShareWith=Home"]
      for text in [lines.joined(separator: end), (lines + [""]).joined(separator: end)] {
        let (settings, faults) = read(text)
        #expect(!settings.suggests)
        #expect(settings.teams == .named(["Home"]))
        #expect(faults == ["line 4: expected yes or no, not \"?\""])
      }
    }
  }

  @Test func aMarkElsewhereIsText() {
    #expect(read("[Search]\n\u{FEFF}Enabled=no").faults.count == 1)
  }

  @Test func faultsAreShortLinesWhateverTheFileIs() {
    let long = String(repeating: "x\u{7}\u{202E}", count: 20_000)
    for text in [
      long, "[\(long)]", "[Search]\n\(long)=yes", "[Search]\nEnabled=\(long)", "[Search]\nShareWith=\(long),all",
    ] {
      let (settings, faults) = read(text)
      #expect(settings == SearchSettings())
      #expect(faults.count == 1)
      for fault in faults {
        #expect(fault.utf8.count < 2000)
        #expect(!fault.unicodeScalars.contains { $0.properties.generalCategory == .control })
      }
    }
  }

  @Test func thereIsAnEndToFaults() {
    let text = "[Search]\n" + String(repeating: "x\n", count: 10_000)
    let faults = read(text).faults
    #expect(faults.count == Limits.configurationFaults + 1)
    #expect(faults.last == "line \(Limits.configurationFaults + 2): too many errors; the rest of the file is ignored")
    let enough = "[Search]\n" + String(repeating: "x\n", count: Limits.configurationFaults)
    #expect(read(enough + "Enabled=no").faults.count == Limits.configurationFaults)
    #expect(!read(enough + "Enabled=no").settings.isEnabled)
  }

  @Test func aNameIsComparedAsItIsWritten() throws {
    // With and without composed characters; a team's own name is what counts.
    #expect(try good("[Search]\nShareWith=Büro").teams == .named(["Bu\u{308}ro"]))
  }
}
