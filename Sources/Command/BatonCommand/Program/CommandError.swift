// SPDX-License-Identifier: Apache-2.0

import Activity

/// An error that the command itself found, after it understood its arguments.
struct CommandError: Error, CustomStringConvertible {
  let status: ExitStatus
  /// For people.
  let message: String
  /// The name of the reason in the list of reasons, if there is one.
  let reason: String?

  var description: String { message }

  init(_ status: ExitStatus, _ message: String, reason: Reason? = nil) {
    self.status = status
    self.message = message
    self.reason = reason?.rawValue
  }

  /// - Parameter message: Replaces the reason's explanation, if there is more to say.
  init(_ reason: Reason, _ message: String? = nil) {
    status = ExitStatus(reason)
    self.message = message ?? reason.explanation
    self.reason = reason.rawValue
  }
}
