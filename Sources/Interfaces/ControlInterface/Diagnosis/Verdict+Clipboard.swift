// SPDX-License-Identifier: Apache-2.0

import Localization

extension Verdict {
  /// Other programs that share the clipboard with other machines, by the kernel's names of them.
  private static let mirrors: KeyValuePairs<String, Set<String>> = [
    "KDE Connect": ["kdeconnectd"], "Valent": ["valent"],
    "Input Leap": ["input-leaps", "input-leapc", "input-leap"],
    "Barrier": ["barriers", "barrierc"],
    "Deskflow or Synergy": [
      "deskflow-core", "deskflow-server", "deskflow-client", "synergy-core", "synergys", "synergyc",
    ],
    "CrossPaste": ["crosspaste"], "ClipCascade": ["clipcascade"],
    // Between a virtual machine or a remote desktop and the machine in front of the person.
    "SPICE": ["spice-vdagent"], "VirtualBox": ["VBoxClient"], "xrdp": ["xrdp-chansrv"], "TigerVNC": ["vncconfig"],
  ]

  /// The names of such programs that run, for people.
  package static func mirrors(_ running: RunningPrograms) -> [String] {
    let found = mirrors.filter { running.isRunning($0.value) }.map(\.key)
    return running.isRunning(script: "gsconnect@andyholmes.github.io") ? found + ["GSConnect"] : found
  }

  /// What the user's desktop is, as far as its clipboard is concerned.
  package enum Desktop: Equatable, Sendable {
    case x11
    case wayland
    case none
  }

  /// - Parameters:
  ///   - isShared: Whether the settings name teams with which the desktop's clipboard is shared.
  ///   - isInstalled: Whether the agent's helper is installed.
  ///   - hasHelper: Whether it runs, which it does while it sees the clipboard, or waits until GNOME's screen is on.
  ///   - mirrors: Other programs that share it.
  /// - Returns: Nil if there is nothing to say.
  package static func clipboard(
    isShared: Bool,
    isInstalled: Bool = true,
    hasHelper: Bool,
    mirrors: [String] = [],
    _ desktop: Desktop,
    _ packages: PackageManager?
  ) -> Finding? {
    guard isShared else { return nil }
    if hasHelper, !mirrors.isEmpty {
      return Finding(
        .clipboard,
        .note,
        localized(
          "The desktop's clipboard is shared, and \(mirrors.joined(separator: localized(" and "))) can also share it."
        ),
        advice:
          localized(
            """
            Let only one of them share it with the same machines. Other programs pass passwords on without marking them \
            as secret.
            """
          )
      )
    }
    if hasHelper { return Finding(.clipboard, .passed, localized("The desktop's clipboard is shared.")) }
    guard isInstalled || desktop == .none else {
      return Finding(
        .clipboard,
        .note,
        localized("The clipboard isn't shared, because the package baton-clipboard isn't installed."),
        advice: packages.map {
          localized("Run `\($0.install("baton-clipboard"))`, and then `systemctl --user restart baton-agent`.")
        } ?? localized("Install the package baton-clipboard, and run `systemctl --user restart baton-agent`.")
      )
    }
    let commands = localized("`wl-paste | baton copy` and `baton paste | wl-copy` work everywhere.")
    switch desktop {
    case .wayland:
      return Finding(
        .clipboard,
        .note,
        localized(
          "The clipboard isn't shared. The compositor doesn't let programs see it, or the agent isn't running."
        ),
        advice: commands + " " + localized("For details, run `journalctl --user --unit baton-agent`.")
      )
    case .x11:
      return Finding(
        .clipboard,
        .note,
        localized("The clipboard isn't shared, because the agent's helper isn't running."),
        advice: localized("To find out why, run `journalctl --user --unit baton-agent`.")
      )
    case .none:
      return Finding(
        .clipboard,
        .note,
        localized("There's no desktop here, so there's no clipboard to share."),
        advice: localized("`baton copy` and `baton paste` work without one.")
      )
    }
  }
}
