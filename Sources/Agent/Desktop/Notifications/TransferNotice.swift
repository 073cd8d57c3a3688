// SPDX-License-Identifier: Apache-2.0

import Activity

/// What people are told about files that are sent or received.
package struct TransferNotice: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// The other machine's user is asked.
    case asking
    /// - Parameters:
    ///   - speed: In bytes per second; nil if it is not known yet.
    ///   - timeLeft: In seconds.
    case running(percent: Int, speed: Int?, timeLeft: Int?)
    /// - Parameter omitted: How many files are missing.
    case done(omitted: Int)
    /// - Parameter why: A sentence.
    case failed(why: String)

    package var isOver: Bool {
      switch self {
      case .asking, .running: false
      case .done, .failed: true
      }
    }
  }

  package let id: ActivityID
  package let deviceID: DeviceID
  /// The name of the other machine.
  package let device: String
  package let isSending: Bool
  /// What it is: names, and the size.
  package let title: String
  package var state: State

  package init(
    id: ActivityID,
    deviceID: DeviceID,
    device: String,
    isSending: Bool,
    title: String,
    state: State
  ) {
    (self.id, self.deviceID, self.device) = (id, deviceID, device)
    (self.isSending, self.title, self.state) = (isSending, title, state)
  }
}
