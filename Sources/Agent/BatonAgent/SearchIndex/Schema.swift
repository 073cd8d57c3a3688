// SPDX-License-Identifier: Apache-2.0

/// The tables, in this version. The full-text index has more; see ``Shards``.
enum Schema {
  static let version = 1

  /// Makes the tables of a new index.
  static func create(in database: Database, generation: String) throws(IndexError) {
    for statement in statements { try database.run(statement) }
    try database.run("INSERT INTO state VALUES ('generation', ?)", .text(generation))
    try database.run("PRAGMA user_version=\(version)")
  }

  /// Brings an older index up to date.
  ///
  /// - Throws: `damaged` if it is of a newer version.
  static func migrate(_ database: Database, _ steps: [Int: [String]] = steps) throws(IndexError) {
    var version = try database.int("PRAGMA user_version") ?? 0
    guard version <= Self.version else { throw .damaged("it has version \(version)") }
    while version < Self.version {
      guard let step = steps[version] else { throw .damaged("it has version \(version)") }
      for statement in step { try database.run(statement) }
      version += 1
      try database.run("PRAGMA user_version=\(version)")
    }
  }

  /// What to do to bring an index from this version to the next.
  static let steps: [Int: [String]] = [:]

  private static let statements = [
    "CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    // The activities of an app, or the items of one of its indexes. Of other devices: with their team.
    """
    CREATE TABLE collection (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      device TEXT NOT NULL, team TEXT NOT NULL, application TEXT NOT NULL, name TEXT NOT NULL,
      isActivities INTEGER NOT NULL, clientState BLOB,
      entries INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL DEFAULT 0,
      UNIQUE (device, team, application, name, isActivities))
    """,
    """
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      collection INTEGER NOT NULL, identifier TEXT NOT NULL, domain TEXT, related TEXT,
      title TEXT, keywords TEXT, flags INTEGER NOT NULL,
      used REAL NOT NULL, expires REAL NOT NULL, heat REAL NOT NULL,
      words INTEGER, size INTEGER NOT NULL,
      UNIQUE (collection, identifier))
    """,
    "CREATE UNIQUE INDEX entry_words ON entry (words) WHERE words IS NOT NULL",
    "CREATE INDEX entry_used ON entry (collection, used)",
    "CREATE INDEX entry_order ON entry (collection, id)",
    "CREATE INDEX entry_expires ON entry (expires)",
    "CREATE INDEX entry_heat ON entry (heat) WHERE words IS NOT NULL",
    "CREATE INDEX entry_predicted ON entry (used) WHERE flags & 4",
    "CREATE INDEX entry_related ON entry (related) WHERE related IS NOT NULL",
    "CREATE INDEX entry_domain ON entry (domain) WHERE domain IS NOT NULL",
    // The entry as JSON, without its thumbnail.
    "CREATE TABLE content (id INTEGER PRIMARY KEY, json BLOB NOT NULL, thumbnail BLOB)",
    // The times of use, as doubles.
    "CREATE TABLE history (id INTEGER PRIMARY KEY, times BLOB NOT NULL)",
    """
    CREATE TABLE shard (
      number INTEGER PRIMARY KEY, next INTEGER NOT NULL, entries INTEGER NOT NULL, size INTEGER NOT NULL,
      isStale INTEGER NOT NULL)
    """,
    // The log of what this machine shares: kind 0 is put, 1 removed, 2 forget. `entry` is the number of the entry on
    // the machine that it comes from. Removed lines contain nothing else. Without a time, a line is from now.
    """
    CREATE TABLE line (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      kind INTEGER NOT NULL, entry INTEGER NOT NULL, time REAL,
      device TEXT NOT NULL DEFAULT '', team TEXT NOT NULL DEFAULT '', generation TEXT NOT NULL DEFAULT '',
      upTo INTEGER NOT NULL DEFAULT 0)
    """,
    "CREATE UNIQUE INDEX line_entry ON line (entry) WHERE kind < 2",
    "CREATE INDEX line_kind ON line (kind, number)",
    // Which entries are from other machines: their numbers there.
    """
    CREATE TABLE foreignEntry (
      id INTEGER PRIMARY KEY, device TEXT NOT NULL, team TEXT NOT NULL, remote INTEGER NOT NULL,
      number INTEGER NOT NULL, isConfirmed INTEGER NOT NULL, UNIQUE (device, team, remote))
    """,
    // How far this machine has come with others' logs, and what the others are called.
    """
    CREATE TABLE position (
      device TEXT NOT NULL, team TEXT NOT NULL, generation TEXT NOT NULL, after INTEGER NOT NULL, resetLast INTEGER,
      name TEXT NOT NULL, PRIMARY KEY (device, team)) WITHOUT ROWID
    """,
    // Entries of others that a user has deleted, here or elsewhere, and that must not come back.
    """
    CREATE TABLE forgotten (
      device TEXT NOT NULL, team TEXT NOT NULL, generation TEXT NOT NULL, remote INTEGER NOT NULL,
      number INTEGER NOT NULL, time REAL, PRIMARY KEY (device, team, generation, remote)) WITHOUT ROWID
    """,
    """
    CREATE TRIGGER entry_unshared AFTER DELETE ON entry
    WHEN EXISTS (SELECT 1 FROM line WHERE entry = old.id AND kind < 2) BEGIN
      DELETE FROM line WHERE entry = old.id AND kind < 2;
      INSERT INTO line (kind, entry) VALUES (1, old.id);
    END
    """,
    "CREATE TRIGGER entry_gone AFTER DELETE ON entry BEGIN DELETE FROM foreignEntry WHERE id = old.id; END",
    """
    CREATE TRIGGER entry_added AFTER INSERT ON entry BEGIN
      UPDATE collection SET entries = entries + 1, size = size + new.size WHERE id = new.collection;
    END
    """,
    """
    CREATE TRIGGER entry_resized AFTER UPDATE OF size ON entry BEGIN
      UPDATE collection SET size = size - old.size + new.size WHERE id = new.collection;
    END
    """,
    """
    CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN
      UPDATE collection SET entries = entries - 1, size = size - old.size WHERE id = old.collection;
      DELETE FROM content WHERE id = old.id;
      DELETE FROM history WHERE id = old.id;
    END
    """,
  ]
}
