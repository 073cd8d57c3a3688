import JSONCoding

/// A team, and the new passphrase of its key.
package struct KeyParameters: Structure {
  /// The team's ID. Nil is allowed if the user has only one team.
  package let team: String?
  /// The passphrase. Nil for none.
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
