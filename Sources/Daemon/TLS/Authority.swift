// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// A team's certificate authority: the key that the team is named by, and its certificate.
package final class Authority: Sendable {
  /// The validity of a certificate begins at least this long before signing, in seconds, so that a device with a slow
  /// clock accepts it immediately.
  static let clockSkew: Int64 = 24 * 60 * 60
  /// The validity of the authority's certificate, in seconds: 20 years, because nothing renews it.
  static let validity: Int64 = 20 * 365 * 24 * 60 * 60
  /// The validity of a device certificate, in seconds: one year. It is renewed in the last third.
  package static let deviceValidity: Int64 = 365 * 24 * 60 * 60
  /// The last third of a device certificate's validity, in seconds.
  package static let renewalTime = deviceValidity / 3
  /// The validity of a device certificate that was made with an obviously wrong clock, in seconds: 10 years.
  static let undatedValidity: Int64 = 10 * 365 * 24 * 60 * 60

  /// 1 January 2025, in seconds since 1970. No correct clock shows that time or an earlier one. Each certificate is
  /// valid from then on at the latest. So a certificate that was made with a wrong clock works with correct ones.
  package static let earliest: Int64 = 1_735_689_600
  /// The year 9900. Four digits are enough for the year of anything made until then.
  private static let latest: Int64 = 250_246_540_800

  package let key: PrivateKey
  package let certificate: Certificate

  /// - Throws: `certificateInvalid` if `certificate` is not for `key`.
  package init(key: PrivateKey, certificate: Certificate) throws(TLSError) {
    guard certificate.isFor(key) else { throw TLSError(.certificateInvalid, "The key isn't the authority's") }
    self.key = key
    self.certificate = certificate
  }

  /// Makes a new authority, and so a new team.
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

  /// Signs a device certificate for the key of `request`, and takes nothing else from the request.
  ///
  /// - Parameters:
  ///   - nonce: 32 bytes to put into the certificate, which show the requester that it was made for this request.
  ///   - isAdministrator: Whether the device has the authority's key, too.
  ///   - now: Seconds since 1970.
  package func sign(
    _ request: CertificateRequest,
    nonce: [UInt8]? = nil,
    isAdministrator: Bool = false,
    now: Int64
  ) throws(TLSError) -> Certificate {
    try sign(request.key(), nonce: nonce, isAdministrator: isAdministrator, now: now)
  }

  /// Signs another device certificate for the key of an existing one, and takes nothing else from that one.
  package func renew(
    _ certificate: Certificate,
    isAdministrator: Bool,
    now: Int64
  ) throws(TLSError) -> Certificate {
    guard let key = X509_get0_pubkey(certificate.pointer), PublicKey.isOfDevice(key) else {
      throw .fromOpenSSL(.certificateInvalid, doing: "Reading a key")
    }
    return try sign(key, nonce: nil, isAdministrator: isAdministrator, now: now)
  }

  /// Creates a certificate that is never valid, because it ends before it begins. It proves that this authority has
  /// answered the request, and no peer accepts it, whatever its clock shows.
  ///
  /// - Parameter nonce: 32 bytes that it is to show.
  package func receipt(for request: CertificateRequest, nonce: [UInt8]) throws(TLSError) -> Certificate {
    var template = Self.deviceTemplate(now: Self.earliest)
    template.notBefore = Self.earliest
    template.notAfter = 0
    template.nonce = nonce
    return try template.signed(for: request.key(), by: .authority(certificate, key))
  }

  /// - Parameter key: `EVP_PKEY`, borrowed.
  private func sign(
    _ key: OpaquePointer,
    nonce: [UInt8]?,
    isAdministrator: Bool,
    now: Int64
  ) throws(TLSError) -> Certificate {
    var template = Self.deviceTemplate(now: now)
    template.nonce = nonce
    template.administered = isAdministrator ? try certificate.teamID : nil
    return try template.signed(for: key, by: .authority(certificate, self.key))
  }

  static func deviceTemplate(now: Int64) -> CertificateTemplate {
    CertificateTemplate(
      commonName: "Baton device",
      basicConstraints: "CA:FALSE",
      keyUsage: "digitalSignature",
      extendedKeyUsage: "serverAuth,clientAuth",
      notBefore: begin(now: now),
      notAfter: now > earliest ? end(now: now, after: deviceValidity) : earliest + undatedValidity
    )
  }

  /// Limits a time to those that a certificate can hold.
  static func clamped(_ now: Int64) -> Int64 { min(max(now, 0), latest) }

  private static func begin(now: Int64) -> Int64 { clamped(min(clamped(now) - clockSkew, earliest)) }

  private static func end(now: Int64, after validity: Int64) -> Int64 { max(clamped(now), earliest) + validity }
}
