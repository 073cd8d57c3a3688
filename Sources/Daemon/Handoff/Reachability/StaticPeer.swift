// SPDX-License-Identifier: Apache-2.0

import Activity

/// A machine of a team that is known by an address, which mostly a user gave. Only its certificate shows which of the
/// team's devices it is.
package struct StaticPeer: Hashable, Sendable {
  package let team: TeamID
  /// `HOST`, `HOST:PORT` or `[IPV6]:PORT`, as it was typed.
  package let address: String

  package init(team: TeamID, address: String) {
    self.team = team
    self.address = address
  }
}
