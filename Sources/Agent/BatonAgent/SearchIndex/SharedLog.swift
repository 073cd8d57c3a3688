// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search

/// The log of what this machine shares, inside of a transaction.
struct SharedLog {
  /// The maximum size of one line of the log as JSON, in bytes. It fits in a page.
  private static let sharedLineLength = 11 * 1024
  /// How long the log keeps deletions, in seconds.
  private static let sharedDeletionAge = 90 * 24 * 60 * 60.0

  let database: Database
  let limits: IndexLimits

  private enum Kind: Int {
    case put, removed, forget
  }

  /// Notes that an entry of this machine has changed, or that it is shared or not shared now.
  func note(_ entry: SavedEntry, id: Int, application: String, hasChanged: Bool) throws(IndexError) {
    let kind = try database.int("SELECT kind FROM line WHERE entry = ? AND kind < 2", Value(id)).flatMap(Kind.init)
    guard let shared = entry.shared, Self.isShort(shared, id, application) else {
      if kind == .put { try replace(id, with: .removed) }
      return
    }
    if kind != .put || hasChanged { try replace(id, with: .put) }
    // The oldest make room.
    let surplus = try count(.put) - limits.sharedEntries
    guard surplus > 0 else { return }
    let oldest = try database.rows(
      "SELECT line.entry FROM line WHERE kind = 0 ORDER BY number LIMIT ?",
      Value(surplus)
    ) { $0.int(0) }
    for entry in oldest { try replace(entry, with: .removed) }
  }

  /// Whether the line fits in a page.
  private static func isShort(_ entry: SavedEntry, _ id: Int, _ application: String) -> Bool {
    let line = SharedLine(number: 1 << 53, id: id, change: .put(application: application, entry))
    return line.json.bytes.count <= Self.sharedLineLength
  }

  private func count(_ kind: Kind) throws(IndexError) -> Int {
    try database.int("SELECT count(*) FROM line WHERE kind = ?", Value(kind.rawValue)) ?? 0
  }

  private func replace(_ id: Int, with kind: Kind) throws(IndexError) {
    try database.run("DELETE FROM line WHERE entry = ? AND kind < 2", Value(id))
    try database.run("INSERT INTO line (kind, entry) VALUES (?, ?)", Value(kind.rawValue), Value(id))
  }

  /// Tells other machines that a user has deleted an entry of one of them here.
  func forget(_ peer: SharingPeer, generation: String, remote: Int, number: Int) throws(IndexError) {
    try remember(peer, generation: generation, remote: remote, number: number)
    try database.run(
      "INSERT INTO line (kind, entry, device, team, generation, upTo) VALUES (2, ?, ?, ?, ?, ?)",
      Value(remote),
      .text(peer.device),
      .text(peer.team),
      .text(generation),
      Value(number)
    )
  }

  /// Keeps an entry of another machine from coming back.
  func remember(_ peer: SharingPeer, generation: String, remote: Int, number: Int) throws(IndexError) {
    try database.run(
      """
      INSERT INTO forgotten VALUES (?, ?, ?, ?, ?, NULL)
      ON CONFLICT DO UPDATE SET number = max(number, excluded.number), time = NULL
      """,
      .text(peer.device),
      .text(peer.team),
      .text(generation),
      Value(remote),
      Value(number)
    )
  }

  /// Ends a deletion of an entry of another machine: it is gone there, or it is a new one.
  func settle(_ peer: SharingPeer, generation: String, remote: Int) throws(IndexError) {
    try database.run(
      "DELETE FROM forgotten WHERE device = ? AND team = ? AND generation = ? AND remote = ?",
      .text(peer.device),
      .text(peer.team),
      .text(generation),
      Value(remote)
    )
    try database.run(
      "DELETE FROM line WHERE kind = 2 AND device = ? AND team = ? AND generation = ? AND entry = ?",
      .text(peer.device),
      .text(peer.team),
      .text(generation),
      Value(remote)
    )
  }

  /// The number of an entry of this machine in the log. Nil if it is not shared.
  func number(of id: Int) throws(IndexError) -> Int? {
    try database.int("SELECT number FROM line WHERE kind = 0 AND entry = ?", Value(id))
  }

  var last: Int {
    get throws(IndexError) { try database.int("SELECT seq FROM sqlite_sequence WHERE name = 'line'") ?? 0 }
  }

