// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// Looks up the names of machines, each of which may occupy a thread for a long time. A few lookups run at the same
/// time, one per user, and users take turns.
@Loop
final class Lookups {
  /// The maximum number of names that are looked up at the same time, one per user. A server that does not answer holds
  /// a thread for up to 30 s.
  nonisolated static let lookups = 4
  /// The maximum number of names that one user waits for: those of all control connections and of static peers.
  nonisolated static let lookupsPerUser = 256

  typealias Completion = @Loop ([SocketAddress]) -> Void

  private struct Lookup {
    let host: String
    let port: UInt16
    let completion: Completion
  }

  private let lookUp: @Sendable (_ host: String, _ port: UInt16) -> [SocketAddress]
  private var waiting: [UserID: [Lookup]] = [:]
  /// The users who wait and have no lookup in progress, the next one first.
  private var turns: [UserID] = []
  /// The users with a lookup in progress.
  private var running: Set<UserID> = []

  /// - Parameter lookUp: Called on its own threads; may block.
  nonisolated init(_ lookUp: @escaping @Sendable (_ host: String, _ port: UInt16) -> [SocketAddress]) {
    self.lookUp = lookUp
  }

  /// - Parameters:
  ///   - user: The user who asks.
  ///   - isAwaited: Whether a person waits. The lookup then comes before the user's others.
  ///   - completion: Called once, never before this returns; with no addresses if too many lookups wait.
  func begin(
    host: String,
    port: UInt16,
    for user: UserID,
    isAwaited: Bool,
    completion: @escaping Completion
  ) {
    let own = waiting[user]?.count ?? 0
    guard own < Self.lookupsPerUser else {
      Task { @Loop in completion([]) }
      return
    }
    let lookup = Lookup(host: host, port: port, completion: completion)
    waiting[user, default: []].insert(lookup, at: isAwaited ? 0 : own)
    if own == 0, !running.contains(user) { turns.append(user) }
    giveTurns()
  }

  private func giveTurns() {
    while running.count < Self.lookups, let user = turns.first {
      turns.removeFirst()
      guard var lookups = waiting[user], !lookups.isEmpty else { continue }
      let lookup = lookups.removeFirst()
      waiting[user] = lookups.isEmpty ? nil : lookups
      running.insert(user)
      let isBegun = OwnThread.run { [lookUp] in
        let addresses = lookUp(lookup.host, lookup.port)
        Task { @Loop in self.ended(lookup, addresses, user) }
      }
      if !isBegun { Task { @Loop in self.ended(lookup, [], user) } }
    }
  }

  private func ended(_ lookup: Lookup, _ addresses: [SocketAddress], _ user: UserID) {
    running.remove(user)
    if waiting[user] != nil { turns.append(user) }
    giveTurns()
    lookup.completion(addresses)
  }
}
