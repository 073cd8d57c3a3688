import JSONCoding
import Varlink

/// Lists the caller's teams.
package enum ListTeams: Method {
  package static let name = "io.baton.Handoff.ListTeams"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package let teams: [ControlTeam]
    /// The teams whose files on this machine cannot be used.
    @Coded<EmptyByDefault> package var unusable: [ControlUnusableTeam]

    package init(teams: [ControlTeam], unusable: [ControlUnusableTeam] = []) {
      self.teams = teams
      self.unusable = unusable
    }
  }
}
