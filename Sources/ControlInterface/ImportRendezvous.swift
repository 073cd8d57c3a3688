import JSONCoding
import Varlink

/// Makes the devices of a team meet at an organization's servers that have accepted the team.
package enum ImportRendezvous: Method {
  package static let name = "io.baton.Handoff.ImportRendezvous"

  package struct Parameters: Structure {
    /// The approval that `AuthorizeRendezvous` returned.
    package let approval: String
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?

    package init(approval: String, team: String? = nil) { (self.approval, self.team) = (approval, team) }
  }

  package typealias Reply = RendezvousReply
}

/// The reply of the methods after which a team's devices meet elsewhere.
package struct RendezvousReply: Structure {
  package let rendezvous: ControlRendezvous

  package init(rendezvous: ControlRendezvous) { self.rendezvous = rendezvous }
}
