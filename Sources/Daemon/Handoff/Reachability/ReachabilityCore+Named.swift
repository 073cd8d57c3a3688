// SPDX-License-Identifier: Apache-2.0

import Activity

extension ReachabilityLimits {
  /// The maximum number of addresses that are dialled without knowing the peer.
  package static let namedPeers = Limits.staticPeers + Limits.foundPeers
}

/// The addresses that users gave, and those that others know of. Each is dialled while the peer that answers there has
/// no session.
extension ReachabilityCore {
  /// - Parameter now: Nil if no address is new.
  mutating func name(_ all: Set<StaticPeer>, _ now: ContinuousClock.Instant?) {
    for (id, entry) in named where !all.contains(id) {
      if entry.isDialling { effects.append(.stopDiallingNamed(id)) }
      named[id] = nil
    }
    for id in all where named[id] == nil && own[id.team] != nil && named.count < ReachabilityLimits.namedPeers {
      named[id] = Named()
      named[id]?.due = now
    }
  }

  mutating func attempt(_ id: StaticPeer) {
    guard let entry = named[id] else { return }
    named[id]?.due = nil
    guard !entry.isDialling, !hasSession(entry.peer) else { return }
    named[id]?.isDialling = true
    effects.append(.dialNamed(id))
  }

  /// Dials the address for a user who waits.
  mutating func dialNow(_ id: StaticPeer) {
    guard named[id]?.isDialling == true else { return attempt(id) }
    effects.append(.dialNamedAgain(id))
  }

  mutating func reach(_ id: StaticPeer, _ peer: PeerID?, _ now: ContinuousClock.Instant) {
    guard var entry = named[id] else { return }
    entry.isDialling = false
    entry.peer = peer
    entry.isThisMachine = peer == nil
    entry.reason = nil
    if peer == nil {
      entry.due = now + Limits.dialBackoff.upperBound
    } else if hasSession(peer) {
      entry.due = nil
    } else {
      // In case no session results.
      entry.due = now + entry.backoff.next(jitter: 0.5 + random() / 2)
    }
    named[id] = entry
  }

  mutating func fail(_ id: StaticPeer, _ reason: Reason, _ now: ContinuousClock.Instant) {
    guard var entry = named[id] else { return }
    entry.isDialling = false
    entry.isThisMachine = false
    entry.reason = reason
    entry.due = hasSession(entry.peer) ? nil : now + entry.backoff.next(jitter: 0.5 + random() / 2)
    named[id] = entry
  }

  /// Notes that a connection with the peer did not become a session.
  mutating func noteNamed(_ peer: PeerID, _ reason: Reason) {
    guard !hasSession(peer), reason != .duplicateSession else { return }
    for (id, entry) in named where entry.peer == peer { named[id]?.reason = reason }
  }

  /// Stops dialling the addresses of a peer that has a session.
  mutating func restNamed(_ peer: PeerID) {
    for (id, entry) in named where entry.peer == peer {
      if entry.isDialling { effects.append(.stopDiallingNamed(id)) }
      named[id]?.isDialling = false
      named[id]?.due = nil
      named[id]?.reason = nil
    }
  }

  /// Schedules dialling for a peer that no longer has a session. Its attempts at other addresses begin earlier.
  mutating func resumeNamed(_ peer: PeerID, _ reason: Reason, _ wasSteady: Bool, _ now: ContinuousClock.Instant) {
    for (id, entry) in named where entry.peer == peer {
      // Nobody needed the session, but somebody may need one later.
      guard reason != .sessionIdle else {
        named[id]?.due = now + Limits.dialBackoff.upperBound
        continue
      }
      if wasSteady { named[id]?.backoff.reset() }
      let jitter = 0.5 + random() / 2
      if let pause = named[id]?.backoff.next(jitter: jitter) { named[id]?.due = now + pause }
    }
  }
}
