import JSONCoding

/// A team, and the new passphrase of its key.
package struct KeyParameters: Structure {
  /// The team's ID. Nil is allowed if the user has only one team.
  package let team: String?
  /// The passphrase. Nil for none.
  @Coded<PassphraseText?> package var passphrase: String?

  package init(team: String? = nil, passphrase: String? = nil) {
    self.team = team
    self.passphrase = passphrase
  }
}
