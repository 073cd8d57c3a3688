// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import JSONCoding
import Systemd

/// The addresses that users gave, kept across restarts in `static-peers.json`.
@Loop
final class StaticPeerList {
  private struct Entry: Structure {
    @Coded<TeamDigits> var team: TeamID
    let address: String
  }

  private let file: AddressFile
  /// Includes peers of teams that cannot be used now.
  private(set) var all: Set<StaticPeer> = []
  /// Entries that this version does not understand, kept as they are.
  private var others: [JSON] = []

  /// A file that cannot be read counts as empty, because the daemon must start all the same.
  init(in directory: String, log: Log) {
    let file = AddressFile(name: "static-peers.json", directory: directory, log: log)
    for json in file.read() {
      if let entry = Entry(json: json), entry.json == json {
        all.insert(StaticPeer(team: entry.team, address: entry.address))
      } else {
        others.append(json)
      }
    }
    self.file = file
  }

  /// - Parameter teams: The teams of the user.
  /// - Throws: `limitReached`, `storageFailed`.
  func add(_ peer: StaticPeer, for user: UserID, in teams: Set<TeamID>) async throws(Reason) {
    try await file.change(for: user) { [self] () async throws(Reason) in
      guard !all.contains(peer) else { return }
      let own = all.count { teams.contains($0.team) }
      guard Limits.staticPeerShare.allows(user, own: own, all: all.count + others.count) else { throw .limitReached }
      all.insert(peer)
      do throws(Reason) { try await write(all) } catch {
        all.remove(peer)
        throw error
      }
    }
  }

  /// - Throws: `peerNotFound` if the list has none of them; `storageFailed`.
  func remove(_ peers: Set<StaticPeer>, for user: UserID) async throws(Reason) {
    try await file.change(for: user) { [self] () async throws(Reason) in
      guard !all.isDisjoint(with: peers) else { throw .peerNotFound }
      try await write(all.subtracting(peers))
      all.subtract(peers)
    }
  }

  /// Moves the devices of a team to another team.
  func rename(_ old: TeamID, to team: TeamID) {
    let renamed = Set(all.map { $0.team == old ? StaticPeer(team: team, address: $0.address) : $0 })
    guard renamed != all else { return }
    all = renamed
    save()
  }

  /// Forgets the peers of a team that this machine has left.
  func forget(_ team: TeamID) {
    let kept = all.filter { $0.team != team }
    guard kept.count < all.count else { return }
    all = kept
    // If the file cannot be replaced, its entries belong to no team of this machine, so nobody is dialled.
    save()
  }

  /// Writes what has changed in memory.
  private func save() {
    Loop.begin { [self] in
      try? await file.change { [self] () async throws(Reason) in try await write(all) }
    }
  }

  /// Returns when everything is on the disk.
  func finish() async { await file.finish() }

  private func write(_ peers: Set<StaticPeer>) async throws(Reason) {
    let sorted = peers.sorted { ($0.team.text, $0.address) < ($1.team.text, $1.address) }
    try await file.write(sorted.map { Entry(team: $0.team, address: $0.address).json } + others)
  }
}
