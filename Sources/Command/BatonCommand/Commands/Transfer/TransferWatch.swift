// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import JSONCoding
import Localization
import VarlinkClient

/// Shows a transfer until it is over.
enum TransferWatch {
  /// Returns when everything has arrived.
  ///
  /// - Parameter isThere: Whether the other machine is connected.
  /// - Throws: If the transfer fails.
  static func follow(_ first: ControlTransfer, _ output: Output, isThere: Bool = true) throws {
    let id = first.transfer.id
    let connection = try ControlConnection(searchPath: nil)
    var replies = try connection.replies(of: WatchTransfers.self, WatchTransfers.Parameters(id: id))
    var progress = ProgressLine(output, isThere: isThere)
    while let reply = try next(&replies) {
      if reply.gone == id { throw CommandError(.failure, localized("The transfer was removed from the list.")) }
      guard let state = reply.transfers.first(where: { $0.transfer.id == id }) else { continue }
      if output.isJSON { try output.document(state.json) } else { progress.show(state) }
      guard state.transfer.state.isOver else { continue }
      progress.clear()
      if let reason = state.transfer.reason {
        throw CommandError(.refused, TransferText.failure(reason, state.transfer))
      }
      if !output.isJSON { try output.line(TransferText.done(state)) }
      if state.transfer.omitted != nil { throw CommandError(.failure, TransferText.omissions(state.transfer)) }
      return
    }
    throw ControlError.disconnected
  }

  private static func next(_ replies: inout ControlReplies<WatchTransfers>) throws -> TransferList? {
    do throws(ControlError) {
      return try replies.next()
    } catch .disconnected {
      throw CommandError(
        .daemonUnreachable,
        localized(
          """
          `baton agent` was stopped. The transfer resumes when the agent is running again; check it with \
          `baton transfers`.
          """
        )
      )
    }
  }
}
