// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// The addresses where devices were met, without ports. They are kept, because thousands of strangers must cost little.
struct MetAddresses {
  /// Nil if some may no longer count.
  private var all: Set<SocketAddress>?

  /// Whether a device was met at the address.
  ///
  /// - Parameter find: All of them.
  mutating func contains(_ address: SocketAddress, amongst find: @autoclosure () -> [SocketAddress]) -> Bool {
    let addresses = all ?? Set(find().map { $0.with(port: 0) })
    all = addresses
    // Only the address itself counts, because others have addresses in its network, too.
    return addresses.contains(address.with(port: 0))
  }

  /// Keeps the addresses in step with what happens. Sessions begin and end all the time, so neither is a reason to look
  /// at all peers. The address of a session that has ended counts until that happens for another reason.
  ///
  /// - Parameter session: The address from which a peer has a session; nil if it has none, or through a relay.
  mutating func note(_ event: ReachabilityCore<SocketAddress>.Event, session: (PeerID) -> SocketAddress?) {
    switch event {
    case .ready(let peer, _, _, _): if let address = session(peer) { all?.insert(address.with(port: 0)) }
    case .told(_, let address): all?.insert(address.with(port: 0))
    case .remembered(_, let addresses) where !addresses.isEmpty: all?.formUnion(addresses.map { $0.with(port: 0) })
    case .remembered, .teamsChanged, .networkChanged, .resumed: all = nil
    default: break
    }
    if let all, all.count > Limits.knownPeers * (Limits.addressesPerPeer + 1) { self.all = nil }
  }
}
