// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import JSONCoding
import Testing

/// What several files of policies mean together. Chromium itself is asked in `Tests/Everyday/test_other_browsers.py`.
@Suite struct ChromiumPoliciesTests {
  private func decision(_ files: [(String, String)], on id: String = "x") throws -> ChromiumPolicies.Decision {
    try policies(files).decision(on: id)
  }

  private func policies(_ files: [(String, String)]) throws -> ChromiumPolicies {
    ChromiumPolicies(
      try files.map { path, text in (path, try JSON(parsing: Array(text.utf8), depth: 32).object ?? [:]) }
    )
  }

  private func settings(_ id: String, _ mode: String) -> String {
    #"{"ExtensionSettings": {"\#(id)": {"installation_mode": "\#(mode)"}}}"#
  }

  @Test func nothingIsSaidOfAnUnknownExtension() throws {
    #expect(try decision([]) == .allowed)
    #expect(try decision([("a", settings("y", "blocked"))]) == .allowed)
    let odd = [
      "{}", #"{"ExtensionSettings": []}"#, #"{"ExtensionSettings": {"x": "blocked"}}"#,
      #"{"ExtensionInstallBlocklist": "x"}"#, #"{"ExtensionInstallForcelist": [1, ";x", ""]}"#,
    ]
    for text in odd { #expect(try decision([("a", text)]) == .allowed) }
  }

  @Test(arguments: ["normal_installed", "force_installed"]) func aPolicyInstalls(mode: String) throws {
    #expect(try decision([("a", settings("x", mode))]) == .installed)
    #expect(try decision([("a", #"{"ExtensionInstallForcelist": ["x;https://example.org"]}"#)]) == .installed)
  }

  /// A list and the settings are policies of their own, so one of an administrator's leaves the other.
  @Test func ofEachPolicyTheLastFileCounts() throws {
    let own = ("!baton", settings("x", "normal_installed"))
    #expect(try decision([("all", settings("*", "blocked")), own]) == .blocked(by: "all"))
    #expect(try decision([(" first", settings("*", "blocked")), own]) == .installed)
    #expect(try decision([("all", #"{"ExtensionInstallForcelist": []}"#), own]) == .installed)
    #expect(try decision([("all", settings("y", "allowed")), own]) == .allowed)
    #expect(try policies([("all", settings("y", "allowed")), own]).replacement(for: "x") == "all")
    #expect(try policies([("all", settings("y", "allowed"))]).replacement(for: "x") == nil)
    // In the order of bytes, not of a language.
    #expect(
      try decision([("Z", settings("x", "normal_installed")), ("a", settings("x", "removed"))]) == .blocked(by: "a")
    )
  }

  @Test func whatIsSaidOfOneExtensionCountsMoreThanWhatIsSaidOfAll() throws {
    let all = ("all", #"{"ExtensionInstallBlocklist": ["*"]}"#)
    #expect(try decision([all]) == .blocked(by: "all"))
    #expect(try decision([all, ("b", #"{"ExtensionInstallAllowlist": ["x"]}"#)]) == .allowed)
    #expect(try decision([all, ("b", #"{"ExtensionInstallForcelist": ["x"]}"#)]) == .installed)
    #expect(try decision([all, ("b", settings("x", "normal_installed"))]) == .installed)
    #expect(try decision([all, ("b", settings("*", "allowed"))]) == .allowed)
    let both = #"{"ExtensionInstallBlocklist": ["x"], "ExtensionInstallAllowlist": ["x"]}"#
    #expect(try decision([("b", both)]) == .blocked(by: "b"))
  }
}
