// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What tailscaled says about its network (`ipnstate.Status` in its source).
package struct TailscaleStatus: Equatable, Sendable {
  /// The maximum number of machines that tailscaled can name, and of addresses of each: one of each IP version.
  package static let tailscalePeers = 64
  package static let tailscaleAddressesPerPeer = 2
  /// The maximum nesting depth of arrays and objects in the answer.
  private static let tailscaleDepth = 16

  /// The IP addresses, as numbers, of other machines of the same user that are connected to Tailscale now. A machine
  /// with tags is nobody's.
  package let addresses: [String]

  /// - Parameter text: JSON. The result is nil if this is no status.
  package init?(_ text: [UInt8]) {
    guard text.count <= Limits.tailscaleReplyLength,
      let status = (try? JSON(parsing: text, depth: Self.tailscaleDepth))?.object
    else { return nil }
    // Nobody is logged in.
    guard let own = status["Self"]?.object, let user = Self.owner(of: own) else {
      addresses = []
      return
    }
    let peers = (status["Peer"]?.object ?? [:]).sorted { $0.key < $1.key }.compactMap(\.value.object)
    addresses = peers.lazy.filter { $0["Online"]?.bool == true && Self.owner(of: $0) == user }
      .prefix(Self.tailscalePeers)
      .flatMap { ($0["TailscaleIPs"]?.array ?? []).prefix(Self.tailscaleAddressesPerPeer).compactMap(\.string) }
  }

  private static func owner(of machine: [String: JSON]) -> Int64? {
    machine["Tags"]?.array?.isEmpty ?? true ? machine["UserID"]?.int64 : nil
  }
}
