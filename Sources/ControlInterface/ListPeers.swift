import JSONCoding
import Varlink

/// Lists the known other machines of the user's teams. With `more`, it lists all of them again at each change.
package enum ListPeers: Method {
  package static let name = "io.baton.Handoff.ListPeers"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package let peers: [ControlPeer]

    package init(peers: [ControlPeer]) { self.peers = peers }
  }
}
