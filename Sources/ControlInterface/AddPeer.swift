import JSONCoding
import Varlink

/// Adds an address at which a machine of a team may be reached if discovery does not find it.
package enum AddPeer: Method {
  package static let name = "io.baton.Handoff.AddPeer"
  /// `team` may be nil if the user has only one team.
  package typealias Parameters = StaticPeerParameters

  package struct Reply: Structure {
    package let peer: ControlStaticPeer

    package init(peer: ControlStaticPeer) { self.peer = peer }
  }
}
