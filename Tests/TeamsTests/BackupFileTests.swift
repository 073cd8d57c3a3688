// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS
import Testing

@testable import Teams

/// The text of a backup: complete, damaged, or of another version.
@Suite struct BackupFileTests {
  private static let key = Result { try PassphraseKey(passphrase: "correct horse battery") }
  private let key: PassphraseKey
  private let text: String

  init() throws {
    key = try Self.key.get()
    text = try BackupFile(sealing: Array("content".utf8), with: key).text
  }

  @Test func itOpensWithItsPassphraseAndNoOther() throws {
    let file = try BackupFile(text: text)
    #expect(file.salt == key.salt && file.text == text)
    let again = try PassphraseKey(passphrase: "correct horse battery", salt: file.salt)
    #expect(file.open(with: again).map { String(decoding: $0, as: UTF8.self) } == "content")
    for other in ["correct horse batterz", "correct horse battery ", "Correct horse battery"] {
      #expect(file.open(with: try PassphraseKey(passphrase: other, salt: file.salt)) == nil)
    }
  }

  @Test func twoOfTheSameDifferEverywhere() throws {
    let again = try BackupFile(sealing: Array("content".utf8), with: key).text
    #expect(again != text)
    let other = try PassphraseKey(passphrase: "correct horse battery")
    #expect(other.salt != key.salt && other.sealer != key.sealer)
  }

  @Test func whatMailDoesToTextIsNoDamage() throws {
    let mailed = "\n" + text.replacing("\n", with: " \r\n") + "\r\n\r\n"
    #expect(try BackupFile(text: mailed).open(with: key) != nil)
  }

  @Test func everyDamagedByteIsNoticed() throws {
    let bytes = Array(text.utf8)
    for index in bytes.indices {
      for flip: UInt8 in [1, 2, 4, 16, 32] {
        var damaged = bytes
        damaged[index] ^= flip
        let text = String(decoding: damaged, as: UTF8.self)
        // If another white-space character ends the line, the text still means the same.
        if bytes[index] == 0x0A, (0x09...0x0D).contains(damaged[index]) { continue }
        #expect(throws: Reason.self, "\(index) \(flip)") { try BackupFile(text: text) }
      }
    }
    for length in bytes.indices.dropLast() {
      #expect(throws: Reason.backupInvalid, "\(length)") {
        try BackupFile(text: String(decoding: bytes[..<length], as: UTF8.self))
      }
    }
  }

  @Test func whoChangesItsHashAsWellIsNoticedToo() throws {
    let digits = text.split(separator: "\n").dropFirst(2).joined()
    let bytes = try #require(Base64.decode(digits))
    for index in bytes.indices.dropLast(8) {
      var changed = bytes
      changed[index] ^= 1
      let content = Array(changed.dropLast(8))
      let header = Array("baton team backup 1\nscrypt 65536 8 1\n".utf8)
      let hashed = content + SHA256.hash(header + content).prefix(8)
      let file = try BackupFile(text: String(decoding: header, as: UTF8.self) + Base64.encode(hashed))
      // Another salt makes another key.
      #expect(index < 16 ? file.salt != key.salt : file.open(with: key) == nil, "\(index)")
    }
  }

  @Test func otherVersionsAreNamedAsSuch() {
    for version in ["2", "10", "4294967295"] {
      #expect(throws: Reason.versionMismatch) {
        try BackupFile(text: text.replacing("backup 1\n", with: "backup \(version)\n"))
      }
    }
    for version in ["", "x", "-1", "4294967296", "1 "] {
      #expect(throws: Reason.backupInvalid) {
        try BackupFile(text: text.replacing("backup 1\n", with: "backup\(version)\n"))
      }
    }
  }

  /// The work is checked before any of it is done.
  @Test func nobodyElseSaysHowMuchWorkItIs() {
    for line in ["scrypt 1073741824 8 1", "scrypt 65536 8 1000000", "scrypt 1 1 1", "scrypt", "argon2id 65536 8 1"] {
      #expect(throws: Reason.backupInvalid) { try BackupFile(text: text.replacing("scrypt 65536 8 1", with: line)) }
    }
  }

  @Test func whatIsTooLongOrTooShortIsNoBackup() throws {
    let blank = String(repeating: "\n", count: Limits.backupLength - text.utf8.count)
    #expect(try BackupFile(text: text + blank).open(with: key) != nil)
    #expect(throws: Reason.backupInvalid) { try BackupFile(text: text + blank + "\n") }
    for text in ["", "\n", "baton team backup", "baton team backup 1", "baton team backup 1\nscrypt 65536 8 1\n", "{}"]
    {
      #expect(throws: Reason.backupInvalid, "\(text)") { try BackupFile(text: text) }
    }
  }

  @Test func aPassphraseHasTwelveCharacters() {
    #expect(PassphraseKey.isLongEnough("zwölf Zeiche"))
    #expect(!PassphraseKey.isLongEnough("elf Zeichen"))
    #expect(Limits.passphraseCharacters == 12)
  }
}
