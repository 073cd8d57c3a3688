import Activity
import ControlInterface
import Desktop
import JSONCoding
import Varlink
import VarlinkClient

/// What the doctor finds out about files that are sent and received.
enum TransferFinding {
  /// - Returns: Nil if the agent does not run, which another finding says, or is older.
  static func finding() -> Diagnose.Reply? {
    do throws(ControlError) {
      let connection = try ControlConnection(searchPath: nil)
      let status = try connection.call(GetTransferStatus.self, Nothing())
      let transfers = try connection.call(ListTransfers.self, Nothing()).transfers.map(\.transfer)
      return finding(status, transfers)
    } catch {
      switch error {
      // An agent that was started before an upgrade.
      case .refused(.methodNotFound), .refused(.interfaceNotFound), .searchNotRunning: return nil
      default: break
      }
      return Diagnose.Reply(
        .files,
        .failed,
        "No files can be sent or received: \(error)",
        reason: .filesUnavailable,
        advice: "`journalctl --user -u baton-agent` says why."
      )
    }
  }

  static func finding(_ status: GetTransferStatus.Reply, _ transfers: [Transfer]) -> Diagnose.Reply {
    let folder = Printable.text(status.folder)
    if let trouble = status.trouble {
      return Diagnose.Reply(
        .files,
        .failed,
        "No files can arrive in \(folder): \(Printable.text(trouble)).",
        reason: .filesUnavailable,
        advice: "Plug in its disk, make the folder, or change Folder= under [Files] in ~/.config/baton/agent.conf."
      )
    }
    if let free = status.free, free <= status.keepFree {
      return Diagnose.Reply(
        .files,
        .failed,
        "No files can arrive: \(folder) has \(ByteCount.text(free)) free, of which \(ByteCount.text(status.keepFree)) "
          + "stay free.",
        reason: .filesUnavailable,
        advice: "Make room there, or change KeepFree= or Folder= under [Files] in ~/.config/baton/agent.conf."
      )
    }
    let removed = transfers.filter { $0.direction == .sending && $0.reason == .machineRemoved }
    if let first = removed.first {
      let others = removed.count > 1 ? " and \(removed.count - 1) more" : ""
      return Diagnose.Reply(
        .files,
        .note,
        "\(Printable.text(first.title))\(others) cannot be sent, because \(Printable.text(first.device)) was removed "
          + "from the team.",
        advice: "`baton transfers --forget \(first.id.description.prefix(8))` takes it off the list."
      )
    }
    let waiting = transfers.count { $0.direction == .sending && $0.state == .waiting }
    let outbox = waiting == 0 ? "" : waiting == 1 ? "; one transfer waits" : "; \(waiting) transfers wait"
    let free = status.free.map { ", which has \(ByteCount.text($0)) free" } ?? ""
    return Diagnose.Reply(.files, .passed, "Files arrive in \(folder)\(free)\(outbox).")
  }
}
