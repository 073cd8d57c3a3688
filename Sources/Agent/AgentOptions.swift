import Systemd

/// What the command line of `baton agent` says.
package struct AgentOptions: Sendable {
  /// The daemon's socket; nil for the one that the user means.
  package var socket: String?
  /// Whether offers are shown on the desktop.
  package var showsNotifications = true
  package var logLevel = Log.Level.info

  package init() {}
}
