// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// The links that this machine is on, as they are when this is made.
package struct OwnLinks {
  private let addresses = HostAddresses.current()

  package init() {}

  /// Whether an address is on one of them.
  package func contains(_ address: SocketAddress) -> Bool {
    !AddressFilter.isRoutable(address) || addresses.contains { $0.isNeighbour(address) }
  }
}
