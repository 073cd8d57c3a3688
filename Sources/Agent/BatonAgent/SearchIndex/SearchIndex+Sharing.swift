// SPDX-License-Identifier: Apache-2.0

import Activity
import Search

/// What a page of another machine changed.
package struct AppliedPage: Equatable, Sendable {
  /// How far this machine has come.
  package var position: LogPosition
  /// Whether nothing follows.
  package var isComplete = false
  /// Whether what this machine shares has changed, because another one's user deleted some of it.
  package var hasChangedLog = false
  /// Whether entries were deleted, so that ``SearchIndex/eraseReplaced()`` has something to do.
  package var hasRemoved = false
}

extension SearchIndex {
  /// The maximum number of devices whose entries are kept.
  private static let sharingDevices = 64

  var log: SharedLog { get throws(IndexError) { SharedLog(database: try database, limits: limits) } }

  /// The end of the log of what this machine shares.
  package var logEnd: LogPosition {
    get throws(IndexError) {
      LogPosition(generation: generation, after: try recovering { () throws(IndexError) in try log.last })
    }
  }

  /// Returns the part of the log that follows `position`, as large as fits in a message.
  package func page(
    after position: LogPosition,
    for team: String,
    maximumLength: Int = Limits.indexMessageLength
  ) throws(IndexError) -> LogPage {
    try recovering { () throws(IndexError) in
      try log.page(after: position, for: team, generation: generation, maximumLength: maximumLength)
    }
  }

  /// How far this machine has come with the log of another one.
  package func position(of peer: SharingPeer) throws(IndexError) -> LogPosition {
    try recovering { () throws(IndexError) in
      try database.first(
        "SELECT generation, after, resetLast FROM position WHERE device = ? AND team = ?",
        .text(peer.device),
        .text(peer.team)
      ) { row in
        LogPosition(generation: row.text(0), after: row.int(1), resetLast: row.optionalInt(2))
      } ?? LogPosition()
    }
  }

  /// Applies a page of another machine's log: all of it, or nothing. What it deletes is overwritten by
  /// ``eraseReplaced()``.
  ///
  /// - Parameters:
  ///   - name: What people call the other machine.
  ///   - device: This machine's ID in the team.
  package func apply(
    _ page: LogPage,
    of peer: SharingPeer,
    called name: String,
    to device: String,
    now: Double
  ) throws(IndexError) -> AppliedPage {
    let position = try self.position(of: peer)
    guard page.answers(position) else { return AppliedPage(position: position) }
    return try change { database throws(IndexError) in
      let devices = try database.int("SELECT count(*) FROM position") ?? 0
      if devices >= Self.sharingDevices, position.generation.isEmpty {
        throw .limit(EntryLimit(parameter: "device", limit: Self.sharingDevices))
      }
      let store = EntryStore(database: database, shards: try shards)
      let application = PageApplication(
        peer: peer,
        name: name,
        device: device,
        store: store,
        log: try log,
        ownGeneration: generation,
        limits: limits,
        now: now
      )
      let applied = try application.apply(page, position)
      if application.hasRemoved { try markErasing(database) }
      if application.hasReplaced { try markReplaced(database) }
      if try makeRoom(store) { try markReplaced(database) }
      return applied
    }
  }

  /// Deletes everything that is known of other machines, except of those that are kept. The call returns when it is
  /// overwritten.
  @discardableResult
  package func deleteForeign(except isKept: (SharingPeer) -> Bool) throws(IndexError) -> Int {
    let count = try change { database throws(IndexError) in
      let store = EntryStore(database: database, shards: try shards)
      let known = try database.rows(
        """
        SELECT device, team FROM collection WHERE device <> '' UNION SELECT device, team FROM position
        """
      ) { SharingPeer(device: $0.text(0), team: $0.text(1)) }
      var count = 0
      for peer in known where !isKept(peer) {
        let entries = try store.select(of: peer)
        try store.remove(entries)
        count += entries.count
        // What users have deleted stays deleted if the machines share again.
        for table in ["collection", "position"] {
          try database.run("DELETE FROM \(table) WHERE device = ? AND team = ?", .text(peer.device), .text(peer.team))
        }
      }
      if count > 0 { try markErasing(database) }
      return count
    }
    if count > 0 { try recovering { () throws(IndexError) in try finishErasing() } }
    return count
  }
}

extension EntryStore {
  /// The entries of another machine.
  func select(of peer: SharingPeer) throws(IndexError) -> [(id: Int, words: Int?)] {
    try select(
      "collection IN (SELECT id FROM collection WHERE device = ? AND team = ?)",
      .text(peer.device),
      .text(peer.team)
    )
  }
}
