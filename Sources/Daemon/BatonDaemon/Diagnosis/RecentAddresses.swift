// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop

/// The addresses of some machines, whatever their ports, for as long as a refusal counts.
@Loop
struct RecentAddresses {
  private static let limit = 64
  private var seen: [SocketAddress: ContinuousClock.Instant] = [:]

  mutating func add(_ address: SocketAddress) {
    seen[address.with(port: 0)] = Loop.now
    guard seen.count > Self.limit, let oldest = seen.min(by: { $0.value < $1.value })?.key else { return }
    seen[oldest] = nil
  }

  mutating func remove(_ addresses: [SocketAddress]) {
    for address in addresses { seen[address.with(port: 0)] = nil }
  }

  func contains(_ address: SocketAddress) -> Bool {
    seen[address.with(port: 0)].map { $0.duration(to: Loop.now) / .seconds(1) < Limits.recentRefusalTime } ?? false
  }
}
