// SPDX-License-Identifier: Apache-2.0

import Activity

/// What the app that holds an activity is told about it.
package enum ActivityEvent: Equatable, Sendable {
  case current
  /// It is offered to the device that it is sent to, or will be as soon as there is a session with it.
  case sent
  case resigned(Reason)
  case willSave
  case continued(device: String)
  /// - Parameters:
  ///   - token: The name of the stream, for accepting it.
  ///   - team: That of the device.
  case streamRequested(token: String, device: String, team: TeamID)
}
