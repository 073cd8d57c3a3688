import Activity
import Desktop

/// Transfers as people see them.
enum TransferText {
  /// The transfers, and what did not arrive of them.
  static func table(_ states: [ControlTransfer]) -> String {
    let table = Table.text(
      states.map { state in
        let transfer = state.transfer
        let arrow = transfer.direction == .sending ? "to" : "from"
        return [
          shortID(transfer), status(state), "\(arrow) \(Printable.text(transfer.device))",
          Printable.text(transfer.title),
        ]
      },
      head: ["ID", "STATE", "MACHINE", "FILES"]
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
    let verb = transfer.direction == .sending ? "Sending to" : "Receiving from"
    return "\(verb) \(Printable.text(transfer.device)): \(Printable.text(transfer.title))"
  }

  /// The other machine is away.
  static func waiting(_ state: ControlTransfer) -> String {
    let transfer = state.transfer
    return "\(Printable.text(transfer.title)) waits until \(Printable.text(transfer.device)) is connected."
  }

  private static func status(_ state: ControlTransfer) -> String {
    let transfer = state.transfer
    switch transfer.state {
    case .asking: return "asks you"
    case .waiting: return "waiting"
    case .running: return percent(state).map { "\($0) %" } ?? "running"
    case .done: return transfer.omitted.map { "done, \($0) left out" } ?? "done"
    case .failed: return "failed: \(transfer.reason?.rawValue ?? "unknown")"
    }
  }

  static func percent(_ state: ControlTransfer) -> Int? {
    guard let size = state.transfer.size, size > 0 else { return nil }
    return Int(Double(min(state.received, size)) * 100 / Double(size))
  }

  static func done(_ state: ControlTransfer) -> String {
    let transfer = state.transfer
    return transfer.direction == .sending
      ? "Sent to \(Printable.text(transfer.device)): \(Printable.text(transfer.title))"
      : "Received from \(Printable.text(transfer.device)): \(Printable.text(transfer.title))"
  }

  static func failure(_ reason: TransferFailure, _ transfer: Transfer) -> String {
    "\(Printable.text(transfer.title)) was not \(transfer.direction == .sending ? "sent" : "received"). \(reason.explanation)"
  }

  static func omissions(_ transfer: Transfer) -> String {
    let count = transfer.omitted ?? 0
    let shown = transfer.omissions.map { omission in
      let why = OmittedReason(name: omission.reason)?.explanation ?? omission.reason
      return "  \(Printable.text(omission.path)): \(why)"
    }
    // The receiver is not told what the sender could not even begin to send.
    let others = transfer.direction == .receiving ? "; `baton transfers` on the other machine names them" : ""
    guard !shown.isEmpty else { return "\(count) of the files did not arrive\(others)." }
    let more = count - shown.count
    let rest = more > 0 ? ["  and \(more) more\(others)"] : []
    return (["\(count) of the files did not arrive:"] + shown + rest).joined(separator: "\n")
  }
}
