// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc

/// The types of terminals that programs of this machine know (terminfo(5)).
enum Terminfo {
  /// Returns the type if this machine knows it, or else one that is close to it.
  ///
  /// - Parameter type: What another machine says.
  static func known(_ type: String?) -> String {
    let type = type.flatMap { TerminalText.isTerminalType($0) ? $0 : nil } ?? ""
    let substitutes =
      type.containsBytes(of: "256color") || type.containsBytes(of: "kitty") || type.containsBytes(of: "ghostty")
        || type.containsBytes(of: "alacritty") || type.containsBytes(of: "direct")
      ? ["xterm-256color", "screen-256color"] : []
    return ([type] + substitutes + ["xterm", "screen", "linux", "vt100"]).first { isKnown($0) } ?? "dumb"
  }

  /// - Parameter type: The name of a file.
  static func isKnown(_ type: String) -> Bool {
    guard let first = type.unicodeScalars.first else { return false }
    return folders.contains { folder in
      [String(first), String(first.value, radix: 16)].contains { access("\(folder)/\($0)/\(type)", R_OK) == 0 }
    }
  }

  private static var folders: [String] {
    var folders = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/local/share/terminfo"]
    let environment = ProcessEnvironment.current
    if let home = environment["HOME"] { folders.insert("\(home)/.terminfo", at: 0) }
    if let own = environment["TERMINFO"] { folders.insert(own, at: 0) }
    return folders
  }
}
