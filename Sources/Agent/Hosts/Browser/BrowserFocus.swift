// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// Says in the user's runtime directory that a browser has the focus: a link to the browser's host in /proc, which
/// leads nowhere when the host has ended. So the end of a command in a terminal does not take the place of the page
/// that the user looks at.
package enum BrowserFocus {
  private static let prefix = "baton-browser-focus-"

  static func note(_ isOn: Bool, _ environment: ProcessEnvironment = .current) {
    guard let directory = environment.runtimeDirectory else { return }
    let path = "\(directory)/\(prefix)\(getpid())"
    unlink(path)
    if isOn { symlink("/proc/\(getpid())", path) }
  }

  /// Whether a browser of the user has the focus, as far as one has told.
  static func isThere(_ environment: ProcessEnvironment = .current) -> Bool {
    guard let directory = environment.runtimeDirectory else { return false }
    return Folder.names(in: directory).contains { name in
      name.starts(withBytesOf: prefix) && access("\(directory)/\(name)/stat", F_OK) == 0
    }
  }
}
