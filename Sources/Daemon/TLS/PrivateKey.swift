// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// A signing key with its public half. Ours are Ed25519 keys (RFC 8032).
// Unchecked: nothing changes the key after this object was made, and OpenSSL counts references with atomic numbers.
package final class PrivateKey: @unchecked Sendable {
  /// `EVP_PKEY`, owned.
  let pointer: OpaquePointer

  /// - Parameter owned: An `EVP_PKEY` whose reference passes to this object.
  init(owned pointer: OpaquePointer) { self.pointer = pointer }

  deinit { EVP_PKEY_free(pointer) }

  /// Makes a new Ed25519 key.
  package static func make() throws(TLSError) -> PrivateKey {
    OpenSSL.start()
    guard let key = baton_EVP_PKEY_generate("ED25519") else { throw .fromOpenSSL(doing: "Creating a key") }
    return PrivateKey(owned: key)
  }

  /// Reads a key from PKCS #8 without a passphrase.
  ///
  /// - Throws: `storageFailed` if the text contains no such key.
  package convenience init(pem: String) throws(TLSError) {
    // A callback that provides no passphrase. Without it, OpenSSL would ask for one on the terminal.
    let noPassPhrase: @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 = {
      _,
      _,
      _,
      _ in -1
    }
    guard let key = OpenSSLCoding.parse(pem, { PEM_read_bio_PrivateKey($0, nil, noPassPhrase, nil) }) else {
      throw .fromOpenSSL(.storageFailed, doing: "Reading a private key")
    }
    self.init(owned: key)
  }

  /// Returns the key as PKCS #8 without a passphrase, for a file that only its owner can read.
  package func pem() throws(TLSError) -> String {
    let text = OpenSSLCoding.text { PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
    guard let text else { throw .fromOpenSSL(doing: "Writing a private key") }
    return text
  }

  /// SHA-256 of the DER SubjectPublicKeyInfo: 32 bytes.
  package var publicKeyHash: [UInt8] {
    get throws(TLSError) { try PublicKey.hash(pointer) }
  }

  /// The Device ID of a certificate for this key.
  package var deviceID: DeviceID {
    get throws(TLSError) {
      guard let id = DeviceID(bytes: try publicKeyHash) else {
        throw TLSError(.internalFailure, "The hash is too short")
      }
      return id
    }
  }
}

/// Functions on the public half of a key.
enum PublicKey {
  /// - Parameter key: An `EVP_PKEY`, borrowed.
  static func hash(_ key: OpaquePointer) throws(TLSError) -> [UInt8] {
    guard let der = OpenSSLCoding.der({ i2d_PUBKEY(key, $0) }) else {
      throw .fromOpenSSL(doing: "Encoding a public key")
    }
    return SHA256.hash(der)
  }

  /// Hashes the key as it is encoded in the certificate. This takes 2 µs in every handshake; encoding the key again
  /// would take 130 µs.
  ///
  /// - Parameter certificate: An `X509`, borrowed.
  static func hash(ofCertificate certificate: OpaquePointer) throws(TLSError) -> [UInt8] {
    let key = X509_get_X509_PUBKEY(certificate)
    guard let der = OpenSSLCoding.der({ i2d_X509_PUBKEY(key, $0) }) else {
      throw .fromOpenSSL(.certificateInvalid, doing: "Reading a public key")
    }
    return SHA256.hash(der)
  }

  /// Whether a device can have this key: Ed25519 or P-256.
  static func isOfDevice(_ key: OpaquePointer) -> Bool {
    if EVP_PKEY_is_a(key, "ED25519") == 1 { return true }
    guard EVP_PKEY_is_a(key, "EC") == 1 else { return false }
    var name = [CChar](repeating: 0, count: 64)
    guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else { return false }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self) == "prime256v1"
  }
}
