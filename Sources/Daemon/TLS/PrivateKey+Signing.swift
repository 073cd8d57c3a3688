// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// Ed25519 signatures of short texts (RFC 8032), outside of certificates and TLS.
extension PrivateKey {
  package static let seedLength = 32
  package static let signatureLength = 64

  /// Makes the Ed25519 key of a seed.
  ///
  /// - Parameter seed: 32 bytes.
  /// - Throws: `internalFailure` for any other length.
  package convenience init(seed: [UInt8]) throws(TLSError) {
    OpenSSL.start()
    guard seed.count == Self.seedLength, let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
    else { throw .fromOpenSSL(doing: "Creating a key from a seed") }
    self.init(owned: key)
  }

  /// The public key: 32 bytes.
  ///
  /// - Throws: `internalFailure` if this is no Ed25519 key.
  package var rawPublicKey: [UInt8] {
    get throws(TLSError) {
      var bytes = [UInt8](repeating: 0, count: 32)
      var count = bytes.count
      guard EVP_PKEY_is_a(pointer, "ED25519") == 1, EVP_PKEY_get_raw_public_key(pointer, &bytes, &count) == 1,
        count == bytes.count
      else { throw .fromOpenSSL(doing: "Reading a public key") }
      return bytes
    }
  }

  /// The public key that a text was signed with must be this one.
  package static func isSigned(_ text: [UInt8], with signature: [UInt8], by key: [UInt8]) -> Bool {
    OpenSSL.start()
    let (pointer, context) = (
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count), EVP_MD_CTX_new()
    )
    defer {
      EVP_MD_CTX_free(context)
      EVP_PKEY_free(pointer)
      ERR_clear_error()
    }
    guard let pointer, let context else { return false }
    return EVP_DigestVerifyInit(context, nil, nil, nil, pointer) == 1
      && EVP_DigestVerify(context, signature, signature.count, text, text.count) == 1
  }

  /// Signs a text: 64 bytes.
  package func sign(_ text: [UInt8]) throws(TLSError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw .fromOpenSSL(doing: "Signing") }
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: Self.signatureLength)
    var count = signature.count
    guard EVP_DigestSignInit(context, nil, nil, nil, pointer) == 1,
      EVP_DigestSign(context, &signature, &count, text, text.count) == 1, count == signature.count
    else { throw .fromOpenSSL(doing: "Signing") }
    return signature
  }
}
