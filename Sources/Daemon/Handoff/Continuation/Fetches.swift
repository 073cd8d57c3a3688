// SPDX-License-Identifier: Apache-2.0

import Activity

/// The continuations that local programs requested and have not received.
///
/// At most `Limits.fetchesPerPeer` are with one peer at the same time. Each ends after `Limits.fetchTime`.
struct Fetches: Sendable {
  /// The time between attempts to reach the origin, until `Limits.fetchTime` is over. A restarted daemon is back within
  /// a second, and what was sent while the network was away is lost.
  static let fetchRetryTime = Duration.milliseconds(250)

  struct Fetch: Sendable {
    let activityType: String
    fileprivate(set) var user: UserID
    let deadline: ContinuousClock.Instant
    /// Nil after the program has left.
    fileprivate(set) var client: ClientID?
    /// Others that get the same answer, of what was copied. There are none without a ``client``.
    fileprivate(set) var others: [Other] = []
    /// Nil until there is a session to send the fetch on.
    fileprivate(set) var request: UInt64?
    /// When to try again to reach the peer. Nil if the fetch is sent.
    fileprivate var retry: ContinuousClock.Instant?

    /// Everybody who waits for the answer.
    var clients: [ClientID] { [client].compactMap(\.self) + others.map(\.client) }
  }

  struct Other: Sendable {
    let client: ClientID
    let user: UserID
  }

  private var fetches: [OfferID: Fetch] = [:]

  subscript(id: OfferID) -> Fetch? { fetches[id] }

  func from(_ peer: PeerID) -> [OfferID: Fetch] { fetches.filter { $0.key.peer == peer } }

  func contains(_ peer: PeerID) -> Bool { fetches.keys.contains { $0.peer == peer } }

  /// - Returns: Whether the fetch is new. If not, the client gets the answer that is on its way to one that has left,
  ///   or to another one that pastes the same.
  mutating func begin(
    _ id: OfferID,
    _ activityType: String,
    _ client: ClientID,
    _ user: UserID,
    _ time: Time
  ) throws(Reason) -> Bool {
    if let fetch = fetches[id] {
      if fetch.client != nil, CurrentKind(activityType: activityType).staysOffered {
        guard fetch.others.count < Limits.fetchesPerPeer else { throw .limitReached }
        fetches[id]?.others.append(Other(client: client, user: user))
        return false
      }
      guard fetch.client == nil else { throw .alreadyContinued }
      fetches[id]?.client = client
      fetches[id]?.user = user
      return false
    }
    guard fetches.keys.count(where: { $0.peer == id.peer }) < Limits.fetchesPerPeer else { throw .limitReached }
    let deadline = time.instant + Limits.fetchTime
    fetches[id] = Fetch(activityType: activityType, user: user, deadline: deadline, client: client)
    return true
  }

  /// Forgets who waits for an answer. The fetch itself goes on.
  mutating func leave(_ client: ClientID) {
    for (id, fetch) in fetches {
      fetches[id]?.others.removeAll { $0.client == client }
      guard fetch.client == client else { continue }
      let next = fetches[id]?.others.isEmpty == false ? fetches[id]?.others.removeFirst() : nil
      fetches[id]?.client = next?.client
      if let next { fetches[id]?.user = next.user }
    }
  }

  // MARK: Sending

  /// Notes that the fetch is sent in the peer's session.
  mutating func send(_ id: OfferID, _ request: UInt64) {
    fetches[id]?.request = request
    fetches[id]?.retry = nil
  }

  /// Notes that the peer's session has ended, and that the next one continues what was in progress.
  ///
  /// - Returns: Whether anything was.
  mutating func sendAgain(to peer: PeerID) -> Bool {
    let ids = fetches.keys.filter { $0.peer == peer }
    for id in ids { fetches[id]?.request = nil }
    return !ids.isEmpty
  }

  /// Notes that the peer is being reached, or could not be reached.
  mutating func retryLater(_ peer: PeerID, at time: Time) {
    for (id, fetch) in fetches where id.peer == peer && fetch.request == nil && fetch.retry == nil {
      fetches[id]?.retry = time.instant + Self.fetchRetryTime
    }
  }

  /// Returns the peers that it is time to reach again, and notes that they are being reached. All fetches from one peer
  /// have the same time from then on.
  mutating func retry(at instant: ContinuousClock.Instant) -> Set<PeerID> {
    let due = fetches.compactMap { id, fetch in fetch.retry.map { $0 <= instant } == true ? id.peer : nil }
    for (id, fetch) in fetches where fetch.retry != nil && due.contains(id.peer) {
      fetches[id]?.retry = instant + Self.fetchRetryTime
    }
    return Set(due)
  }

  // MARK: Ending

  /// Ends the fetch if the peer has answered it.
  mutating func end(_ id: OfferID, answeredBy request: UInt64) -> Fetch? {
    fetches[id]?.request == request ? fetches.removeValue(forKey: id) : nil
  }

  /// Ends the fetch that the peer has answered.
  mutating func end(_ request: UInt64, from peer: PeerID) -> Fetch? {
    let id = fetches.first { $0.key.peer == peer && $0.value.request == request }?.key
    return id.flatMap { fetches.removeValue(forKey: $0) }
  }

  /// Ends all fetches that satisfy the condition.
  ///
  /// - Returns: Who waits for an answer.
  mutating func end(where condition: (OfferID, Fetch) -> Bool) -> [ClientID] {
    fetches.removeAll { condition($0.key, $0.value) }.flatMap(\.value.clients)
  }

  /// The peers that have not answered in time.
  func silentPeers(at instant: ContinuousClock.Instant) -> Set<PeerID> {
    Set(fetches.lazy.filter { $0.value.deadline <= instant && $0.value.request != nil }.map(\.key.peer))
  }

  /// Ends the fetches whose time is over.
  ///
  /// - Returns: Who waits for an answer, and why there is none.
  mutating func endLate(at instant: ContinuousClock.Instant) -> [(client: ClientID, reason: Reason)] {
    fetches.removeAll { $0.value.deadline <= instant }.flatMap { _, fetch in
      fetch.clients.map { ($0, fetch.request == nil ? .peerUnreachable : .peerTimedOut) }
    }
  }

  /// When a fetch ends, or its peer is to be reached again.
  var deadline: ContinuousClock.Instant? { fetches.values.lazy.map { min($0.deadline, $0.retry ?? $0.deadline) }.min() }
}
