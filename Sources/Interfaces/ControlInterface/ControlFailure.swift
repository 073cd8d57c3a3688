import Activity
import JSONCoding
import Varlink

/// The error `Failed`. Every failure of this interface is reported with it.
package struct ControlFailure: Structure, Error {
  package static let name = "io.baton.Handoff.Failed"

  package let reason: Reason
  /// One sentence for people.
  package let message: String

  /// - Parameter message: A message that says more than the reason's own explanation, if there is more to say.
  package init(_ reason: Reason, message: String? = nil) {
    self.reason = reason
    self.message = message ?? reason.explanation
  }

  /// The reply with this error.
  package var reply: Varlink.Reply { Varlink.Reply(error: Self.name, members) }
}
