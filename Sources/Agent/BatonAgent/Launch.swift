// SPDX-License-Identifier: Apache-2.0

import ControlInterface

/// An offer for which the daemon wants an app. ``LauncherRegistration`` passes on each one once.
struct Launch: Sendable {
  let request: LaunchRequest
  /// The number of the daemon, counted by the agent, because another daemon starts naming its requests from the
  /// beginning.
  let daemon: UInt64
}
