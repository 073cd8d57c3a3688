import JSONCoding
import Varlink

/// Removes a team, its keys and its peers from this machine.
package enum LeaveTeam: Method {
  package static let name = "io.baton.Handoff.LeaveTeam"

  package struct Parameters: Structure {
    /// The team's ID.
    package let team: String

    package init(team: String) { self.team = team }
  }

  package typealias Reply = Nothing
}
