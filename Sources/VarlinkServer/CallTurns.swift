import Glibc

/// Whose calls are handled next: users in turns, and the connections of each in turns.
struct CallTurns<Connection> {
  /// Those with connections that wait, the next one first.
  private(set) var users: [uid_t] = []
  private var connections: [uid_t: [Connection]] = [:]

  mutating func add(_ connection: Connection, of user: uid_t) {
    if connections[user] == nil { users.append(user) }
    connections[user, default: []].append(connection)
  }

  /// - Parameter mayCall: Whether it may be a user's turn; others stay where they are.
  /// - Returns: Nil where nobody waits who may call.
  mutating func next(where mayCall: (uid_t) -> Bool = { _ in true }) -> Connection? {
    guard let place = users.firstIndex(where: mayCall), var waiting = connections[users[place]] else { return nil }
    let user = users.remove(at: place)
    let next = waiting.removeFirst()
    connections[user] = waiting.isEmpty ? nil : waiting
    if !waiting.isEmpty { users.append(user) }
    return next
  }
}
