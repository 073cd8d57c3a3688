// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The index messages that wait for an agent that has not read the earlier ones. Each peer has its own queue, and they
/// take turns, so a peer that floods takes no room from others.
struct IndexInbox {
  /// The messages as text, because a parsed one can take 20 times as much memory.
  private var queues: [PeerID: [[UInt8]]] = [:]
  /// The peers that have messages. It is the first one's turn.
  private var turns: [PeerID] = []

  var isEmpty: Bool { turns.isEmpty }

  /// Drops the message if too many of the peer wait.
  mutating func add(_ message: JSON, from peer: PeerID) {
    let count = queues[peer]?.count ?? 0
    guard count < Limits.undeliveredIndexMessagesPerPeer else { return }
    if count == 0 { turns.append(peer) }
    queues[peer, default: []].append(message.bytes)
  }

  mutating func next() -> (PeerID, JSON)? {
    guard let peer = turns.first, let text = queues[peer]?.first else { return nil }
    turns.removeFirst()
    queues[peer]?.removeFirst()
    if queues[peer]?.isEmpty == false { turns.append(peer) } else { queues[peer] = nil }
    return (try? JSON(parsing: text, depth: Limits.indexMessageDepth)).map { (peer, $0) }
  }

  /// Drops what the peer has sent.
  mutating func remove(_ peer: PeerID) {
    queues[peer] = nil
    turns.removeAll { $0 == peer }
  }
}
