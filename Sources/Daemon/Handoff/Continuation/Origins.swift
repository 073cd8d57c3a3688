// SPDX-License-Identifier: Apache-2.0

import Activity

/// The peer that first offered each activity over a session. It remains the activity's origin, even while it is away.
/// Another member that offers the same ID does not come before it.
///
/// `Limits.offersPerPeer` activities of each peer are kept: those that it offers, and then the newest.
struct Origins: Sendable {
  private struct Origin {
    let peer: PeerID
    /// Greater for later ones.
    let order: UInt64
  }

  private var origins: [ActivityID: Origin] = [:]

  subscript(activity: ActivityID) -> PeerID? { origins[activity]?.peer }

  /// Notes that the peer offers the activity.
  ///
  /// - Parameter isOffered: Whether the peer offers another activity at the moment.
  mutating func note(
    _ activity: ActivityID,
    of peer: PeerID,
    _ order: inout Order,
    isOffered: (ActivityID) -> Bool = { _ in false }
  ) {
    guard origins[activity] == nil else { return }
    let own = origins.filter { $0.value.peer == peer }
    if own.count >= Limits.offersPerPeer,
      let oldest = own.filter({ !isOffered($0.key) }).min(by: { $0.value.order < $1.value.order })
    {
      origins[oldest.key] = nil
    }
    origins[activity] = Origin(peer: peer, order: order.next())
  }

  mutating func forget(_ peer: PeerID) { origins = origins.filter { $0.value.peer != peer } }
}
