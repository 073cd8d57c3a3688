import Activity
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
    let own = Self.variable("XDG_CONFIG_HOME") ?? "\(home)/.config"
    return ArrivedFiles(home: home, settings: ["/etc/baton/agent.conf", "\(own)/baton/agent.conf"])
  }

  /// Those of the user of this process: $HOME and $XDG_STATE_HOME.
  package static var current: DocumentPlaces {
    let home = variable("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
    return DocumentPlaces(home: home, stateDirectory: variable("XDG_STATE_HOME") ?? "\(home)/.local/state")
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.starts(withBytesOf: "/") ? $0 : nil }
  }
}
