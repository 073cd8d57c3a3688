import JSONCoding
import Varlink

/// Creates a team, with this machine as its first device and the administrator's.
package enum CreateTeam: Method {
  package static let name = "io.baton.Handoff.CreateTeam"

  package struct Parameters: Structure {
    package let name: String
    /// The passphrase that seals the team's key. Nil for none.
    @Coded<PassphraseText?> package var passphrase: String?

    package init(name: String, passphrase: String? = nil) {
      self.name = name
      self.passphrase = passphrase
    }
  }

  package typealias Reply = TeamReply
}
