import JSON
import Varlink

/// Joins a team with a code, over the network.
package enum JoinTeam: Method {
  package static let name = "io.baton.Handoff.JoinTeam"

  package struct Parameters: Structure {
    package let code: String
    /// `HOST` or `HOST:PORT` of the machine that gave the code out; nil to look for it.
    package let address: String?

    package init(code: String, address: String? = nil) {
      self.code = code
      self.address = address
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      code = try members.required("code", \.string)
      address = try members.optional("address", \.string)
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["code": .string(code)]
      members["address"] = address.map(JSON.string)
      return members
    }
  }

  package typealias Reply = TeamReply
}
