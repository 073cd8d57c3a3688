// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// A request to certify a key (PKCS #10). It proves that the requester has the key. Nothing else is taken from it.
package final class CertificateRequest {
  /// `X509_REQ`, owned.
  private let pointer: OpaquePointer

  private init(owned pointer: OpaquePointer) { self.pointer = pointer }

  deinit { X509_REQ_free(pointer) }

  /// Makes a request for `key`, signed with it.
  package static func make(for key: PrivateKey) throws(TLSError) -> CertificateRequest {
    OpenSSL.start()
    guard let pointer = X509_REQ_new() else { throw .fromOpenSSL(doing: "Creating a request") }
    let request = CertificateRequest(owned: pointer)
    guard X509_REQ_set_version(pointer, 0) == 1, X509_REQ_set_pubkey(pointer, key.pointer) == 1,
      X509_REQ_sign(pointer, key.pointer, nil) > 0
    else { throw .fromOpenSSL(doing: "Creating a request") }
    return request
  }

  /// Reads a request by another device.
  ///
  /// - Throws: `requestInvalid` if the text contains no request, the key is not one that a device can have, or the
  ///   request is not signed with that key.
  package init(pem: String) throws(TLSError) {
    guard pem.utf8.count <= Limits.enrolmentFileLength else { throw TLSError(.requestInvalid, "Too long") }
    guard let pointer = OpenSSLCoding.parse(pem, { PEM_read_bio_X509_REQ($0, nil, nil, nil) }) else {
      throw .fromOpenSSL(.requestInvalid, doing: "Reading a request")
    }
    self.pointer = pointer
    guard let key = X509_REQ_get0_pubkey(pointer), PublicKey.isOfDevice(key) else {
      ERR_clear_error()
      throw TLSError(.requestInvalid, "The key is neither Ed25519 nor P-256")
    }
    guard X509_REQ_verify(pointer, key) == 1 else { throw .fromOpenSSL(.requestInvalid, doing: "Checking a request") }
  }

  package func pem() throws(TLSError) -> String {
    guard let text = OpenSSLCoding.text({ PEM_write_bio_X509_REQ($0, pointer) }) else {
      throw .fromOpenSSL(doing: "Writing a request")
    }
    return text
  }

  /// The device that a certificate for this request would identify.
  package var deviceID: DeviceID {
    get throws(TLSError) {
      guard let id = DeviceID(bytes: try PublicKey.hash(key())) else {
        throw TLSError(.internalFailure, "The hash is too short")
      }
      return id
    }
  }

  /// `EVP_PKEY`, borrowed.
  func key() throws(TLSError) -> OpaquePointer {
    guard let key = X509_REQ_get0_pubkey(pointer) else { throw .fromOpenSSL(.requestInvalid, doing: "Reading a key") }
    return key
  }
}
