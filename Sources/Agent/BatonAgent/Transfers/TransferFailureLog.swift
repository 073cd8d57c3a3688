// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Systemd

/// Logs why transfers fail. A machine can make as many fail as it likes, and has only so many lines.
@Loop
struct TransferFailureLog {
  private var lines: [DeviceID: LineLimit] = [:]

  mutating func note(_ failure: TransferFailure, _ error: SystemError?, of transfer: Transfer, _ log: Log) {
    let now = Loop.now
    if lines[transfer.deviceID] == nil { lines = lines.filter { !$0.value.isFull(at: now) } }
    let limit = LineLimit(Limits.peerLogRate, at: now)
    guard let missing = lines[transfer.deviceID, default: limit].take(at: now) else { return }
    let cause = error.map { ": \($0)" } ?? ""
    let others = missing > 0 ? ", and \(missing) before it" : ""
    log.notice(
      "A transfer failed: \(failure.rawValue)\(cause)\(others)",
      ["transfer": transfer.id.description, "device": transfer.device]
    )
  }
}
