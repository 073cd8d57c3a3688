// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Keys from passphrases. Making one has a cost, which an attacker pays for each guess (scrypt, RFC 7914).
package enum Scrypt {
  /// With a block size of 8, a key takes 64 MiB and about 150 ms.
  package static let cost: UInt64 = 1 << 16
  package static let blockSize: UInt64 = 8
  package static let parallelism: UInt64 = 1
  package static let saltLength = 16
  /// What the cost and the block size require, and 1 MiB more; in bytes.
  private static let memory: UInt64 = 128 * blockSize * cost + 1024 * 1024

  /// Makes a key from a passphrase. This blocks for as long as the cost implies.
  ///
  /// - Parameter length: The number of bytes in the key.
  /// - Throws: `internalFailure` if OpenSSL fails, for example without memory.
  package static func key(from passphrase: String, salt: [UInt8], length: Int) throws(TLSError) -> [UInt8] {
    OpenSSL.start()
    let passphrase = passphrase.utf8.map { CChar(truncatingIfNeeded: $0) }
    var key = [UInt8](repeating: 0, count: length)
    let done = EVP_PBE_scrypt(
      passphrase,
      passphrase.count,
      salt,
      salt.count,
      cost,
      blockSize,
      parallelism,
      memory,
      &key,
      length
    )
    guard done == 1 else { throw .fromOpenSSL(doing: "Deriving a key from a passphrase") }
    return key
  }
}
