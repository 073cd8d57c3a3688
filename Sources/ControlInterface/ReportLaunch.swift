import Activity
import JSONCoding
import Varlink

/// Reports the outcome of a `launchRequested` event.
package enum ReportLaunch: Method {
  package static let name = "io.baton.Handoff.ReportLaunch"

  package enum State: String, CaseIterable, Sendable {
    /// An app was started. It will register the type or continue the offer.
    case launching
    /// The launcher has continued the offer itself.
    case continued
    /// Nothing takes the offer; `reason` says why.
    case failed
  }

  package struct Parameters: Structure {
    package let launch: String
    package let state: State
    /// With `failed`: why.
    package let reason: Reason?

    package init(launch: String, state: State, reason: Reason? = nil) {
      self.launch = launch
      self.state = state
      self.reason = reason
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      launch = try members.required("launch", \.string)
      state = try members.choice("state")
      reason = try members.reason("reason")
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["launch": .string(launch), "state": .string(state.rawValue)]
      members["reason"] = reason.map { .string($0.rawValue) }
      return members
    }
  }

  package typealias Reply = Nothing
}
