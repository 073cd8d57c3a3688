// SPDX-License-Identifier: Apache-2.0

import Activity

/// One team's identity on this device, with its proof.
package struct Credentials: Sendable {
  package let team: TeamID
  package let device: DeviceID
  package let key: PrivateKey
  package let certificate: Certificate
  package let authority: Certificate
  /// 32 bytes.
  package let discoveryKey: [UInt8]
  /// The team's previous discovery keys, the newest first. Devices that were away have no newer ones.
  package let previousKeys: [[UInt8]]

  /// `K_advert`, which seals adverts.
  package var advertKey: [UInt8] { Self.advertKey(discoveryKey) }

  /// The removed devices, as far as this machine knows them.
  package let revocations: RevocationLists

  /// `K_name`, which makes server names.
  package let serverNameKey: [UInt8]

  /// `K_return`, which makes server names that every member knows at any time. It proves nothing.
  let returnNameKey: [UInt8]

  /// `K_sign`, which makes the team's signs on its instances.
  private let signKey: [UInt8]

  /// `K_instance`, which makes the names of the team's instances.
  package let instanceNameKey: [UInt8]

  /// `K_name`, its values with the previous keys, and `K_return`. A server accepts all of them, so that devices that
  /// were away can reach it.
  var serverNameKeys: [[UInt8]] { [serverNameKey] + previousKeys.map(Self.serverNameKey) + [returnNameKey] }

  /// Combines the parts. ``Certificate/verify(under:revocations:now:)`` checks the certificate.
  ///
  /// - Throws: `certificateInvalid` if the certificate is for another key, or the discovery key has the wrong length.
  package init(
    key: PrivateKey,
    certificate: Certificate,
    authority: Certificate,
    discoveryKey: [UInt8],
    previousKeys: [[UInt8]] = [],
    revocations: RevocationLists = RevocationLists()
  ) throws(TLSError) {
    guard certificate.isFor(key) else { throw TLSError(.certificateInvalid, "The certificate is for a different key") }
    guard discoveryKey.count == Sealer.keyLength else {
      throw TLSError(.certificateInvalid, "The discovery key is \(discoveryKey.count) bytes long")
    }
    team = try authority.teamID
    device = try certificate.deviceID
    self.key = key
    self.certificate = certificate
    self.authority = authority
    self.discoveryKey = discoveryKey
    self.previousKeys = previousKeys
    self.revocations = revocations
    serverNameKey = Self.serverNameKey(discoveryKey)
    signKey = HMACSHA256.derive("baton return advert 1", from: team.bytes)
    returnNameKey = HMACSHA256.derive("baton return name 1", from: team.bytes)
    instanceNameKey = InstanceName.key(for: team)
  }

  /// Returns the same credentials with another of the team's keys, to reach a device that has no newer one.
  ///
  /// - Throws: See ``init(key:certificate:authority:discoveryKey:previousKeys:revocations:)``.
  package func using(discoveryKey: [UInt8]) throws(TLSError) -> Credentials {
    try Credentials(
      key: key,
      certificate: certificate,
      authority: authority,
      discoveryKey: discoveryKey,
      revocations: revocations
    )
  }

  /// Makes the team's sign on an instance (Protocol.md section 2). A device that cannot read the advert, because it has
  /// other discovery keys, recognizes the instance by the sign. The sign proves nothing.
  ///
  /// - Parameters:
  ///   - nonce: 4 random bytes.
  ///   - time: Seconds since 1970.
  package func sign(
    ofInstance instance: String,
    nonce: [UInt8] = SystemRandom.bytes(signNonceLength),
    time: Int64 = ServerName.now
  ) -> [UInt8] {
    let body = nonce + MaskedTime.seal(time, nonce: nonce, key: signKey)
    return body + HMACSHA256.authenticate(body + Array(instance.utf8), key: signKey).prefix(Self.signCodeLength)
  }

  /// Returns when the sign on an instance was made, in seconds since 1970; nil if the sign is not the team's.
  package func time(ofSign sign: [UInt8], ofInstance instance: String) -> Int64? {
    guard sign.count == Self.signNonceLength + MaskedTime.length + Self.signCodeLength else { return nil }
    let body = Array(sign.dropLast(Self.signCodeLength))
    let code = HMACSHA256.authenticate(body + Array(instance.utf8), key: signKey).prefix(Self.signCodeLength)
    guard equalInConstantTime(Array(sign.suffix(Self.signCodeLength)), Array(code)) else { return nil }
    let nonce = Array(body.prefix(Self.signNonceLength))
    return MaskedTime.open(body.dropFirst(Self.signNonceLength), nonce: nonce, key: signKey)
  }

  package static let signNonceLength = 4
  private static let signCodeLength = 8

  private static func serverNameKey(_ discoveryKey: [UInt8]) -> [UInt8] {
    HMACSHA256.derive("baton server name 1", from: discoveryKey)
  }

  /// Derives `K_advert` from a discovery key.
  package static func advertKey(_ discoveryKey: [UInt8]) -> [UInt8] {
    HMACSHA256.derive("baton advert 1", from: discoveryKey)
  }
}
