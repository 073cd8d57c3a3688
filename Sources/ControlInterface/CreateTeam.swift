import JSONCoding
import Varlink

/// Creates a team, with this machine as its first device and the administrator's.
package enum CreateTeam: Method {
  package static let name = "io.baton.Handoff.CreateTeam"

  package struct Parameters: Structure {
    package let name: String
    /// The passphrase that seals the team's key. Nil for none.
    package let passphrase: String?

    package init(name: String, passphrase: String? = nil) {
      self.name = name
      self.passphrase = passphrase
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      name = try members.required("name", \.string)
      passphrase = try members.optionalPassphrase("passphrase")
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["name": .string(name)]
      members["passphrase"] = passphrase.map(JSON.string)
      return members
    }
  }

  package typealias Reply = TeamReply
}
