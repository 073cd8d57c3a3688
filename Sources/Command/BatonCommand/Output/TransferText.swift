// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Localization

/// Transfers as people see them.
enum TransferText {
  /// The transfers, and what did not arrive of them.
  static func table(_ states: [ControlTransfer]) -> String {
    let table = Table.text(
      states.map { state in
        let transfer = state.transfer
        let device = Printable.text(transfer.device)
        return [
          shortID(transfer), status(state),
          transfer.direction == .sending ? localized("to \(device)") : localized("from \(device)"),
          Printable.text(transfer.title),
        ]
      },
      head: [localized("ID"), localized("STATE"), localized("MACHINE"), localized("FILES")]
    )
    let missing = states.map(\.transfer).filter { $0.omitted != nil }.map { "\n\n\(shortID($0)): \(omissions($0))" }
    return table + missing.joined()
  }

  /// What names a transfer for people.
  static func shortID(_ transfer: Transfer) -> String {
    transfer.id.description.prefix(8) + (transfer.revision.map { ".\($0)" } ?? "")
  }

  static func line(_ state: ControlTransfer) -> String {
    let transfer = state.transfer
    let (device, title) = (Printable.text(transfer.device), Printable.text(transfer.title))
    return transfer.direction == .sending
      ? localized("Sending to \(device): \(title)") : localized("Receiving from \(device): \(title)")
  }

  /// The other machine is offline.
  static func waiting(_ state: ControlTransfer) -> String {
    let transfer = state.transfer
    return localized("\(Printable.text(transfer.title)) is queued until \(Printable.text(transfer.device)) is online.")
  }

  private static func status(_ state: ControlTransfer) -> String {
    let transfer = state.transfer
    switch transfer.state {
    case .asking: return localized("needs approval")
    case .waiting: return localized("queued")
    case .running: return percent(state).map { localized("in progress, \($0)%") } ?? localized("in progress")
    case .done: return transfer.omitted.map { localized("done, \($0) skipped") } ?? localized("done")
    case .failed: return transfer.reason.map { localized("failed: \($0.rawValue)") } ?? localized("failed")
    }
  }

  static func percent(_ state: ControlTransfer) -> Int? {
    guard let size = state.transfer.size, size > 0 else { return nil }
    return Int(Double(min(state.received, size)) * 100 / Double(size))
  }

  static func done(_ state: ControlTransfer) -> String {
    let transfer = state.transfer
    let (device, title) = (Printable.text(transfer.device), Printable.text(transfer.title))
    return transfer.direction == .sending
      ? localized("Sent to \(device): \(title)") : localized("Received from \(device): \(title)")
  }

  static func failure(_ reason: TransferFailure, _ transfer: Transfer) -> String {
    let title = Printable.text(transfer.title)
    // The explanations speak to the other side's user.
    let isOwn = reason == (transfer.direction == .sending ? .withdrawn : .canceled)
    let why = isOwn ? localized("You canceled it.") : reason.explanation
    return transfer.direction == .sending
      ? localized("\(title) wasn't sent. \(why)") : localized("\(title) wasn't received. \(why)")
  }

  static func omissions(_ transfer: Transfer) -> String {
    let count = transfer.omitted ?? 0
    let shown = transfer.omissions.map { omission in
      let why = OmittedReason(name: omission.reason)?.explanation ?? omission.reason
      return "  \(Printable.text(omission.path)): \(why)"
    }
    // The receiver is not told what the sender could not even begin to send.
    let isReceiver = transfer.direction == .receiving
    let others = localized("For details, run `baton transfers` on the other machine.")
    guard !shown.isEmpty else {
      let text = localized(count, one: "\(count) file didn't arrive.", other: "\(count) files didn't arrive.")
      return isReceiver ? "\(text) \(others)" : text
    }
    let more = count - shown.count
    let rest = more > 0 ? ["  " + localized("and \(more) more")] + (isReceiver ? ["  " + others] : []) : []
    let head = localized(count, one: "\(count) file didn't arrive:", other: "\(count) files didn't arrive:")
    return ([head] + shown + rest).joined(separator: "\n")
  }
}
