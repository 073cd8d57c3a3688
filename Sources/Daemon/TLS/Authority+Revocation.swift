// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

extension Authority {
  /// Makes a signed list of all devices that were removed from the team.
  ///
  /// - Parameters:
  ///   - number: At least 1, and greater than the number of every earlier list.
  ///   - discoveryKey: The team's discovery key from now on, which the removed devices do not know.
  ///   - now: Seconds since 1970.
  package func sign(
    _ entries: [RevocationList.Entry],
    number: UInt64,
    discoveryKey: [UInt8],
    now: Int64
  ) throws(TLSError) -> RevocationList {
    OpenSSL.start()
    guard let list = X509_CRL_new() else { throw .fromOpenSSL(doing: "Creating a revocation list") }
    defer { X509_CRL_free(list) }
    guard X509_CRL_set_version(list, 1) == 1,
      X509_CRL_set_issuer_name(list, X509_get_subject_name(certificate.pointer)) == 1,
      ASN1.withTime(Self.clamped(now), { X509_CRL_set1_lastUpdate(list, $0) }) == 1,
      // The field is mandatory, but nobody is refused because its time has passed.
      ASN1.withTime(Self.clamped(now) + Self.validity, { X509_CRL_set1_nextUpdate(list, $0) }) == 1,
      addExtensions(to: list, number: number),
      PrivateExtension.discoveryKey.with(SHA256.hash(discoveryKey), { X509_CRL_add_ext(list, $0, -1) }) == 1,
      entries.allSatisfy({ add($0, to: list) }),
      X509_CRL_sign(list, key.pointer, nil) > 0,
      let der = OpenSSLCoding.der({ i2d_X509_CRL(list, $0) })
    else { throw .fromOpenSSL(doing: "Creating a revocation list") }
    return try RevocationList(der: der, authority: certificate)
  }

  private func addExtensions(to list: OpaquePointer, number: UInt64) -> Bool {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    guard ASN1.withInteger(bytes, { X509_CRL_add1_ext_i2d(list, NID_crl_number, $0, 0, 0) }) == 1 else { return false }
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, certificate.pointer, nil, nil, list, 0)
    guard let made = X509V3_EXT_conf_nid(nil, &context, NID_authority_key_identifier, "keyid") else { return false }
    defer { X509_EXTENSION_free(made) }
    return X509_CRL_add_ext(list, made, -1) == 1
  }

  private func add(_ entry: RevocationList.Entry, to list: OpaquePointer) -> Bool {
    guard let revoked = X509_REVOKED_new() else { return false }
    guard ASN1.withInteger(entry.serial, { X509_REVOKED_set_serialNumber(revoked, $0) }) == 1,
      ASN1.withTime(Authority.clamped(entry.date), { X509_REVOKED_set_revocationDate(revoked, $0) }) == 1,
      PrivateExtension.device.with(entry.device.bytes, { X509_REVOKED_add_ext(revoked, $0, -1) }) == 1,
      X509_CRL_add0_revoked(list, revoked) == 1
    else {
      X509_REVOKED_free(revoked)
      return false
    }
    return true
  }
}
