// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

/// Finds the known peers that a text means.
enum PeerChoice {
  /// The peers with that name; if there are none, those whose Device ID begins with the text.
  static func matching(_ text: String, among peers: [(id: PeerID, name: String)]) -> Set<PeerID> {
    let named = peers.filter { $0.name.lowercased().utf8.elementsEqual(text.lowercased().utf8) }
    guard named.isEmpty else { return Set(named.map(\.id)) }
    guard text.utf8.count >= DeviceNames.shortestID else { return [] }
    return Set(peers.filter { $0.id.device.text.utf8.starts(with: text.uppercased().utf8) }.map(\.id))
  }
}
