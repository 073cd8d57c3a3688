import JSON
import Varlink

/// The caller's teams.
package enum ListTeams: Method {
  package static let name = "io.baton.Handoff.ListTeams"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package let teams: [ControlTeam]

    package init(teams: [ControlTeam]) { self.teams = teams }

    package init(_ members: inout Members) throws(InvalidParameter) { teams = try members.structures("teams") }

    package var members: [String: JSON] { ["teams": .array(teams.map(\.json))] }
  }
}
