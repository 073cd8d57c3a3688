import JSONCoding
import Varlink

/// Lets a team use an organization's servers.
package enum AuthorizeRendezvous: Method {
  package static let name = "io.baton.Handoff.AuthorizeRendezvous"

  package struct Parameters: Structure {
    /// The request that `RequestRendezvous` returned.
    package let request: String
    /// The organization. Nil is allowed if the user has made servers for only one.
    package let organization: String?

    package init(request: String, organization: String? = nil) {
      (self.request, self.organization) = (request, organization)
    }
  }

  package struct Reply: Structure {
    /// JSON text. It is not secret.
    package let approval: String
    /// What people call the team.
    package let team: String
    /// Why the servers were not told; nil if they were. The same request can be authorized again.
    package let problem: String?

    package init(approval: String, team: String, problem: String?) {
      (self.approval, self.team, self.problem) = (approval, team, problem)
    }
  }
}
