// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension ListPeers {
  /// ``peers`` has every machine, so that no program leaves out those that are off. On the wire, these are apart.
  package struct Reply: Structure {
    /// The machines that are found now, followed by those that are offline.
    package var peers: [ControlPeer] { found + (away ?? []) }
    package let found: [ControlPeer]
    /// The machines that were met, perhaps before the daemon was started, and are not found now. Nil if there are none.
    package let away: [ControlPeer]?

    private enum CodingKeys: String, CodingKey {
      case found = "peers"
      case away
    }

    package init(peers: [ControlPeer], away: [ControlPeer] = []) {
      found = peers
      self.away = away.isEmpty ? nil : away
    }
  }
}
