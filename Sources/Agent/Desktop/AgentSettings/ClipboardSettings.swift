// SPDX-License-Identifier: Apache-2.0

import Activity

/// The settings of the clipboard: the section `[Clipboard]` of agent.conf(5).
package struct ClipboardSettings: SettingsSection {
  /// `ShareWith`: the teams whose machines share what is copied on the desktop. What `baton copy` copies needs no
  /// setting.
  package var teams = TeamChoice.none

  package init() {}

  package static let keys = ["ShareWith"]

  package mutating func set(_ key: String, to value: Substring) throws(UnusableSetting) {
    switch key {
    case "ShareWith": teams = try TeamChoice(value, default: .none)
    default: break
    }
  }
}
