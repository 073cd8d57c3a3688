// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// The directories of the user that documents are found in.
package struct DocumentPlaces: Sendable {
  /// The home directory. Clones are looked for in it.
  package let home: String
  /// The file that remembers where clones are.
  package let cloneList: String

  package init(home: String, stateDirectory: String) {
    self.home = home
    cloneList = "\(stateDirectory)/baton/clones"
  }

  /// What has come from other machines.
  package var arrived: ArrivedFiles {
    let own = ProcessEnvironment.current.directory("XDG_CONFIG_HOME") ?? "\(home)/.config"
    return ArrivedFiles(home: home, settings: ["/etc/baton/agent.conf", "\(own)/baton/agent.conf"])
  }

  /// Those that $HOME and $XDG_STATE_HOME name.
  init(_ environment: ProcessEnvironment) {
    let home =
      environment.directory("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
    self.init(home: home, stateDirectory: environment.directory("XDG_STATE_HOME") ?? "\(home)/.local/state")
  }

  /// Those of the user of this process.
  package static var current: DocumentPlaces { DocumentPlaces(.current) }
}
