import Systemd

/// What the command line of `baton agent` says.
package struct AgentOptions: Sendable {
  /// The daemon's socket; nil for the one that the user means.
  package var socket: String?
  package var logLevel = Log.Level.info

  package init() {}
}
