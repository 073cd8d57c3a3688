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

    package init(_ members: inout Members) throws(InvalidParameter) {
      request = try members.required("request", \.string)
      team = try members.optional("team", \.string)
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["request": .string(request)]
      members["team"] = team.map(JSON.string)
      return members
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

    package init(_ members: inout Members) throws(InvalidParameter) {
      approval = try members.required("approval", \.string)
      team = try members.structure("team")
    }

    package var members: [String: JSON] { ["approval": .string(approval), "team": team.json] }
  }
}
