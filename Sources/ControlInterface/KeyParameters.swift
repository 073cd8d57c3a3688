import JSON

/// A team, and the passphrase that its key is to have.
package struct KeyParameters: Structure {
  /// The team's ID; may be nil where the user has one team.
  package let team: String?
  /// Nil for none.
  package let passphrase: String?

  package init(team: String? = nil, passphrase: String? = nil) {
    self.team = team
    self.passphrase = passphrase
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    team = try members.optional("team", \.string)
    passphrase = try members.optionalPassphrase("passphrase")
  }

  package var members: [String: JSON] {
    var members: [String: JSON] = [:]
    members["team"] = team.map(JSON.string)
    members["passphrase"] = passphrase.map(JSON.string)
    return members
  }
}
