import JSONCoding
import Varlink

/// Asks an organization to let a team use its servers.
package enum RequestRendezvous: Method {
  package static let name = "io.baton.Handoff.RequestRendezvous"

  package struct Parameters: Structure {
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?
    /// Whether the team may give up servers that it runs itself. Nil means no.
    package let replace: Bool?

    package init(team: String? = nil, replace: Bool? = nil) { (self.team, self.replace) = (team, replace) }
  }

  package struct Reply: Structure {
    /// JSON text. It is not secret.
    package let request: String

    package init(request: String) { self.request = request }
  }
}
