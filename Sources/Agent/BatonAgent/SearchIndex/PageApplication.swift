// SPDX-License-Identifier: Apache-2.0

import Activity
import Search

/// Applies one page of another machine's log, inside of a transaction.
final class PageApplication {
  private let peer: SharingPeer
  private let name: String
  private let device: String
  private let store: EntryStore
  private let log: SharedLog
  private let ownGeneration: String
  private let limits: IndexLimits
  private let now: Double
  private var collections: [[UInt8]: Int] = [:]
  /// Whether entries were deleted, and whether the text of others was replaced.
  private(set) var hasRemoved = false
  private(set) var hasReplaced = false

  init(
    peer: SharingPeer,
    name: String,
    device: String,
    store: EntryStore,
    log: SharedLog,
    ownGeneration: String,
    limits: IndexLimits,
    now: Double
  ) {
    self.peer = peer
    self.name = name
    self.device = device
    self.store = store
    self.log = log
    self.ownGeneration = ownGeneration
    self.limits = limits
    self.now = now
  }

  private var database: Database { store.database }

  func apply(_ page: LogPage, _ old: LogPosition) throws(IndexError) -> AppliedPage {
    var position = old
    if page.isReset { position = try reset(to: page, from: old) }
    let before = try log.last
    for line in page.lines { try apply(line, page.generation) }
    position.after = page.isComplete ? page.last : page.through
    if page.isComplete {
      if position.resetLast != nil { try removeUnconfirmed() }
      position.resetLast = nil
      try keepAlive()
    }
    try database.run(
      "INSERT OR REPLACE INTO position VALUES (?, ?, ?, ?, ?, ?)",
      .text(peer.device),
      .text(peer.team),
      .text(position.generation),
      Value(position.after),
      Value(position.resetLast),
      .text(name)
    )
    try database.run("DELETE FROM collection WHERE device <> '' AND entries = 0")
    try log.prune(now: now)
    return AppliedPage(
      position: position,
      isComplete: page.isComplete,
      hasChangedLog: try log.last != before,
      hasRemoved: hasRemoved
    )
  }

  /// Begins again. Entries that do not come again are removed at the end; those of another log, now.
  private func reset(to page: LogPage, from old: LogPosition) throws(IndexError) -> LogPosition {
    if page.generation == old.generation {
      try database.run(
        "UPDATE foreignEntry SET isConfirmed = 0 WHERE device = ? AND team = ?",
        .text(peer.device),
        .text(peer.team)
      )
    } else {
      try remove(try store.select(of: peer))
      let (device, team) = (Value.text(peer.device), Value.text(peer.team))
      let isOld = "device = ? AND team = ? AND generation <> ?"
      try database.run("DELETE FROM forgotten WHERE \(isOld)", device, team, .text(page.generation))
      try database.run("DELETE FROM line WHERE kind = 2 AND \(isOld)", device, team, .text(page.generation))
    }
    return LogPosition(generation: page.generation, after: 0, resetLast: page.last)
  }

  private func apply(_ line: SharedLine, _ generation: String) throws(IndexError) {
    switch line.change {
    case .put(let application, let entry): try put(entry, line, application, generation)
    case .removed:
      try log.settle(peer, generation: generation, remote: line.id)
      try remove(try copies(of: peer, line.id))
    case .forget(let device, let generation, let upTo):
      if device == self.device {
        guard generation == ownGeneration, let number = try log.number(of: line.id), number <= upTo else { return }
        try remove(try store.select("id = ?", Value(line.id)))
      } else if device != peer.device {
        let other = SharingPeer(device: device, team: peer.team)
        // An entry that is not known here is deleted by the machine that it comes from. Numbers that this machine does
        // not have yet are for entries that will be made.
        let known = try database.int(
          "SELECT max(after, coalesce(resetLast, 0)) FROM position WHERE device = ? AND team = ? AND generation = ?",
          .text(device),
          .text(peer.team),
          .text(generation)
        )
        guard let known else { return }
        try log.remember(other, generation: generation, remote: line.id, number: min(upTo, known))
        try remove(try copies(of: other, line.id, upTo: min(upTo, known)))
      }
    }
  }

