// SPDX-License-Identifier: Apache-2.0

import Activity
import Glibc
import Varlink
import VarlinkClient

extension ControlConnection {
  /// How long a person waits for a reply without being told why.
  private static var quietTime: Duration { .seconds(1) }

  /// Calls a method. If the reply takes long, tells a person at a terminal what is awaited.
  func call<M: Method>(
    _ method: M.Type,
    _ parameters: M.Parameters,
    _ output: Output,
    awaiting text: @autoclosure () -> String
  ) throws -> M.Reply {
    guard isatty(STDERR_FILENO) == 1 else { return try call(method, parameters) }
    var replies = try begin(method, parameters)
    do {
      if let reply = try replies.next(until: .now + Self.quietTime) { return reply }
    } catch ControlError.timedOut {
      output.note(text())
      if let reply = try replies.next(until: .now + Limits.controlReplyTime) { return reply }
    }
    throw ControlError.disconnected
  }
}
