import JSONCoding
import Varlink

/// The reply of the methods after which this machine is in a team.
package struct TeamReply: Structure {
  package let team: ControlTeam

  package init(team: ControlTeam) { self.team = team }

  package init(_ members: inout Members) throws(InvalidParameter) { team = try members.structure("team") }

  package var members: [String: JSON] { ["team": team.json] }
}