  private func put(
    _ entry: SavedEntry,
    _ line: SharedLine,
    _ application: String,
    _ generation: String
  ) throws(IndexError) {
    let forgotten = try database.int(
      "SELECT number FROM forgotten WHERE device = ? AND team = ? AND generation = ? AND remote = ?",
      .text(peer.device),
      .text(peer.team),
      .text(generation),
      Value(line.id)
    )
    if let forgotten {
      if line.number <= forgotten { return }
      try log.settle(peer, generation: generation, remote: line.id)
    }
    if let date = entry.expirationDate, date <= now {
      try remove(try copies(of: peer, line.id))
      return
    }
    let collection = try collection(application)
    // The app there may have given the name of one entry to another one.
    try remove(
      try store.select(
        """
        id IN (SELECT foreignEntry.id FROM foreignEntry JOIN entry ON entry.id = foreignEntry.id
        WHERE device = ? AND team = ? AND remote = ? AND (collection <> ? OR identifier <> ?))
        """,
        .text(peer.device),
        .text(peer.team),
        Value(line.id),
        Value(collection),
        .text(entry.identifier)
      )
    )
    let used = try database.first(
      "SELECT used, heat FROM entry WHERE collection = ? AND identifier = ?",
      Value(collection),
      .text(entry.identifier)
    ) { ($0.double(0), $0.double(1)) }
    let result = try store.put(entry, in: collection, now: now, isUse: false)
    // When it is used elsewhere is not known. Nobody has used it here.
    try database.run(
      "UPDATE entry SET used = ?, heat = ? WHERE id = ?",
      .real(used?.0 ?? 0),
      .real(used?.1 ?? Heat(usedAt: 0).value),
      Value(result.id)
    )
    if result.hasReplaced { hasReplaced = true }
    try database.run("DELETE FROM foreignEntry WHERE id = ?", Value(result.id))
    try database.run(
      "INSERT OR REPLACE INTO foreignEntry VALUES (?, ?, ?, ?, ?, 1)",
      Value(result.id),
      .text(peer.device),
      .text(peer.team),
      Value(line.id),
      Value(line.number)
    )
    // A machine that shares more than it may loses its oldest entries here.
    let surplus = try database.int(
      "SELECT count(*) FROM foreignEntry WHERE device = ? AND team = ?",
      .text(peer.device),
      .text(peer.team)
    )
    if let surplus, surplus > limits.sharedEntries {
      try remove(
        try store.select(
          "id IN (SELECT id FROM foreignEntry WHERE device = ? AND team = ? ORDER BY isConfirmed, number LIMIT ?)",
          .text(peer.device),
          .text(peer.team),
          Value(surplus - limits.sharedEntries)
        )
      )
    }
  }

  private func collection(_ application: String) throws(IndexError) -> Int {
    let name = Array(application.utf8)
    if let id = collections[name] { return id }
    let id = try EntryCollection(
      device: peer.device,
      team: peer.team,
      application: application,
      isActivities: true
    ).findOrMake(in: database)
    collections[name] = id
    return id
  }

  private func copies(
    of peer: SharingPeer,
    _ remote: Int,
    upTo number: Int = .max
  ) throws(IndexError) -> [(id: Int, words: Int?)] {
    try store.select(
      "id IN (SELECT id FROM foreignEntry WHERE device = ? AND team = ? AND remote = ? AND number <= ?)",
      .text(peer.device),
      .text(peer.team),
      Value(remote),
      Value(number)
    )
  }

  private func removeUnconfirmed() throws(IndexError) {
    try remove(
      try store.select(
        "id IN (SELECT id FROM foreignEntry WHERE device = ? AND team = ? AND NOT isConfirmed)",
        .text(peer.device),
        .text(peer.team)
      )
    )
  }

  /// The other machine still has what it shares, so nothing of it expires here only because nobody uses it.
  private func keepAlive() throws(IndexError) {
    try database.run(
      """
      UPDATE entry SET expires = ?1 WHERE NOT flags & 8 AND expires < ?1 - 86400
      AND collection IN (SELECT id FROM collection WHERE device = ?2 AND team = ?3)
      """,
      .real(now + Limits.entryAge),
      .text(peer.device),
      .text(peer.team)
    )
  }

  private func remove(_ entries: [(id: Int, words: Int?)]) throws(IndexError) {
    guard !entries.isEmpty else { return }
    try store.remove(entries)
    hasRemoved = true
  }
}
