import Activity
import Discovery
import Systemd

/// What the configuration files and the flags of `batond` decide; ``ConfigurationReader`` reads them.
package struct Configuration: Equatable, Sendable {
  package static let defaultPort: UInt16 = 22866

  /// Name of this machine, for people; nil for the host name.
  package var name: String?
  /// 0 for any free one.
  package var port = defaultPort
  package var usesDiscovery = true
  package var interfaces = InterfacePolicy()
  /// Whether what a user holds is offered no more while all of the user's screens are locked.
  package var withholdsWhenLocked = true
  package var logLevel = Log.Level.info
  /// Nil for the place that the directories of the system or the user give.
  package var socket: String?
  package var stateDirectory: String?
  /// None by default.
  package var sharedFolders = SharedFolders()

  package init() {}
}
