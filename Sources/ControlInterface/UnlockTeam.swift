import JSONCoding
import Varlink

/// Opens a team's key that has a passphrase, for some minutes.
package enum UnlockTeam: Method {
  package static let name = "io.baton.Handoff.UnlockTeam"

  package struct Parameters: Structure {
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?
    @Coded<PassphraseText> package var passphrase: String

    package init(team: String? = nil, passphrase: String) {
      self.team = team
      self.passphrase = passphrase
    }
  }

  package typealias Reply = TeamReply
}
