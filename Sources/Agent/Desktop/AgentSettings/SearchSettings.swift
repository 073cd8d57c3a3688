// SPDX-License-Identifier: Apache-2.0

import Activity

/// The settings of search: the section `[Search]` of agent.conf(5).
package struct SearchSettings: SettingsSection {
  /// `Enabled`: whether anything is kept. If not, what was kept is deleted.
  package var isEnabled = true
  /// `Suggestions`: whether times of use are kept, and what is likely next is suggested.
  package var suggests = true
  /// `ShareWith`: which teams learn what is eligible for public indexing.
  package var teams = TeamChoice.none

  package init() {}

  /// The teams with which to share: none if nothing is kept.
  package var sharedTeams: TeamChoice { isEnabled ? teams : .none }

  package static let keys = ["Enabled", "Suggestions", "ShareWith"]

  package mutating func set(_ key: String, to value: Substring) throws(UnusableSetting) {
    let usual = SearchSettings()
    switch key {
    case "Enabled": isEnabled = try SettingValue.bool(value, default: usual.isEnabled)
    case "Suggestions": suggests = try SettingValue.bool(value, default: usual.suggests)
    case "ShareWith": teams = try TeamChoice(value, default: usual.teams)
    default: break
    }
  }
}
