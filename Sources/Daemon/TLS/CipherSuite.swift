// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// The ciphers that TLS 1.3 sessions use (RFC 8446 appendix B.4), by their numbers.
enum CipherSuite: UInt16 {
  case aes128GCM = 0x1301
  case aes256GCM = 0x1302
  case chaCha20Poly1305 = 0x1303

  /// `EVP_CIPHER`, which lives as long as the process.
  var cipher: OpaquePointer? {
    switch self {
    case .aes128GCM: EVP_aes_128_gcm()
    case .aes256GCM: EVP_aes_256_gcm()
    case .chaCha20Poly1305: EVP_chacha20_poly1305()
    }
  }

  var keyLength: Int { self == .aes128GCM ? 16 : 32 }

  private var digest: OpaquePointer? { self == .aes256GCM ? EVP_sha384() : EVP_sha256() }

  /// HKDF-Expand-Label without a context (RFC 8446 section 7.1).
  ///
  /// - Parameters:
  ///   - label: Without its prefix "tls13 ".
  ///   - length: At most the length of the hash.
  func expand(_ secret: [UInt8], _ label: String, length: Int) -> [UInt8] {
    let name = Array("tls13 \(label)".utf8)
    let info = [UInt8(length >> 8), UInt8(length & 0xFF), UInt8(name.count)] + name + [0, 1]
    var block = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let done = HMAC(digest, secret, Int32(secret.count), info, info.count, &block, &count)
    precondition(done != nil && length <= count, "HMAC is in every OpenSSL")
    defer { OPENSSL_cleanse(&block, block.count) }
    return Array(block.prefix(length))
  }
}
