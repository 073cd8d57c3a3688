// SPDX-License-Identifier: Apache-2.0

/// One continuation stream with a peer. It may outlive the session in which it was opened.
package struct StreamID: Hashable, Sendable {
  package let peer: PeerID
  package let number: UInt32

  package init(peer: PeerID, number: UInt32) {
    self.peer = peer
    self.number = number
  }
}
