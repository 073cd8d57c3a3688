import JSONCoding
import Varlink

/// Undoes ``AddPeer``. An existing session stays.
package enum RemovePeer: Method {
  package static let name = "io.baton.Handoff.RemovePeer"
  /// `team` is nil for all teams of the user.
  package typealias Parameters = StaticPeerParameters
  package typealias Reply = Nothing
}
