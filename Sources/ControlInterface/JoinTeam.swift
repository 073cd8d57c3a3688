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
  }

  package typealias Reply = TeamReply
}
