// SPDX-License-Identifier: Apache-2.0

import ControlInterface

extension ProgramFindings {
  /// Players that may need something to be controlled by other programs (MPRIS). Others have it built in.
  private static let plugins = [
    "/etc/mpv/scripts/mpris.so", "/usr/lib/mpv-mpris/mpris.so", "/usr/share/mpv/scripts/mpris.so",
    "~/.config/mpv/scripts/*mpris*", "~/.mpv/scripts/*mpris*",
  ]

  var players: [Verdict.Player] {
    var found: [Verdict.Player] = []
    if program(["mpv"]) != nil { found.append(.init("mpv", isControllable: !files(Self.plugins).isEmpty)) }
    if program(["vlc"]) != nil { found.append(.init("VLC", isControllable: true)) }
    return found
  }
}
