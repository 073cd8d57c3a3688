import ControlInterface

/// An offer for which the daemon wants an app. ``LauncherSession`` gives each once.
struct Launch: Sendable {
  let request: LaunchRequest
  /// Counts the daemons that were there: another one names its requests from the beginning again.
  let daemon: UInt64
}
