// SPDX-License-Identifier: Apache-2.0

import Activity

/// The activities that local programs received from other machines. They may open streams to the origins.
///
/// The newest `continuationsPerUser` of each user are kept.
struct ContinuedActivities: Sendable {
  /// The maximum number of one user's continuations that are remembered so that the programs may open streams. The
  /// oldest is forgotten first.
  static let continuationsPerUser = 64

  struct ContinuedActivity: Sendable {
    let peer: PeerID
    let supportsStreams: Bool
    /// Greater for later ones.
    fileprivate let order: UInt64
  }

  private var activities: [UserID: [ActivityID: ContinuedActivity]] = [:]

  /// What the user continued.
  subscript(id: ActivityID, by user: UserID) -> ContinuedActivity? { activities[user]?[id] }

  /// Returns what the user may open streams of: what it continued. Root may use what others continued.
  func usable(_ id: ActivityID, by user: UserID) -> ContinuedActivity? {
    self[id, by: user] ?? (user == 0 ? activities.values.lazy.compactMap { $0[id] }.first : nil)
  }

  mutating func add(_ record: ActivityRecord, from peer: PeerID, by user: UserID, _ order: inout Order) {
    let own = activities[user] ?? [:]
    if own.count >= Self.continuationsPerUser, let oldest = own.min(by: { $0.value.order < $1.value.order }) {
      activities[user]?[oldest.key] = nil
    }
    activities[user, default: [:]][record.id] = ContinuedActivity(
      peer: peer,
      supportsStreams: record.supportsContinuationStreams,
      order: order.next()
    )
  }
}
