// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// The key that seals a backup or a team's key. It is made from a passphrase, and from a salt that nothing else has.
package struct PassphraseKey: Sendable {
  let salt: [UInt8]
  let sealer: [UInt8]

  /// Makes the key. This blocks for more than 100 ms, and needs 64 MiB meanwhile.
  ///
  /// - Parameter salt: To open a file, the file's salt.
  /// - Throws: `internalFailure` if there is no memory.
  package init(passphrase: String, salt: [UInt8] = SystemRandom.bytes(Scrypt.saltLength)) throws(TLSError) {
    self.salt = salt
    sealer = try Scrypt.key(from: passphrase, salt: salt, length: Sealer.keyLength)
  }

  /// Whether a passphrase is long enough to seal something with.
  package static func isLongEnough(_ passphrase: String) -> Bool {
    passphrase.count >= Limits.passphraseCharacters
  }
}
