// SPDX-License-Identifier: Apache-2.0

import Activity

/// The streams that local programs requested and that wait for the peer's answer.
///
/// Users have their `Limits.openingStreamShare` of them, and peers `Limits.openingStreamsPerPeer`.
struct OpeningStreams: Sendable {
  struct OpeningStream: Sendable {
    let id: StreamID
    let activity: ActivityID
    let client: ClientID
    fileprivate let user: UserID
    fileprivate let deadline: ContinuousClock.Instant
  }

  /// The number of streams that this side has opened. Numbers are not used again while the daemon runs, because a
  /// stream may outlive its session.
  private(set) var openedCount: UInt32
  private var streams: [StreamID: OpeningStream] = [:]

  init(openedCount: UInt32) { self.openedCount = openedCount }

  /// Returns the streams that wait for the peer, the oldest first.
  func with(_ peer: PeerID) -> [OpeningStream] {
    streams.values.filter { $0.id.peer == peer }.sorted { $0.id.number < $1.id.number }
  }

  var peers: Set<PeerID> { Set(streams.keys.lazy.map(\.peer)) }

  /// - Parameter isFirst: Whether this side's stream numbers are odd.
  /// - Returns: Nil if there are too many.
  mutating func open(
    _ activity: ActivityID,
    _ peer: PeerID,
    isFirst: Bool,
    _ client: ClientID,
    _ user: UserID,
    _ time: Time
  ) -> StreamID? {
    let own = streams.values.count { $0.user == user }
    guard openedCount < UInt32.max / 2, Limits.openingStreamShare.allows(user, own: own, all: streams.count),
      streams.keys.count(where: { $0.peer == peer }) < Limits.openingStreamsPerPeer
    else { return nil }
    openedCount += 1
    let id = StreamID(peer: peer, number: isFirst ? 2 * openedCount - 1 : 2 * openedCount)
    // The origin gives its app `streamAcceptTime`; the rest is the network's.
    let deadline = time.instant + Limits.streamAcceptTime + Limits.fetchTime
    streams[id] = OpeningStream(id: id, activity: activity, client: client, user: user, deadline: deadline)
    return id
  }

  /// Returns who waits for the stream, and removes it.
  mutating func remove(_ id: StreamID) -> ClientID? { streams.removeValue(forKey: id)?.client }

  mutating func remove(of client: ClientID) -> [StreamID] { removeAll { $0.client == client }.map(\.id) }

  mutating func remove(with peer: PeerID) -> [ClientID] { removeAll { $0.id.peer == peer }.map(\.client) }

  mutating func removeLate(at instant: ContinuousClock.Instant) -> [OpeningStream] {
    removeAll { $0.deadline <= instant }
  }

  private mutating func removeAll(where condition: (OpeningStream) -> Bool) -> [OpeningStream] {
    streams.removeAll { condition($0.value) }.map(\.value)
  }

  /// When the first answer is late.
  var deadline: ContinuousClock.Instant? { streams.values.lazy.map(\.deadline).min() }
}
