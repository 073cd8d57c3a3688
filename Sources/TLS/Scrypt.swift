import COpenSSL

/// Keys from passphrases, made with a cost that whoever guesses pays each time (scrypt, RFC 7914).
package enum Scrypt {
  /// With the block size 8 it takes 64 MiB, and some 150 ms.
  package static let cost: UInt64 = 1 << 16
  package static let blockSize: UInt64 = 8
  package static let parallelism: UInt64 = 1
  package static let saltLength = 16
  /// What the three above need, and some KiB.
  private static let memory: UInt64 = 128 * blockSize * cost + 1024 * 1024

  /// Blocks for as long as the cost is.
  ///
  /// - Parameter length: Bytes of the key.
  /// - Throws: `internalFailure` where OpenSSL fails, as without memory.
  package static func key(from passphrase: String, salt: [UInt8], length: Int) throws(TLSError) -> [UInt8] {
    OpenSSL.start()
    let passphrase = passphrase.utf8.map { CChar(bitPattern: $0) }
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
    guard done == 1 else { throw .fromOpenSSL(doing: "Making a key from a passphrase") }
    return key
  }
}
