// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS

/// Devices that were removed from their team (Protocol.md sections 3 and 5).
extension PeerTable {
  func isRevoked(_ peer: PeerID) -> Bool { membership.isRevoked(peer) }

  /// Sends the peer those of this machine's revocation lists that it may lack, with their discovery keys.
  func tellRevocations(_ connection: PeerConnection) {
    guard !isRevoked(connection.peer), let lists = membership.credentials(in: connection.peer.team)?.revocations
    else { return }
    for held in connection.revocations?.take(from: lists) ?? [] {
      connection.send(Revocations(list: held.list.der, discoveryKey: held.discoveryKey))
    }
  }

  func received(_ message: Revocations, on connection: PeerConnection) {
    Loop.begin { [self] in await take(message, from: connection) }
  }

  private func take(_ message: Revocations, from connection: PeerConnection) async {
    do throws(Reason) {
      try await membership.take(message, from: connection.peer) {
        connection.revocations?.received(message.list, holding: $0)
      }
    } catch .shuttingDown {
      // The peer says it again in the next session.
    } catch {
      refusals.refused(error, connection.address)
      switch error {
      case .certificateInvalid: connection.leave(.protocolViolation)
      // So that the peer says it again in the next session.
      case .limitReached: connection.leave(.limitReached)
      default: break
      }
    }
  }

  /// Called when a team has other revocation lists. Ends everything with the devices that they name, and passes the
  /// lists on to the others.
  func revocationsChanged() {
    for (peer, entry) in entries where isRevoked(peer) {
      let isDialled = entry.dialer != nil
      entry.end(.certificateRevoked)
      streams.end(with: peer, .streamInterrupted)
      for instance in machine.peers[peer]?.instances ?? [] {
        handle(.lost(instance: instance))
        rank(instance)
      }
      handle(.remembered(peer, []))
      handle(.said(peer, []))
      if isDialled { handle(.dialFailed(peer, .certificateRevoked)) }
    }
    // Their names are free.
    nameAgain()
    for connection in connections { tellRevocations(connection) }
  }
}
