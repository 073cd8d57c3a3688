// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import VarlinkClient

extension SharedFolders {
  /// Asks the daemon for the shared folders of this machine. Blocks.
  ///
  /// - Parameter path: The path of the control socket. Nil for the user's default daemon.
  package static func ofDaemon(path: String? = nil) throws(ControlError) -> SharedFolders {
    try ControlConnection(path: path).call(ListSharedFolders.self, Nothing()).sharedFolders
  }
}
