// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Varlink

/// The error `Failed`. Every failure of this interface is reported with it.
package struct ControlFailure: Structure, Error {
  package static let name = "io.baton.Handoff.Failed"

  package let reason: Reason
  /// What happened and what to do, for people.
  package let message: String

  /// - Parameter message: A message that says more than the reason's own explanation, if there is more to say.
  package init(_ reason: Reason, message: String? = nil) {
    self.reason = reason
    self.message = message ?? reason.explanation
  }

  /// The message in the user's language, if it is the reason's own explanation.
  package var localizedMessage: String {
    message.utf8.elementsEqual(reason.englishExplanation.utf8) ? reason.explanation : message
  }

  /// The reply with this error.
  package var reply: Varlink.Reply { Varlink.Reply(error: Self.name, members) }
}
