import JSONCoding
import Varlink

/// Makes keys and configuration for servers, for a team or for an organization's teams.
package enum CreateRendezvous: Method {
  package static let name = "io.baton.Handoff.CreateRendezvous"

  package struct Parameters: Structure {
    /// `HOST` or `HOST:PORT` of each NATS server, and of each relay.
    package let servers: [String]
    package let relays: [String]
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?
    /// The name of the organization whose teams may use the servers; nil for servers of one team.
    package let organization: String?
    /// Whether they take the place of those that are there. Nil means no.
    package let replace: Bool?

    package init(
      servers: [String],
      relays: [String],
      team: String? = nil,
      organization: String? = nil,
      replace: Bool? = nil
    ) {
      (self.servers, self.relays, self.team, self.organization) = (servers, relays, team, organization)
      self.replace = replace
    }
  }

  package struct Reply: Structure {
    /// What the directory of each server contains. The keys in it are secret.
    package let files: [File]

    package init(files: [File]) { self.files = files }
  }

  package struct File: Structure {
    /// The path below the directory.
    package let name: String
    package let content: String

    package init(name: String, content: String) { (self.name, self.content) = (name, content) }
  }
}
