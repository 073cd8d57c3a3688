import JSONCoding
import Varlink

/// Admits the device that made a request.
package enum ApproveRequest: Method {
  package static let name = "io.baton.Handoff.ApproveRequest"

  package struct Parameters: Structure {
    /// The request that `RequestMembership` returned.
    package let request: String
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?

    package init(request: String, team: String? = nil) {
      self.request = request
      self.team = team
    }
  }

  package struct Reply: Structure {
    /// JSON text. It is a secret, because it contains the team's discovery key.
    package let approval: String
    package let team: ControlTeam

    package init(approval: String, team: ControlTeam) {
      self.approval = approval
      self.team = team
    }
  }
}
