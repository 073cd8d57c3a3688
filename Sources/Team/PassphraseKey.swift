import Activity
import TLS

/// What seals a backup or a team's key: made of its passphrase, and of a salt that nothing else has.
package struct PassphraseKey: Sendable {
  let salt: [UInt8]
  let sealer: [UInt8]

  /// Blocks for some 100 ms, and takes 64 MiB meanwhile.
  ///
  /// - Parameter salt: That of a file that is to be opened.
  /// - Throws: `internalFailure` where there is no memory.
  package init(passphrase: String, salt: [UInt8] = SystemRandom.bytes(Scrypt.saltLength)) throws(TLSError) {
    self.salt = salt
    sealer = try Scrypt.key(from: passphrase, salt: salt, length: Sealer.keyLength)
  }

  /// Whether a passphrase is long enough to seal something with.
  package static func isLongEnough(_ passphrase: String) -> Bool {
    passphrase.count >= Limits.passphraseCharacters
  }
}
