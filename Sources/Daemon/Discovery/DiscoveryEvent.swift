// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// What a ``ServiceDiscovery`` reports.
package enum DiscoveryEvent: Equatable, Sendable {
  /// Avahi is available, though it may still be choosing a name for the machine.
  case available
  /// Avahi or D-Bus has become unavailable, or was unavailable from the start. Discovery keeps trying to connect.
  case unavailable
  /// Whether Avahi's configuration lets no program announce anything. That is false at first.
  case muted(Bool)
  /// Others can find the instance from now on. This event repeats each time Avahi has come back.
  case published(instance: String)
  /// Someone else uses the name. The instance is withdrawn, and must be published under another name.
  case nameCollided(instance: String)
  /// An instance was found, or its TXT strings have changed.
  case found(instance: String, text: [[UInt8]])
  /// An instance is gone from the last interface where it was found, or Avahi is gone.
  case lost(instance: String)
  /// The answer to ``ServiceDiscovery/resolve(instance:)``. It has no addresses if none arrived in time.
  case resolved(instance: String, addresses: [SocketAddress])
  /// An instance that was asked for has only addresses that are not of the link on which it is seen. So this machine
  /// does not connect to it by itself.
  case foundElsewhere(instance: String, addresses: [SocketAddress])
  /// This machine's addresses, links or routes have changed. Everything must be published again, under new names.
  case addressesChanged
}
