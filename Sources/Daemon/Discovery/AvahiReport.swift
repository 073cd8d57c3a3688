// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// What Avahi's queue reports to the loop.
enum AvahiReport: Sendable {
  case event(DiscoveryEvent)
  case resolved(instance: String, request: UInt64, addresses: [SocketAddress])
  /// The last ``Wanted`` was taken up, though perhaps not all of it could be carried out. The next one can be sent.
  case taken
  /// Whether Avahi tells of so many instances that its cache may be full. That is false at first.
  case crowded(Bool)
  /// Whether Avahi's configuration lets no program announce anything. That is false at first.
  case muted(Bool)
  case log(String)
}