  /// The number of the last deletion that the log no longer has.
  private var dropped: Int {
    get throws(IndexError) { try database.int("SELECT value FROM state WHERE name = 'dropped'") ?? 0 }
  }

  /// Forgets deletions that are too old, or too many.
  func prune(now: Double) throws(IndexError) {
    try database.run("UPDATE line SET time = ? WHERE time IS NULL", .real(now))
    try database.run("UPDATE forgotten SET time = ? WHERE time IS NULL", .real(now))
    let oldest = now - Self.sharedDeletionAge
    let surplus = try count(.removed) - limits.sharedDeletions
    let last = try database.int(
      """
      SELECT max(number) FROM line WHERE kind = 1
      AND (time <= ? OR number IN (SELECT number FROM line WHERE kind = 1 ORDER BY number LIMIT ?))
      """,
      .real(oldest),
      Value(max(surplus, 0))
    )
    if let last {
      try database.run("DELETE FROM line WHERE kind = 1 AND number <= ?", Value(last))
      try database.run("INSERT OR REPLACE INTO state VALUES ('dropped', max(?, ?))", Value(last), Value(try dropped))
    }
    let forgotten = try count(.forget) - limits.sharedDeletions
    try database.run(
      """
      DELETE FROM line WHERE kind = 2
      AND (time <= ? OR number IN (SELECT number FROM line WHERE kind = 2 ORDER BY number LIMIT ?))
      """,
      .real(oldest),
      Value(max(forgotten, 0))
    )
    try database.run("DELETE FROM forgotten WHERE time <= ?", .real(oldest))
    let tooMany = (try database.int("SELECT count(*) FROM forgotten") ?? 0) - limits.sharedDeletions
    guard tooMany > 0 else { return }
    let name = "device, team, generation, remote"
    try database.run(
      "DELETE FROM forgotten WHERE (\(name)) IN (SELECT \(name) FROM forgotten ORDER BY time LIMIT ?)",
      Value(tooMany)
    )
  }

  /// Returns the lines that follow a position, as many as fit in a message.
  func page(
    after position: LogPosition,
    for team: String,
    generation: String,
    maximumLength: Int
  ) throws(IndexError) -> LogPage {
    let last = try self.last
    let isKnown = position.generation == generation && position.after <= last
    let dropped = try self.dropped
    let isReset = !isKnown || max(position.after, position.resetLast ?? 0) < dropped
    let after = isReset ? 0 : position.after
    var page = LogPage(
      generation: generation,
      after: after,
      lines: [],
      last: last,
      isReset: isReset,
      isComplete: true
    )
    var length = SharingMessage.page(page).json.bytes.count + 16
    try database.each(
      """
      SELECT line.number, line.kind, line.entry, line.device, line.generation, line.upTo, collection.application,
        content.json
      FROM line LEFT JOIN entry ON line.kind = 0 AND entry.id = line.entry
      LEFT JOIN collection ON collection.id = entry.collection LEFT JOIN content ON content.id = entry.id
      WHERE line.number > ? AND (line.kind < 2 OR line.team = ?) ORDER BY line.number
      """,
      [Value(after), .text(team)]
    ) { row throws(IndexError) in
      guard let line = try Self.line(row) else { return true }
      length += line.json.bytes.count + 1
      if length > maximumLength {
        page.isComplete = false
        return false
      }
      page.lines.append(line)
      return true
    }
    page.through = page.lines.last?.number ?? after
    return page
  }

  private static func line(_ row: Row) throws(IndexError) -> SharedLine? {
    let change: SharedLine.Change
    switch Kind(rawValue: row.int(1)) {
    case .put:
      guard let json = try? JSON(parsing: row.bytes(7), depth: Limits.varlinkDepth), let entry = SavedEntry(json: json)
      else { throw .damaged("a shared entry can't be read") }
      guard let shared = entry.shared else { return nil }
      change = .put(application: row.text(6), shared)
    case .removed: change = .removed
    case .forget: change = .forget(device: row.text(3), generation: row.text(4), upTo: row.int(5))
    case nil: throw .damaged("a line of the log can't be read")
    }
    return SharedLine(number: row.int(0), id: row.int(2), change: change)
  }
}
