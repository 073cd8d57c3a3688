// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// SHA-256 (FIPS 180-4) of bytes that are complete.
package enum SHA256 {
  package static let byteCount = 32

  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    OpenSSL.start()
    var digest = [UInt8](repeating: 0, count: byteCount)
    let done = EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
    precondition(done == 1, "SHA-256 is in every OpenSSL")
    return digest
  }
}

/// HMAC-SHA256 (RFC 2104) of bytes that are complete.
package enum HMACSHA256 {
  package static func authenticate(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    OpenSSL.start()
    var code = [UInt8](repeating: 0, count: SHA256.byteCount)
    let done = HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &code, nil)
    precondition(done != nil, "HMAC-SHA256 is in every OpenSSL")
    return code
  }

  /// Derives a key from `key` for the one use that `label` names: the HMAC of the label in ASCII.
  package static func derive(_ label: String, from key: [UInt8]) -> [UInt8] {
    authenticate(Array(label.utf8), key: key)
  }
}

/// Whether two secrets are equal. The time that this takes does not reveal where they differ (`CRYPTO_memcmp`).
func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}
