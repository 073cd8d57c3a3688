// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// The keys and names for the servers, which follow from a team's discovery key and change with it.
package enum RendezvousKeys {
  /// The key that seals what devices tell each other through servers: 32 bytes.
  package static func sealingKey(_ discoveryKey: [UInt8]) -> [UInt8] {
    HMACSHA256.derive("baton rendezvous 1", from: discoveryKey)
  }

  /// What servers call a device. Only members can tell whose name it is.
  package static func name(of device: DeviceID, discoveryKey: [UInt8]) -> String {
    let key = HMACSHA256.derive("baton rendezvous name 1", from: discoveryKey)
    return Base32.encode(HMACSHA256.authenticate(device.bytes, key: key).prefix(16))
  }

  /// The seed of the key with which a device proves to servers who it is. Only the team's account can make it.
  static func userSeed(of device: DeviceID, discoveryKey: [UInt8], account seed: [UInt8]) -> [UInt8] {
    let key = HMACSHA256.derive("baton rendezvous user 1", from: seed)
    return HMACSHA256.authenticate(discoveryKey + device.bytes, key: key)
  }
}
