// SPDX-License-Identifier: Apache-2.0

import Activity

/// How a machine that joins for another of its users says which device of the team it is. Only those who know the
/// team's discovery key can tell (Protocol.md section 8).
extension Credentials {
  package static let joinRandomLength = 16

  /// Makes the nonce of a join, which shows that this device asks. To anyone without a discovery key of the team, it
  /// looks like random bytes.
  ///
  /// - Parameter requested: The Device ID of the request's key.
  package func joinNonce(
    for requested: DeviceID,
    random: [UInt8] = SystemRandom.bytes(joinRandomLength)
  ) -> [UInt8] {
    random + Self.joinCode(random, device, requested, key: Self.joinKey(discoveryKey))
  }

  /// Finds the device that made the nonce of a join.
  ///
  /// - Parameters:
  ///   - requested: The Device ID of the request's key.
  ///   - devices: The devices that may have made it.
  /// - Returns: The device and the discovery key that it knows; nil if none of the devices made the nonce.
  package func member(
    ofJoinNonce nonce: [UInt8],
    for requested: DeviceID,
    among devices: [DeviceID]
  ) -> (device: DeviceID, discoveryKey: [UInt8])? {
    let (random, code) = (Array(nonce.prefix(Self.joinRandomLength)), Array(nonce.dropFirst(Self.joinRandomLength)))
    for discoveryKey in [discoveryKey] + previousKeys {
      let key = Self.joinKey(discoveryKey)
      let device = devices.first { equalInConstantTime(Self.joinCode(random, $0, requested, key: key), code) }
      if let device { return (device, discoveryKey) }
    }
    return nil
  }

  private static func joinCode(_ random: [UInt8], _ device: DeviceID, _ requested: DeviceID, key: [UInt8]) -> [UInt8] {
    Array(HMACSHA256.authenticate(random + device.bytes + requested.bytes, key: key).prefix(16))
  }

  /// `K_join` of a discovery key.
  private static func joinKey(_ discoveryKey: [UInt8]) -> [UInt8] {
    HMACSHA256.derive("baton join nonce 1", from: discoveryKey)
  }
}
