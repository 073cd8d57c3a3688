import Activity

/// One team's identity on this device, and what proves it.
package struct Credentials {
  package let team: TeamID
  package let device: DeviceID
  package let key: PrivateKey
  package let certificate: Certificate
  package let authority: Certificate
  /// 32 bytes.
  package let discoveryKey: [UInt8]

  /// `K_advert`: seals adverts.
  package var advertKey: [UInt8] { HMACSHA256.derive("baton advert 1", from: discoveryKey) }

  /// The newest list of removed devices that this machine has of the team; nil before the first.
  package let revocations: RevocationList?

  /// `K_name`: makes server names.
  package let serverNameKey: [UInt8]

  /// Takes what it is given together; ``Certificate/verify(under:now:)`` checks it.
  ///
  /// - Throws: `certificateInvalid` where the certificate is for another key or the discovery key has a wrong length.
  package init(
    key: PrivateKey,
    certificate: Certificate,
    authority: Certificate,
    discoveryKey: [UInt8],
    revocations: RevocationList? = nil
  ) throws(TLSError) {
    guard certificate.isFor(key) else { throw TLSError(.certificateInvalid, "The certificate is for another key") }
    guard discoveryKey.count == Sealer.keyLength else {
      throw TLSError(.certificateInvalid, "A discovery key of \(discoveryKey.count) bytes")
    }
    team = try authority.teamID
    device = try certificate.deviceID
    self.key = key
    self.certificate = certificate
    self.authority = authority
    self.discoveryKey = discoveryKey
    self.revocations = revocations
    serverNameKey = HMACSHA256.derive("baton server name 1", from: discoveryKey)
  }
}
