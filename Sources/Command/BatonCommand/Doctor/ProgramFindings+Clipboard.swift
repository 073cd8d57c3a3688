// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop

extension ProgramFindings {
  /// The kernel's names of the helper: at most 15 bytes of the file's.
  private static let helpers: Set = ["clipboard-helpe", "baton-clipboard"]

  var clipboard: Diagnose.Reply? {
    var settings = AgentSettings()
    let configuration = environment.directory("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" }
    for path in ["\(root)/etc/baton/agent.conf", configuration.map { "\($0)/baton/agent.conf" }].compactMap(\.self) {
      _ = settings.read(text(of: path))
    }
    return Verdict.clipboard(
      isShared: settings.clipboard.teams != .none,
      isInstalled: isInstalled("lib/baton/clipboard-helper"),
      hasHelper: running.isRunning(Self.helpers),
      mirrors: Verdict.mirrors(running),
      desktop,
      packageManager
    )
  }

  private var desktop: Verdict.Desktop {
    if environment["WAYLAND_DISPLAY"] != nil { return .wayland }
    return environment["DISPLAY"] == nil ? .none : .x11
  }
}
