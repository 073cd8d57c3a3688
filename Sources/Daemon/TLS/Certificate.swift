// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// An X.509 certificate.
// Unchecked: nothing changes the certificate after this object was made. What OpenSSL notes about it when it is read
// first, it notes under a lock.
package final class Certificate: @unchecked Sendable {
  /// `X509`, owned.
  let pointer: OpaquePointer

  /// - Parameter owned: An `X509` whose reference passes to this object.
  init(owned pointer: OpaquePointer) { self.pointer = pointer }

  /// - Parameter pointer: Somebody else's `X509`, to which this object takes its own reference.
  convenience init(retaining pointer: OpaquePointer) {
    X509_up_ref(pointer)
    self.init(owned: pointer)
  }

  deinit { X509_free(pointer) }

  /// - Throws: `certificateInvalid` if the text contains no certificate.
  package convenience init(pem: String) throws(TLSError) {
    guard let certificate = OpenSSLCoding.parse(pem, { PEM_read_bio_X509($0, nil, nil, nil) }) else {
      throw .fromOpenSSL(.certificateInvalid, doing: "Reading a certificate")
    }
    self.init(owned: certificate)
  }

  package func pem() throws(TLSError) -> String {
    guard let text = OpenSSLCoding.text({ PEM_write_bio_X509($0, pointer) }) else {
      throw .fromOpenSSL(doing: "Writing a certificate")
    }
    return text
  }

  package func der() throws(TLSError) -> [UInt8] {
    guard let bytes = OpenSSLCoding.der({ i2d_X509(pointer, $0) }) else {
      throw .fromOpenSSL(doing: "Writing a certificate")
    }
    return bytes
  }

  /// SHA-256 of the DER SubjectPublicKeyInfo: 32 bytes.
  package var publicKeyHash: [UInt8] {
    get throws(TLSError) { try PublicKey.hash(ofCertificate: pointer) }
  }

  /// The device that this certificate is for.
  package var deviceID: DeviceID {
    get throws(TLSError) {
      guard let id = DeviceID(bytes: try publicKeyHash) else {
        throw TLSError(.internalFailure, "The hash is too short")
      }
      return id
    }
  }

  /// The team that has this certificate as its authority.
  package var teamID: TeamID {
    get throws(TLSError) {
      guard let id = TeamID(bytes: try publicKeyHash) else { throw TLSError(.internalFailure, "The hash is too short") }
      return id
    }
  }

  /// When the certificate ends, in seconds since 1970.
  package var expires: Int64 {
    get throws(TLSError) {
      guard let time = ASN1.seconds(X509_get0_notAfter(pointer)) else {
        throw .fromOpenSSL(.certificateInvalid, doing: "Reading a time")
      }
      return time
    }
  }

  /// The number that the authority gave this certificate: big-endian, without leading zeros.
  package var serial: [UInt8] {
    get throws(TLSError) {
      guard let bytes = ASN1.bytes(ofInteger: X509_get0_serialNumber(pointer)) else {
        throw .fromOpenSSL(.certificateInvalid, doing: "Reading a serial number")
      }
      return bytes
    }
  }

  /// The nonce of the request that it answers: 32 bytes; nil if it contains none.
  package var nonce: [UInt8]? {
    defer { ERR_clear_error() }
    return PrivateExtension.nonce.bytes(ofCertificate: pointer)
  }

  /// Whether the authority states that the device has the authority's key, too, which makes it an administrator's
  /// device.
  package var isAdministrator: Bool {
    defer { ERR_clear_error() }
    return PrivateExtension.administrator.bytes(ofCertificate: pointer) != nil
  }

  /// Whether the certificate must be renewed, because it ends soon or has ended.
  ///
  /// - Parameter now: Seconds since 1970.
  package func isDue(now: Int64) -> Bool {
    guard let expires = try? expires else { return true }
    // Checked: X.509 knows no year after 9999, and none before 1950.
    return expires - Authority.renewalTime <= Authority.clamped(now)
  }

  /// Whether it is a receipt, which was never valid; see ``Authority/receipt(for:nonce:)``. A certificate for a device
  /// ends later, whatever the authority's clock showed.
  package var isReceipt: Bool {
    guard let expires = try? expires else { return true }
    return expires < Authority.earliest
  }

  /// Whether `key` is the private half of this certificate's key.
  package func isFor(_ key: PrivateKey) -> Bool {
    defer { ERR_clear_error() }
    return X509_check_private_key(pointer, key.pointer) == 1
  }

  /// Whether the key of `authority` has signed it, and nothing has changed since.
  package func isSigned(by authority: Certificate) -> Bool {
    defer { ERR_clear_error() }
    guard let key = X509_get0_pubkey(authority.pointer) else { return false }
    return X509_verify(pointer, key) == 1
  }
}
