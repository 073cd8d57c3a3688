// SPDX-License-Identifier: Apache-2.0

import Activity

extension ShellHook {
  /// The shell of the pane that gets the focus writes its directory again: the host is told which pane that is. Each
  /// hook has a place of its own in the list, so that other hooks stay and a second time changes nothing.
  static let tmux: String = {
    let script =
      #"d=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}; f=$d/baton-shells; "#
      + #"[ ! -O $d ] || [ ! -d $f/host ] || : >$f/focus-#{pane_pid}"#
    let words = script.split(atScalar: "$", omittingEmptySubsequences: false).joined(separator: "\\$")
    let hooks = ["pane-focus-in", "client-session-changed", "session-window-changed"].map { name in
      "set-hook -g '\(name)[1004]' \"run-shell -b '\(words)'\""
    }
    return (["# Baton's hooks for tmux.", "set-option -g focus-events on"] + hooks).joined(separator: "\n")
  }()
}
