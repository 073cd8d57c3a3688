import Activity
import JSONCoding
import Varlink

/// Reports the outcome of a `launchRequested` event.
package enum ReportLaunch: Method {
  package static let name = "io.baton.Handoff.ReportLaunch"

  package enum State: String, CaseIterable, Codable, Sendable {
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
  }

  package typealias Reply = Nothing
}
