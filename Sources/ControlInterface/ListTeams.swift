import JSONCoding
import Varlink

/// Lists the caller's teams.
package enum ListTeams: Method {
  package static let name = "io.baton.Handoff.ListTeams"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package let teams: [ControlTeam]
    /// The teams whose files on this machine cannot be used.
    package let unusable: [ControlUnusableTeam]

    package init(teams: [ControlTeam], unusable: [ControlUnusableTeam] = []) {
      self.teams = teams
      self.unusable = unusable
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      teams = try members.structures("teams")
      unusable = try members.structuresIfAny("unusable")
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["teams": .array(teams.map(\.json))]
      if !unusable.isEmpty { members["unusable"] = .array(unusable.map(\.json)) }
      return members
    }
  }
}
