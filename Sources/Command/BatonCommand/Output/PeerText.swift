// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Localization

/// Describes the peers that the user added.
enum PeerText {
  static var online: String { localized("online") }
  static var connecting: String { localized("connecting") }
  static var offline: String { localized("offline") }

  static func list(_ peers: [ControlStaticPeer]) -> String {
    let severalTeams = Set(peers.map(\.team)).count > 1
    return Table.text(
      peers.map { peer in
        [
          Printable.text(peer.address), state(peer.state), Printable.text(peer.device ?? ""),
          severalTeams ? Printable.text(peer.team) : "", peer.reason?.explanation ?? "",
        ]
      },
      head: [
        localized("ADDRESS"), localized("STATE"), localized("MACHINE"), localized("TEAM"), localized("REASON"),
      ]
    )
  }

  private static func state(_ state: ControlStaticPeer.State) -> String {
    switch state {
    case .connected: online
    case .connecting: connecting
    case .unreachable: offline
    case .thisMachine: localized("this machine")
    }
  }
}
