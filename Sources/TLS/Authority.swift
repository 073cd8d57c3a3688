import Activity

/// A team's certificate authority: the key that the team is named by, and its certificate.
package final class Authority {
  /// From before the moment of signing, so that a device whose clock is slow takes a certificate at once. In seconds.
  static let clockSkew: Int64 = 24 * 60 * 60
  /// Of the authority's certificate, in seconds: 20 years, as nothing renews it.
  static let validity: Int64 = 20 * 365 * 24 * 60 * 60
  /// Of a device's certificate, in seconds: 10 years for as long as there is no renewal, which would have to come first
  /// for a shorter time to lock nobody out. A lost device is what revocation is for.
  static let deviceValidity: Int64 = 10 * 365 * 24 * 60 * 60

  /// 1 January 2025, in seconds since 1970. No right clock shows an earlier time. A certificate is good from it at the
  /// latest, and until its whole time after it at the earliest: made with a wrong clock, it is of use to right ones.
  package static let earliest: Int64 = 1_735_689_600
  /// The year 9900: four digits hold the years of what is made then.
  private static let latest: Int64 = 250_246_540_800

  package let key: PrivateKey
  package let certificate: Certificate

  /// - Throws: `certificateInvalid` where `certificate` is not for `key`.
  package init(key: PrivateKey, certificate: Certificate) throws(TLSError) {
    guard certificate.isFor(key) else { throw TLSError(.certificateInvalid, "The authority's key is another") }
    self.key = key
    self.certificate = certificate
  }

  /// A new authority: a new team.
  ///
  /// - Parameter now: Seconds since 1970.
  package static func make(now: Int64) throws(TLSError) -> Authority {
    let key = try PrivateKey.make()
    let template = CertificateTemplate(
      commonName: "Baton team",
      basicConstraints: "CA:TRUE,pathlen:0",
      keyUsage: "keyCertSign,cRLSign",
      extendedKeyUsage: nil,
      notBefore: begin(now: now),
      notAfter: end(now: now, after: validity)
    )
    return try Authority(key: key, certificate: try template.signed(for: key.pointer, by: .itself(key)))
  }

  /// A device certificate for the key of `request`, which takes nothing else from it.
  ///
  /// - Parameters:
  ///   - nonce: 32 bytes that the certificate is to show, so that who asked sees that it was made for this request.
  ///   - now: Seconds since 1970.
  package func sign(
    _ request: CertificateRequest,
    nonce: [UInt8]? = nil,
    now: Int64
  ) throws(TLSError) -> Certificate {
    var template = Self.deviceTemplate(now: now)
    template.nonce = nonce
    return try template.signed(for: try request.key(), by: .authority(certificate, key))
  }

  static func deviceTemplate(now: Int64) -> CertificateTemplate {
    CertificateTemplate(
      commonName: "Baton device",
      basicConstraints: "CA:FALSE",
      keyUsage: "digitalSignature",
      extendedKeyUsage: "serverAuth,clientAuth",
      notBefore: begin(now: now),
      notAfter: end(now: now, after: deviceValidity)
    )
  }

  /// A time that a certificate can hold.
  static func clamped(_ now: Int64) -> Int64 { min(max(now, 0), latest) }

  private static func begin(now: Int64) -> Int64 { clamped(min(clamped(now) - clockSkew, earliest)) }

  private static func end(now: Int64, after validity: Int64) -> Int64 { max(clamped(now), earliest) + validity }
}
