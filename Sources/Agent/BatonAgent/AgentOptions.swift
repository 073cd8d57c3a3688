// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The options on the command line of `baton agent`.
package struct AgentOptions: Sendable {
  /// The daemon's socket; nil for the default one.
  package var socket: String?
  /// Whether offers are shown on the desktop.
  package var showsNotifications = true
  package var logLevel = Log.Level.info

  package init() {}
}
