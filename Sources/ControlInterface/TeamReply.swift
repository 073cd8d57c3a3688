import JSONCoding
import Varlink

/// The reply of the methods after which this machine is in a team.
package struct TeamReply: Structure {
  package let team: ControlTeam

  package init(team: ControlTeam) { self.team = team }
}
