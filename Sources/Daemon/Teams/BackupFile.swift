// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// A backup in a file: text that survives being mailed and printed.
///
/// Two lines say what it is, and how its key is derived from the passphrase. The rest is base 64, in lines: the salt
/// (16 bytes), the nonce (12), the content, and the first 8 bytes of the SHA-256 of everything before. The content is
/// sealed with AES-256-GCM, with the two lines as additional data. The hash distinguishes damage from a wrong
/// passphrase. Only the seal keeps attackers out.
package struct BackupFile: Sendable {
  private static let mark = "baton team backup "
  private static let version = "1"
  /// The derivation of this version, whatever a file says, so that nobody can make this machine work harder.
  private static let derivation = "scrypt \(Scrypt.cost) \(Scrypt.blockSize) \(Scrypt.parallelism)"
  private static let header = "\(mark)\(version)\n\(derivation)\n"
  private static let hashLength = 8
  private static let lineLength = 76

  /// The salt for the ``PassphraseKey``.
  package let salt: [UInt8]
  private let nonce: [UInt8]
  private let sealed: [UInt8]

  /// - Throws: `internalFailure`.
  init(sealing content: [UInt8], with key: PassphraseKey) throws(TLSError) {
    salt = key.salt
    nonce = SystemRandom.bytes(Sealer.nonceLength)
    guard let sealer = Sealer(key: key.sealer) else { throw TLSError(.internalFailure, "The key has the wrong length") }
    sealed = try sealer.seal(content, nonce: nonce, additional: Array(Self.header.utf8))
  }

  /// - Throws: `backupInvalid` if the text is not a backup or was damaged, `versionMismatch` if it has another version.
  package init(text: String) throws(Reason) {
    guard text.utf8.count <= Limits.backupLength else { throw .backupInvalid }
    let lines = text.splitScalars(where: VisibleText.endsLine).map(Self.trimmed).filter { !$0.isEmpty }
    guard let version = lines.first?.rest(afterBytesOf: Self.mark) else { throw .backupInvalid }
    guard version == Self.version else { throw UInt32(version) == nil ? .backupInvalid : .versionMismatch }
    let digits = lines.dropFirst(2).joined()
    guard lines.count > 2, lines[1] == Self.derivation, let bytes = Base64.decode(digits),
      Base64.encode(bytes) == digits,
      bytes.count >= Scrypt.saltLength + Sealer.nonceLength + Sealer.tagLength + Self.hashLength
    else { throw .backupInvalid }
    let content = Array(bytes.dropLast(Self.hashLength))
    guard Array(bytes.suffix(Self.hashLength)) == Self.hash(content) else { throw .backupInvalid }
    salt = Array(content.prefix(Scrypt.saltLength))
    nonce = Array(content.dropFirst(Scrypt.saltLength).prefix(Sealer.nonceLength))
    sealed = Array(content.dropFirst(Scrypt.saltLength + Sealer.nonceLength))
  }

  package var text: String {
    let content = salt + nonce + sealed
    let digits = Array(Base64.encode(content + Self.hash(content)).utf8)
    // Checked start: below digits.count.
    let lines = stride(from: 0, to: digits.count, by: Self.lineLength).map { start in
      String(decoding: digits[start..<min(start + Self.lineLength, digits.count)], as: UTF8.self) + "\n"
    }
    return Self.header + lines.joined()
  }

  /// Returns the content; nil if the key is from another passphrase, or somebody changed the file and its hash.
  func open(with key: PassphraseKey) -> [UInt8]? {
    Sealer(key: key.sealer)?.open(sealed, nonce: nonce, additional: Array(Self.header.utf8))
  }

  private static func hash(_ content: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(Array(header.utf8) + content).prefix(hashLength))
  }

  /// Removes what mail programs add at the ends of lines, because that is no damage.
  private static func trimmed(_ line: Substring) -> String {
    var line = line
    while let start = line.start(beforeBytesOf: " ") ?? line.start(beforeBytesOf: "\t") { line = start }
    return String(line)
  }
}
