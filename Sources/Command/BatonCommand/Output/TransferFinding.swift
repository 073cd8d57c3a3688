// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import JSONCoding
import Localization
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
        localized("Can't send or receive files: \(error)"),
        reason: .filesUnavailable,
        advice: localized("Check `journalctl --user -u baton-agent`.")
      )
    }
  }

  static func finding(_ status: GetTransferStatus.Reply, _ transfers: [Transfer]) -> Diagnose.Reply {
    let folder = Printable.text(status.folder)
    if let trouble = status.trouble {
      return Diagnose.Reply(
        .files,
        .failed,
        localized("Can't receive files in \(folder): \(Printable.text(trouble))."),
        reason: .filesUnavailable,
        advice: localized(
          "Connect its disk, create the folder, or change Folder= under [Files] in ~/.config/baton/agent.conf."
        )
      )
    }
    if let free = status.free, free <= status.keepFree {
      return Diagnose.Reply(
        .files,
        .failed,
        localized(
          """
          Can't receive files: \(folder) has \(ByteCount.text(free)) free, but KeepFree= reserves \
          \(ByteCount.text(status.keepFree)) of it.
          """
        ),
        reason: .filesUnavailable,
        advice: localized(
          "Free some space there, or change KeepFree= or Folder= under [Files] in ~/.config/baton/agent.conf."
        )
      )
    }
    let removed = transfers.filter { $0.direction == .sending && $0.reason == .machineRemoved }
    if let first = removed.first {
      let (title, device) = (Printable.text(first.title), Printable.text(first.device))
      let more = removed.count - 1
      return Diagnose.Reply(
        .files,
        .note,
        more > 0
          ? localized("Can't send \(title) and \(more) more, because \(device) was removed from the team.")
          : localized("Can't send \(title), because \(device) was removed from the team."),
        advice: localized("To take it off the list, run `baton transfers --forget \(first.id.description.prefix(8))`.")
      )
    }
    let waiting = transfers.count { $0.direction == .sending && $0.state == .waiting }
    let text =
      status.free.map { localized("Files arrive in \(folder), which has \(ByteCount.text($0)) free.") }
      ?? localized("Files arrive in \(folder).")
    let queue = localized(waiting, one: "\(waiting) transfer is queued.", other: "\(waiting) transfers are queued.")
    return Diagnose.Reply(.files, .passed, waiting == 0 ? text : "\(text) \(queue)")
  }
}
