// SPDX-License-Identifier: Apache-2.0

import Activity
import Discovery
import Systemd

/// What the configuration files and the flags of `batond` set. ``ConfigurationReader`` reads them.
package struct Configuration: Equatable, Sendable {
  package static let defaultPort: UInt16 = 22866

  /// The name of this machine, for people; nil for the host name.
  package var name: String?
  /// 0 for any free port.
  package var port = defaultPort
  package var usesDiscovery = true
  package var interfaces = InterfacePolicy()
  /// Whether this machine connects to the servers where its teams meet, and meets peers at relays.
  package var usesRendezvous = true
  package var usesRelays = true
  /// What is asked where other machines are; nil for nothing.
  package var source: PeerSource?
  /// Whether a user's activities are withdrawn while all of the user's screens are locked.
  package var withholdsWhenLocked = true
  /// The maximum number of bytes that streams hold.
  package var streamMemory = Limits.streamMemory
  package var logLevel = Log.Level.info
  /// Nil for the default place, which depends on the directories of the system or of the user.
  package var socket: String?
  package var stateDirectory: String?
  /// Empty by default.
  package var sharedFolders = SharedFolders()

  package init() {}
}
