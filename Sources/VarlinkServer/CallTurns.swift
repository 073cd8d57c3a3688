import Glibc

/// Whose calls are handled next: users in turns, and the connections of each in turns.
struct CallTurns<Connection> {
  /// Those with connections that wait, the next one first.
  private var users: [uid_t] = []
  private var connections: [uid_t: [Connection]] = [:]

  mutating func add(_ connection: Connection, of user: uid_t) {
    if connections[user] == nil { users.append(user) }
    connections[user, default: []].append(connection)
  }

  /// Nil where nobody waits.
  mutating func next() -> Connection? {
    guard let user = users.first, var waiting = connections[user] else { return nil }
    users.removeFirst()
    let next = waiting.removeFirst()
    connections[user] = waiting.isEmpty ? nil : waiting
    if !waiting.isEmpty { users.append(user) }
    return next
  }
}
