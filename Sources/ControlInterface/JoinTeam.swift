import JSONCoding
import Varlink

/// Joins a team with a code, over the network.
package enum JoinTeam: Method {
  package static let name = "io.baton.Handoff.JoinTeam"

  package struct Parameters: Structure {
    package let code: String
    /// `HOST` or `HOST:PORT` of the machine that gave out the code. Nil to search for that machine.
    package let address: String?
    /// The ID of a team that the code's team must replace. Nil for none.
    package let replaces: String?

    package init(code: String, address: String? = nil, replaces: String? = nil) {
      self.code = code
      self.address = address
      self.replaces = replaces
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      code = try members.required("code", \.string)
      address = try members.optional("address", \.string)
      replaces = try members.optional("replaces", \.string)
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["code": .string(code)]
      members["address"] = address.map(JSON.string)
      members["replaces"] = replaces.map(JSON.string)
      return members
    }
  }

  package typealias Reply = TeamReply
}
