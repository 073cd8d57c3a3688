import JSONCoding
import Varlink

/// The parameters of the methods that add or remove an address of a peer.
package struct StaticPeerParameters: Structure {
  /// `HOST`, `HOST:PORT` or `[IPV6]:PORT`.
  package let address: String
  /// The team's ID.
  package let team: String?

  package init(address: String, team: String? = nil) {
    self.address = address
    self.team = team
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    address = try members.required("address", \.string)
    team = try members.optional("team", \.string)
  }

  package var members: [String: JSON] {
    var members: [String: JSON] = ["address": .string(address)]
    members["team"] = team.map(JSON.string)
    return members
  }
}
