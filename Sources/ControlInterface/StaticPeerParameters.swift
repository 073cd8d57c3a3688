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
}
