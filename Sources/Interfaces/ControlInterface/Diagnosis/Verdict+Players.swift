// SPDX-License-Identifier: Apache-2.0

import Localization

extension Verdict {
  /// An installed player of music and videos.
  package struct Player: Equatable, Sendable {
    package let name: String
    /// Whether other programs can control it (MPRIS).
    package let isControllable: Bool

    package init(_ name: String, isControllable: Bool) {
      self.name = name
      self.isControllable = isControllable
    }
  }

  /// - Parameter packages: What installs packages on this machine. Nil if nothing does that is known here.
  package static func player(_ player: Player, _ packages: PackageManager?) -> Finding {
    guard player.isControllable else {
      return Finding(
        .application,
        .skipped,
        localized("\(player.name) can't be controlled by other programs."),
        advice: packages.map {
          localized("To continue videos and music, run `\($0.installFromSystem("mpv-mpris"))`, and restart the player.")
        } ?? localized("To continue videos and music, install the package mpv-mpris, and restart the player.")
      )
    }
    return Finding(.application, .passed, localized("\(player.name) can hand off videos and music."))
  }
}
