// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import Desktop
import JSONCoding
import Localization
import Varlink
import VarlinkClient

enum TransfersCommand: Command {
  static let words = ["transfers"]
  static let group = HelpGroup.files
  static let summary = localized("List file transfers, and accept or cancel them.")
  static let details = localized(
    """
    ID is the start of a transfer's ID in the list; --accept needs all of it. If the
    other machine has changed the files, the list shows a different ID, such as
    1f0c77ab.2.

    --accept accepts the files that another machine sends. --cancel declines them,
    or stops a transfer that is queued or in progress. --retry tries a failed
    transfer again and sends only what's missing. --forget removes a finished
    transfer from the list, and if it failed, its partial files. --all removes all
    finished transfers.

    With --json, the output is {"transfers": [{"transfer": {"id", "direction",
    "deviceID", "device", "team", "title", "files", "state", "reason", "size",
    "count", "omitted", "omissions", "begun", "ended", "expires"}, "received",
    "arrived"}]}; with --watch, one such line for each change.
    """
  )
  static let accept = Option.text("accept", "ID", localized("Accept the files."))
  static let cancel = Option.text("cancel", "ID", localized("Decline or stop a transfer."))
  static let retry = Option.text("retry", "ID", localized("Retry a failed transfer."))
  static let forget = Option.text("forget", "ID", localized("Remove a finished transfer from the list."))
  static let all = Option.flag("all", localized("Remove all finished transfers from the list."))
  static let watch = Option.flag("watch", localized("Print transfers as they change."))
  static let options: [any AnyOption] = [accept, cancel, retry, forget, all, watch]
  static let examples: [CommandExample] = [
    ("baton transfers", localized("See all transfers.")),
    ("baton transfers --accept 1f0c77ab", localized("Accept files from another machine.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let connection = try ControlConnection(searchPath: nil)
    let list = try connection.call(ListTransfers.self, Nothing()).transfers
    if let id = arguments[accept] {
      // Another machine chooses the IDs of what it sends, and can send something else under one that begins in the same
      // way.
      guard id.scalarPrefix(while: { $0 != "." }).utf8.count >= Limits.shownTransferDigits else {
        throw UsageError(localized("Enter the complete ID, as shown by `baton transfers`."), hint: syntax.hint)
      }
      return try change(id, list, { localized("Accepted: \($0)") }, output) { transfer in
        guard revision(id) == transfer.revision ?? 1 else {
          let device = Printable.text(transfer.device)
          throw CommandError(.refused, localized("\(device) has changed the files. See them with `baton transfers`."))
        }
        _ = try connection.call(AcceptTransfer.self, AcceptTransfer.Parameters(id: transfer.id, title: transfer.title))
      }
    }
    if let id = arguments[cancel] {
      return try change(id, list, { localized("Canceled: \($0)") }, output) {
        _ = try connection.call(CancelTransfer.self, TransferID(id: $0.id))
      }
    }
    if let id = arguments[retry] {
      return try change(id, list, { localized("Trying again: \($0)") }, output) { transfer in
        _ = try connection.call(RetryTransfer.self, TransferID(id: transfer.id))
      }
    }
    if let id = arguments[forget] {
      return try change(id, list, { localized("Removed from the list: \($0)") }, output) {
        _ = try connection.call(ForgetTransfer.self, TransferID(id: $0.id))
      }
    }
    if arguments[all] {
      let over = list.filter(\.transfer.state.isOver)
      for state in over { _ = try? connection.call(ForgetTransfer.self, TransferID(id: state.transfer.id)) }
      return try output.result(
        ["forgotten": .integer(Int64(over.count))],
        localized(
          over.count,
          one: "Removed \(over.count) transfer from the list.",
          other: "Removed \(over.count) transfers from the list."
        )
      )
    }
    if arguments[watch] { return try watch(connection, output) }
    if list.isEmpty { output.note(localized("No transfers.")) }
    if output.isJSON || !list.isEmpty {
      try output.result(TransferList(transfers: list).json, TransferText.table(list))
    }
  }

  /// Which question the ID is about.
  private static func revision(_ id: String) -> Int {
    let parts = id.split(atScalar: ".", maxSplits: 1)
    return parts.count == 2 ? parts.last.flatMap { Int($0) } ?? 0 : 1
  }

  private static func change(
    _ prefix: String,
    _ list: [ControlTransfer],
    _ text: (_ title: String) -> String,
    _ output: Output,
    _ call: (Transfer) throws -> Void
  ) throws {
    let start = prefix.lowercased().scalarPrefix { $0 != "." }
    let found = list.filter { $0.transfer.id.description.starts(withBytesOf: start) }
    guard let state = found.first else {
      throw CommandError(
        .notFound,
        localized("There's no transfer \(Printable.text(prefix)). To list your transfers, run `baton transfers`.")
      )
    }
    guard found.count == 1 else {
      throw CommandError(
        .ambiguous,
        localized("More than one transfer ID starts with \(Printable.text(prefix)). Enter more of it.")
      )
    }
    try call(state.transfer)
    try output.result(
      ["id": .string(state.transfer.id.description)],
      text(Printable.text(state.transfer.title))
    )
  }

  private static func watch(_ connection: ControlConnection, _ output: Output) throws {
    var replies = try connection.replies(of: WatchTransfers.self, WatchTransfers.Parameters())
    while let reply = try replies.next() {
      let text =
        reply.transfers.isEmpty
        ? localized("Removed: \(reply.gone.map { String($0.description.prefix(8)) } ?? "")")
        : TransferText.table(reply.transfers)
      try output.result(reply.json, text)
    }
  }
}
