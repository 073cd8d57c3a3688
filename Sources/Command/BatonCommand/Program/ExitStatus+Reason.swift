// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import VarlinkClient

extension ExitStatus {
  init(_ reason: Reason) {
    self =
      switch reason.kind {
      case .notFound: .notFound
      case .refused: .refused
      case .peerUnreachable: .peerUnreachable
      case .streamBroken: .streamBroken
      case .daemonUnreachable: .daemonUnreachable
      case .team: .team
      case .failure: .failure
      }
  }

  init(_ error: ControlError) {
    self =
      switch error {
      case .notRunning, .searchNotRunning, .notPermitted, .foreignServer, .timedOut, .disconnected: .daemonUnreachable
      case .failed(let failure): ExitStatus(failure.reason)
      case .tooLong: .usage
      case .protocolViolation, .refused, .system: .failure
      }
  }
}
