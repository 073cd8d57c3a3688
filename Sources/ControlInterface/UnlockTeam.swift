import JSONCoding
import Varlink

/// Opens a team's key that has a passphrase, for some minutes.
package enum UnlockTeam: Method {
  package static let name = "io.baton.Handoff.UnlockTeam"

  package struct Parameters: Structure {
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?
    package let passphrase: String

    package init(team: String? = nil, passphrase: String) {
      self.team = team
      self.passphrase = passphrase
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      team = try members.optional("team", \.string)
      passphrase = try members.passphrase("passphrase")
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["passphrase": .string(passphrase)]
      members["team"] = team.map(JSON.string)
      return members
    }
  }

  package typealias Reply = TeamReply
}
