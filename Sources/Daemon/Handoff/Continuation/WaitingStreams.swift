// SPDX-License-Identifier: Apache-2.0

import Activity

/// The streams that peers requested and that wait for a local app to accept them.
///
/// Users have their `Limits.openingStreamShare` of them, and peers `Limits.openingStreamsPerPeer`.
struct WaitingStreams: Sendable {
  private struct WaitingStream {
    let id: StreamID
    let sendLimit: UInt64
    let activity: ActivityID
    let user: UserID
    let deadline: ContinuousClock.Instant
  }

  /// What the app names the stream by comes first.
  private var streams: [String: WaitingStream] = [:]

  func contains(_ id: StreamID) -> Bool { streams.values.contains { $0.id == id } }

  var peers: Set<PeerID> { Set(streams.values.lazy.map(\.id.peer)) }

  func count(of user: UserID) -> Int { streams.values.count { $0.user == user } }

  func count(with peer: PeerID) -> Int { streams.values.count { $0.id.peer == peer } }

  /// - Parameter sendLimit: How many bytes the peer accepts at first.
  /// - Returns: The token by which the app names the stream. Nil if there are too many.
  mutating func add(
    _ id: StreamID,
    _ sendLimit: UInt64,
    of activity: LocalActivity,
    _ order: inout Order,
    at time: Time
  ) -> String? {
    let user = activity.user
    guard Limits.openingStreamShare.allows(user, own: count(of: user), all: streams.count),
      count(with: id.peer) < Limits.openingStreamsPerPeer
    else { return nil }
    let token = String(order.next())
    let deadline = time.instant + Limits.streamAcceptTime
    streams[token] = WaitingStream(
      id: id,
      sendLimit: sendLimit,
      activity: activity.record.id,
      user: user,
      deadline: deadline
    )
    return token
  }

  /// Removes the stream that the user accepts.
  mutating func accept(_ token: String, by user: UserID) -> (id: StreamID, sendLimit: UInt64)? {
    streams[token]?.user == user ? streams.removeValue(forKey: token).map { ($0.id, $0.sendLimit) } : nil
  }

  mutating func remove(_ id: StreamID) { _ = removeAll { $0.id == id } }

  mutating func remove(with peer: PeerID) { _ = removeAll { $0.id.peer == peer } }

  mutating func remove(of activity: ActivityID) -> [StreamID] { removeAll { $0.activity == activity } }

  mutating func removeLate(at instant: ContinuousClock.Instant) -> [StreamID] { removeAll { $0.deadline <= instant } }

  /// Removes the streams of users who may no longer use the peer's team.
  mutating func keep(only teams: TeamOwners) -> [StreamID] {
    removeAll { !teams.mayUse($0.id.peer.team, $0.user) }
  }

  private mutating func removeAll(where condition: (WaitingStream) -> Bool) -> [StreamID] {
    streams.removeAll { condition($0.value) }.map(\.value.id)
  }

  /// When the first app is late.
  var deadline: ContinuousClock.Instant? { streams.values.lazy.map(\.deadline).min() }
}
