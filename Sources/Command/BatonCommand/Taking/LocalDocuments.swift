// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc
import Hosts

/// The directories of this machine.
enum LocalDocuments {
  /// Describes a directory; nil if there is none at the path.
  @Sendable static func describe(_ path: String, _ environment: ProcessEnvironment) -> DocumentReference? {
    guard isDirectory(path) else { return nil }
    return try? DocumentFinder.describe(
      path: path,
      sharedFolders: sharedFolders(socket: nil),
      environment: environment
    )
  }

  /// The shared folders of this machine; none if the daemon does not say.
  static func sharedFolders(socket: String?) -> SharedFolders {
    (try? SharedFolders.ofDaemon(path: socket)) ?? SharedFolders()
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
