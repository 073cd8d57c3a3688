// SPDX-License-Identifier: Apache-2.0

/// The indexes of apps whose entries a person has forgotten. Their names are forgotten, too, but not that the apps have
/// filled them: otherwise the apps would be asked to index everything again.
struct KnownIndexes {
  let database: Database
  let generation: String

  /// Beyond this number, all are forgotten.
  private static let maximum = 4096
  private static let prefix = "known "

  /// Forgets the names of an app, or of all apps, if it has no entries.
  ///
  /// - Returns: Whether there were any.
  func forgetEmpty(of application: String?) throws(IndexError) -> Bool {
    let isEmpty = "device = '' AND entries = 0 AND (?1 IS NULL OR application = ?1)"
    let names = try database.rows(
      "SELECT application, name FROM collection WHERE NOT isActivities AND \(isEmpty)",
      Value(application)
    ) { (application: $0.text(0), name: $0.text(1)) }
    let known = "name LIKE '\(Self.prefix)%'"
    if (try database.int("SELECT count(*) FROM state WHERE \(known)") ?? 0) > Self.maximum {
      try database.run("DELETE FROM state WHERE \(known)")
    }
    for name in names {
      try database.run("INSERT OR REPLACE INTO state VALUES (?, 1)", .text(key(name.application, name.name)))
    }
    try database.run("DELETE FROM collection WHERE \(isEmpty)", Value(application))
    return database.changes > 0
  }

  func contains(application: String, index: String) throws(IndexError) -> Bool {
    try database.int("SELECT value FROM state WHERE name = ?", .text(key(application, index))) != nil
  }

  /// FNV-1a with 64 bits. The names cannot be read from it, but whoever has the file can try names.
  private func key(_ application: String, _ index: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in [generation, application, index] {
      for byte in Array(part.utf8) + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return Self.prefix + String(hash, radix: 16)
  }
}
