import JSONCoding
import Varlink

/// Lists the known other machines of the user's teams. With `more`, it lists all of them again at each change.
package enum ListPeers: Method {
  package static let name = "io.baton.Handoff.ListPeers"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package let peers: [ControlPeer]
    /// The machines that were met before the daemon was started, and were not found since. Nil if there are none.
    package let away: [ControlPeer]?

    package init(peers: [ControlPeer], away: [ControlPeer] = []) {
      self.peers = peers
      self.away = away.isEmpty ? nil : away
    }

    /// Every machine that was ever met.
    package var all: [ControlPeer] { peers + (away ?? []) }
  }
}
