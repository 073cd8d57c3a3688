// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// The content of a certificate, except its keys. `Authority` uses the two that the protocol defines. Tests make
/// others.
struct CertificateTemplate {
  var commonName: String
  var basicConstraints: String
  var keyUsage: String
  var extendedKeyUsage: String?
  /// Seconds since 1970.
  var notBefore: Int64
  /// Seconds since 1970.
  var notAfter: Int64
  var serial = SystemRandom.bytes(16)
  /// The nonce of the request that is answered, 32 bytes; nil for none.
  var nonce: [UInt8]?
  /// The team whose authority key the device has, too; nil for none.
  var administered: TeamID?

  /// The hosts that it is for, such as `DNS:home.example.org`, separated by commas; nil for a device's.
  var subjectAlternativeName: String?

  /// Who issues the certificate.
  enum Issuer {
    case itself(PrivateKey)
    case authority(Certificate, PrivateKey)
  }

  /// - Parameter key: The `EVP_PKEY` to certify, borrowed.
  func signed(for key: OpaquePointer, by issuer: Issuer) throws(TLSError) -> Certificate {
    OpenSSL.start()
    guard let pointer = X509_new() else { throw .fromOpenSSL(doing: "Creating a certificate") }
    let certificate = Certificate(owned: pointer)
    let (issuing, signer) =
      switch issuer {
      case .itself(let key): (certificate, key)
      case .authority(let authority, let key): (authority, key)
      }
    guard X509_set_version(pointer, 2) == 1, setSerial(of: pointer),
      X509_NAME_add_entry_by_txt(X509_get_subject_name(pointer), "CN", MBSTRING_FLAG | 1, commonName, -1, -1, 0) == 1,
      X509_set_issuer_name(pointer, X509_get_subject_name(issuing.pointer)) == 1,
      ASN1_TIME_set(X509_getm_notBefore(pointer), Int(notBefore)) != nil,
      ASN1_TIME_set(X509_getm_notAfter(pointer), Int(notAfter)) != nil,
      X509_set_pubkey(pointer, key) == 1,
      addExtensions(to: pointer, issuer: issuing.pointer),
      X509_sign(pointer, signer.pointer, digest(for: signer)) > 0
    else { throw .fromOpenSSL(doing: "Creating a certificate") }
    return certificate
  }

  private func setSerial(of certificate: OpaquePointer) -> Bool {
    guard let number = BN_bin2bn(serial, Int32(serial.count), nil) else { return false }
    defer { BN_free(number) }
    return BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
  }

  /// Adds the extensions. RFC 5280 section 4.2.1 requires the key identifiers, and strict verifiers insist on them.
  private func addExtensions(to certificate: OpaquePointer, issuer: OpaquePointer) -> Bool {
    let isItself = certificate == issuer
    let extensions: [(Int32, String?)] = [
      (NID_basic_constraints, "critical,\(basicConstraints)"),
      (NID_key_usage, "critical,\(keyUsage)"),
      (NID_ext_key_usage, extendedKeyUsage),
      (NID_subject_alt_name, subjectAlternativeName),
      (NID_subject_key_identifier, isItself ? "hash" : nil),
      (NID_authority_key_identifier, isItself || X509_get0_subject_key_id(issuer) == nil ? nil : "keyid"),
    ]
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
    for case (let identifier, let value?) in extensions {
      guard let made = X509V3_EXT_conf_nid(nil, &context, identifier, value) else { return false }
      defer { X509_EXTENSION_free(made) }
      guard X509_add_ext(certificate, made, -1) == 1 else { return false }
    }
    let ours: [(PrivateExtension, [UInt8]?)] = [(.nonce, nonce), (.administrator, administered?.bytes)]
    for case (let identifier, let bytes?) in ours {
      guard identifier.with(bytes, { X509_add_ext(certificate, $0, -1) }) == 1 else { return false }
    }
    return true
  }

  /// Returns the digest to sign with; nil for Ed25519, which hashes by itself.
  private func digest(for key: PrivateKey) -> OpaquePointer? {
    EVP_PKEY_is_a(key.pointer, "ED25519") == 1 ? nil : EVP_sha256()
  }
}
