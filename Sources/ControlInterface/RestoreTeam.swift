import Activity
import JSONCoding
import Varlink

/// Restores a team from a backup, or only says what the backup contains.
package enum RestoreTeam: Method {
  package static let name = "io.baton.Handoff.RestoreTeam"

  package struct Parameters: Structure {
    /// The backup that `BackUpTeam` returned.
    package let backup: String
    @Coded<PassphraseText> package var passphrase: String
    /// Whether to change nothing.
    @Coded<FalseByDefault> package var checkOnly: Bool

    package init(backup: String, passphrase: String, checkOnly: Bool = false) {
      self.backup = backup
      self.passphrase = passphrase
      self.checkOnly = checkOnly
    }
  }

  package struct Reply: Structure {
    package let team: ControlTeam
    /// The name of the machine that made the backup.
    package let device: String
    /// When the backup was made, in seconds since 1970-01-01 00:00:00 UTC.
    package let made: Double

    package init(team: ControlTeam, device: String, made: Double) {
      self.team = team
      self.device = device
      self.made = made
    }
  }
}
