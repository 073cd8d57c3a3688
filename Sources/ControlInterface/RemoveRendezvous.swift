import JSONCoding
import Varlink

/// Makes the devices of a team meet only on their networks.
package enum RemoveRendezvous: Method {
  package static let name = "io.baton.Handoff.RemoveRendezvous"

  package struct Parameters: Structure {
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?

    package init(team: String? = nil) { self.team = team }
  }

  package typealias Reply = Nothing
}
