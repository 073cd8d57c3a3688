import ControlInterface

extension Verdict {
  /// What the user's desktop is, as far as its clipboard is concerned.
  package enum Desktop: Equatable, Sendable {
    case x11
    case gnomeOnWayland
    case wayland
    case none
  }

  /// - Parameters:
  ///   - isShared: Whether the settings name teams with which the desktop's clipboard is shared.
  ///   - isInstalled: Whether the agent's helper is installed.
  ///   - hasHelper: Whether it runs, which it does only while it sees the clipboard.
  /// - Returns: Nil if there is nothing to say.
  package static func clipboard(
    isShared: Bool,
    isInstalled: Bool = true,
    hasHelper: Bool,
    _ desktop: Desktop
  ) -> Finding? {
    guard isShared else { return nil }
    if hasHelper { return Finding(.clipboard, .passed, "The desktop's clipboard is shared.") }
    guard isInstalled || [.none, .gnomeOnWayland].contains(desktop) else {
      return Finding(
        .clipboard,
        .note,
        "The clipboard is not shared, because the package baton-clipboard is not installed.",
        advice: "Install it, and run `systemctl --user restart baton-agent`."
      )
    }
    let commands = "`wl-paste | baton copy` and `baton paste | wl-copy` work everywhere."
    switch desktop {
    case .gnomeOnWayland:
      return Finding(
        .clipboard,
        .note,
        "GNOME on Wayland does not let programs see the clipboard, so it is not shared.",
        advice: commands
      )
    case .wayland:
      return Finding(
        .clipboard,
        .note,
        "The clipboard is not shared: the compositor has no data control, or the agent does not run.",
        advice: "\(commands) `journalctl --user --unit baton-agent` may say more."
      )
    case .x11:
      return Finding(
        .clipboard,
        .note,
        "The clipboard is not shared, because the agent's helper does not run.",
        advice: "`journalctl --user --unit baton-agent` may say why."
      )
    case .none:
      return Finding(
        .clipboard,
        .note,
        "There is no desktop here whose clipboard could be shared.",
        advice: "`baton copy` and `baton paste` work without one."
      )
    }
  }
}
