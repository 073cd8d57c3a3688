// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Localization

/// What people are told while they wait for a transfer.
struct ProgressText {
  private var speed = TransferSpeed()
  /// Whether the other machine is connected, as far as that is known.
  private let isThere: Bool
  /// Whether it has accepted the files, and some of them went over.
  private var hasRun = false

  init(isThere: Bool) { self.isThere = isThere }

  /// - Returns: Nil if there is nothing to wait for.
  mutating func line(_ state: ControlTransfer, at now: ContinuousClock.Instant) -> String? {
    let device = Printable.text(state.transfer.device)
    switch state.transfer.state {
    case .waiting:
      speed = TransferSpeed()
      // It has accepted the files.
      if hasRun { return localized("Waiting for \(device): the connection was lost") }
      let title = Printable.text(state.transfer.title)
      return isThere
        ? localized("Waiting for \(device) to accept \(title)")
        : localized("Waiting for \(device) to come online and accept \(title)")
    case .running:
      hasRun = true
      speed.measure(state.received, at: now)
      return running(state, device)
    case .asking, .done, .failed: return nil
    }
  }

  private func running(_ state: ControlTransfer, _ device: String) -> String {
    let size = state.transfer.size ?? 0
    let percent = TransferText.percent(state).map { "\($0) %" } ?? ""
    var parts = [percent, localized("\(ByteCount.text(state.received)) of \(ByteCount.text(size))")]
    if let count = state.transfer.count, count > 1 { parts.append(localized("\(state.arrived) of \(count) files")) }
    if speed.isStalled { parts.append(localized("\(device) isn't responding")) }
    if let value = speed.value, value >= 1 { parts.append("\(ByteCount.text(Int(value)))/s") }
    if let left = speed.timeLeft(size - state.received) { parts.append(localized("\(duration(left)) left")) }
    return parts.joined(separator: "  ")
  }

  private func duration(_ seconds: Int) -> String {
    let (minutes, rest) = (seconds / 60, seconds % 60)
    guard minutes >= 60 else { return "\(minutes):\(rest < 10 ? "0" : "")\(rest)" }
    return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(rest < 10 ? "0" : "")\(rest)"
  }
}
