// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import JSONCoding
import Search
import SeededGenerator

/// A machine that shares, with its agent. It speaks with others as agents do, over a network that may lose sessions.
final class Machine {
  let name: String
  /// The names that it has in its teams.
  let teams: Set<String>
  let fixture = Fixture()
  private var sharing = Sharing { 1 }
  /// Messages that were not delivered.
  var outbox: [(to: SharingPeer, message: SharingMessage)] = []
  var failures = 0
  private(set) var sessions: Set<SharingPeer> = []
  /// The teams with which it shares.
  var sharesWith: Set<String>

  init(_ name: String, teams: Set<String>) {
    self.name = name
    self.teams = teams
    sharesWith = teams
    fixture.limits.sharedEntries = 12
    fixture.limits.sharedDeletions = 6
    fixture.limits.entriesPerShard = 16
    fixture.prefix = name
  }

  func start() throws {
    sharing = Sharing { 1 }
    // It makes the files if there are none.
    _ = try index()
    let shared = Dictionary(uniqueKeysWithValues: sharesWith.map { ($0, Set<String>()) })
    try handle(.shares(shared), at: ContinuousClock().now, date: 0)
  }

  func index() throws -> SearchIndex { try fixture.index() }

  func connect(_ peer: SharingPeer, at now: ContinuousClock.Instant) throws {
    sessions.insert(peer)
    try handle(.connected(peer, name: peer.device), at: now, date: 0)
  }

  func disconnect(_ peer: SharingPeer, at now: ContinuousClock.Instant) throws {
    sessions.remove(peer)
    outbox.removeAll { $0.to == peer }
    try handle(.disconnected(peer), at: now, date: 0)
  }

  /// Reports what the app did, as the agent's service does after each change.
  func announce(at now: ContinuousClock.Instant) throws {
    try handle(.indexChanged, at: now, date: 0)
  }

  func receive(_ message: SharingMessage, from peer: SharingPeer, at now: ContinuousClock.Instant, date: Double) throws
  {
    // The messages survive their JSON, within a frame.
    let bytes = message.json.bytes
    guard bytes.count <= Limits.indexMessageLength,
      let copy = try SharingMessage(json: JSON(parsing: bytes, depth: 16)),
      copy == message
    else { throw IndexError.failed("a message cannot be read") }
    try handle(.received(copy, from: peer), at: now, date: date)
  }

  func handle(_ event: Sharing.Event, at now: ContinuousClock.Instant, date: Double) throws {
    for effect in sharing.handle(event, at: now) {
      switch effect {
      case .send(let message, let peer): outbox.append((peer, message))
      case .readPosition(let peer):
        let read = (own: try index().logEnd, known: try index().position(of: peer))
        try handle(.positionRead(peer, read), at: now, date: date)
      case .readPage(let peer, let position):
        let page = try index().page(after: position, for: peer.team, maximumLength: 1500)
        try handle(.pageRead(peer, page), at: now, date: date)
      case .readEnd: try handle(.endRead(index().logEnd), at: now, date: date)
      case .apply(let page, let peer, let called):
        let applied = try index().apply(page, of: peer, called: called, to: name, now: date)
        if applied.hasChangedLog { try announce(at: now) }
        try handle(
          .applied(peer, applied.position, isComplete: applied.isComplete),
          at: now,
          date: date
        )
      }
    }
  }

  /// The agent stops, with or without a warning, and starts again.
  func restart(at now: ContinuousClock.Instant) throws {
    fixture.close()
    outbox = []
    try start()
    for peer in sessions { try connect(peer, at: now) }
  }

  /// The titles of its own entries, and of those of another machine in a team.
  func titles(of peer: SharingPeer? = nil) throws -> [String] {
    try fixture.titles(device: peer?.device ?? "", team: peer?.team ?? "")
  }
}
