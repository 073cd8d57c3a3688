// SPDX-License-Identifier: Apache-2.0

import Activity

/// The settings of players: the section `[Playback]` of agent.conf(5).
package struct PlaybackSettings: SettingsSection {
  /// `ShareWith`: the teams whose machines can continue what is played.
  package var teams = TeamChoice.all

  package init() {}

  package static let keys = ["ShareWith"]

  package mutating func set(_ key: String, to value: Substring) throws(UnusableSetting) {
    switch key {
    case "ShareWith": teams = try TeamChoice(value, default: .all)
    default: break
    }
  }
}
