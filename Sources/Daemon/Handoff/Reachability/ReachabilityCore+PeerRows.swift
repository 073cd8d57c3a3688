// SPDX-License-Identifier: Apache-2.0

import Activity

extension ReachabilityCore {
  /// The table of peers, with what would otherwise take a look at each of them at every event.
  package struct PeerRows: Sendable, Sequence {
    private var rows: [PeerID: Peer] = [:]
    /// The peers that are to be dialled, and when.
    private(set) var due: [PeerID: ContinuousClock.Instant] = [:]
    /// The peers whose attempts need more than addresses, and when.
    private(set) var meetings: [PeerID: ContinuousClock.Instant] = [:]
    /// How many peers are more than remembered.
    private(set) var presentCount = 0
    /// How many peers have a session.
    package private(set) var sessionCount = 0
    private var owners: [String: Set<PeerID>] = [:]
    private var lastOrder: UInt64 = 0

    package internal(set) subscript(id: PeerID) -> Peer? {
      get { rows[id] }
      _modify {
        let before = rows[id].map(Sign.init)
        defer { note(id, before, rows[id].map(Sign.init)) }
        yield &rows[id]
      }
    }

    package var count: Int { rows.count }
    package var isEmpty: Bool { rows.isEmpty }
    package var values: Dictionary<PeerID, Peer>.Values { rows.values }

    package func makeIterator() -> Dictionary<PeerID, Peer>.Iterator { rows.makeIterator() }

    /// Returns a row for a peer that is added now.
    mutating func newPeer() -> Peer {
      lastOrder += 1  // Checked: one for each peer that was ever found.
      return Peer(order: lastOrder)
    }

    /// The peers that have an instance or wait for its addresses: one, unless others copy it.
    func owners(of instance: String) -> Set<PeerID> { owners[instance] ?? [] }

    /// What the other tables have of a row.
    private struct Sign {
      let due: ContinuousClock.Instant?
      let meeting: ContinuousClock.Instant?
      let isPresent: Bool
      let hasSession: Bool
      let instances: [String]
      let awaited: Set<String>

      init(_ peer: Peer) {
        due = peer.due
        meeting = [peer.attempt?.askAt, peer.attempt?.meetAt].compactMap(\.self).min()
        isPresent = peer.isKnown || peer.openings > 0
        hasSession = peer.readySince != nil
        instances = peer.instances
        awaited = peer.attempt?.awaited ?? []
      }
    }

    private mutating func note(_ id: PeerID, _ before: Sign?, _ after: Sign?) {
      if before?.due != after?.due { due[id] = after?.due }
      if before?.meeting != after?.meeting { meetings[id] = after?.meeting }
      // Checked presentCount, sessionCount: how many rows are so.
      if before?.isPresent == true { presentCount -= 1 }
      if after?.isPresent == true { presentCount += 1 }
      if before?.hasSession == true { sessionCount -= 1 }
      if after?.hasSession == true { sessionCount += 1 }
      guard before?.instances ?? [] != after?.instances ?? [] || before?.awaited ?? [] != after?.awaited ?? [] else {
        return
      }
      for instance in before.map({ $0.instances + $0.awaited }) ?? [] {
        owners[instance]?.remove(id)
        if owners[instance]?.isEmpty == true { owners[instance] = nil }
      }
      for instance in after.map({ $0.instances + $0.awaited }) ?? [] { owners[instance, default: []].insert(id) }
    }
  }
}
