import Activity
import JSONCoding
import Varlink

/// Returns a sealed text of everything that makes this machine its device of a team.
package enum BackUpTeam: Method {
  package static let name = "io.baton.Handoff.BackUpTeam"

  package struct Parameters: Structure {
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?
    @Coded<PassphraseText> package var passphrase: String

    package init(team: String? = nil, passphrase: String) {
      self.team = team
      self.passphrase = passphrase
    }
  }

  package struct Reply: Structure {
    package let backup: String
    package let team: ControlTeam

    package init(backup: String, team: ControlTeam) {
      self.backup = backup
      self.team = team
    }
  }
}
