// SPDX-License-Identifier: Apache-2.0

/// One instance as seen on one interface with one IP version.
struct Sighting: Hashable, Sendable {
  let instance: String
  /// Interface index.
  let interface: Int32
  /// Avahi's number for the IP version of the mDNS messages.
  let ipVersion: Int32
}
