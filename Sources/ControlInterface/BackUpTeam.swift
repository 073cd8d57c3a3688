import Activity
import JSONCoding
import Varlink

/// Returns a sealed text of everything that makes this machine its device of a team.
package enum BackUpTeam: Method {
  package static let name = "io.baton.Handoff.BackUpTeam"

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

  package struct Reply: Structure {
    package let backup: String
    package let team: ControlTeam

    package init(backup: String, team: ControlTeam) {
      self.backup = backup
      self.team = team
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      backup = try members.required("backup", \.string)
      team = try members.structure("team")
    }

    package var members: [String: JSON] { ["backup": .string(backup), "team": team.json] }
  }
}
