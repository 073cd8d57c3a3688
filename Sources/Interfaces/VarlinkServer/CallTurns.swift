// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Decides whose calls are handled next. Users take turns, and so do the connections of each user.
struct CallTurns<Connection> {
  /// The users with waiting connections, the next one first.
  private(set) var users: [uid_t] = []
  private var connections: [uid_t: [Connection]] = [:]

  mutating func add(_ connection: Connection, of user: uid_t) {
    if connections[user] == nil { users.append(user) }
    connections[user, default: []].append(connection)
  }

  /// - Parameter mayCall: Whether it may be a user's turn. Other users keep their places.
  /// - Returns: The next connection. Nil if no user who may call is waiting.
  mutating func next(where mayCall: (uid_t) -> Bool = { _ in true }) -> Connection? {
    guard let place = users.firstIndex(where: mayCall), var waiting = connections[users[place]] else { return nil }
    let user = users.remove(at: place)
    let next = waiting.removeFirst()
    connections[user] = waiting.isEmpty ? nil : waiting
    if !waiting.isEmpty { users.append(user) }
    return next
  }
}
