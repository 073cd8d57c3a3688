import JSONCoding
import Varlink

/// Lists the addresses that were added for the user's teams.
package enum ListStaticPeers: Method {
  package static let name = "io.baton.Handoff.ListStaticPeers"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package let peers: [ControlStaticPeer]

    package init(peers: [ControlStaticPeer]) { self.peers = peers }
  }
}
