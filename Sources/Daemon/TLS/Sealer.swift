// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// AES-256-GCM under one key. The caller must never use a nonce twice with the same key.
package struct Sealer: Sendable {
  package static let keyLength = 32
  package static let nonceLength = 12
  package static let tagLength = 16

  private let key: [UInt8]

  /// - Parameter key: 32 bytes. For any other length, the result is nil.
  package init?(key: [UInt8]) {
    guard key.count == Self.keyLength else { return nil }
    self.key = key
  }

  /// Returns the ciphertext, which is as long as `plaintext`, followed by the tag.
  ///
  /// - Parameters:
  ///   - nonce: 12 bytes.
  ///   - additional: Bytes that are not in the result, and must be the same when it is opened.
  /// - Throws: `internalFailure` if OpenSSL fails, or the nonce has another length.
  package func seal(_ plaintext: [UInt8], nonce: [UInt8], additional: [UInt8]) throws(TLSError) -> [UInt8] {
    let context = try context(nonce: nonce, encrypting: true)
    defer { EVP_CIPHER_CTX_free(context) }
    var output = [UInt8](repeating: 0, count: plaintext.count)
    var tag = [UInt8](repeating: 0, count: Self.tagLength)
    guard process(plaintext, into: &output, additional: additional, in: context),
      baton_EVP_CIPHER_CTX_get_tag(context, &tag, Int32(Self.tagLength)) == 1
    else { throw .fromOpenSSL(doing: "Sealing") }
    return output + tag
  }

  /// Returns the plaintext; nil if the key, nonce, additional bytes, ciphertext or tag differ from those used in
  /// sealing.
  package func open(_ sealed: [UInt8], nonce: [UInt8], additional: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.tagLength, let context = try? context(nonce: nonce, encrypting: false) else {
      return nil
    }
    defer {
      EVP_CIPHER_CTX_free(context)
      ERR_clear_error()
    }
    var tag = Array(sealed.suffix(Self.tagLength))
    var output = [UInt8](repeating: 0, count: sealed.count - Self.tagLength)
    guard baton_EVP_CIPHER_CTX_set_tag(context, &tag, Int32(Self.tagLength)) == 1,
      process(Array(sealed.dropLast(Self.tagLength)), into: &output, additional: additional, in: context)
    else { return nil }
    return output
  }

  private func context(nonce: [UInt8], encrypting: Bool) throws(TLSError) -> OpaquePointer {
    OpenSSL.start()
    guard nonce.count == Self.nonceLength else { throw TLSError(.internalFailure, "The nonce has the wrong length") }
    guard let context = EVP_CIPHER_CTX_new() else { throw .fromOpenSSL(doing: "Sealing") }
    guard EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce, encrypting ? 1 : 0) == 1 else {
      EVP_CIPHER_CTX_free(context)
      throw .fromOpenSSL(doing: "Sealing")
    }
    return context
  }

  /// Encrypts or decrypts. `EVP_CipherFinal_ex` writes nothing in this mode. When opening, it checks the tag.
  private func process(
    _ input: [UInt8],
    into output: inout [UInt8],
    additional: [UInt8],
    in context: OpaquePointer
  ) -> Bool {
    guard let inputLength = Int32(exactly: input.count), let additionalLength = Int32(exactly: additional.count) else {
      return false
    }
    var length: Int32 = 0
    var rest = [UInt8](repeating: 0, count: Self.tagLength)
    return EVP_CipherUpdate(context, nil, &length, additional, additionalLength) == 1
      && EVP_CipherUpdate(context, &output, &length, input, inputLength) == 1
      && EVP_CipherFinal_ex(context, &rest, &length) == 1
  }
}
