// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The users that an account no longer lets in, although their tokens have not ended.
package struct NATSRevocations: Equatable, Sendable {
  /// For the text of each user's public key, until when the tokens were made that no longer count: seconds since 1970.
  package private(set) var users: [String: Int64] = [:]
  /// Until when the tokens of any user were made that no longer count. Nil if that is no reason.
  package private(set) var all: Int64?

  /// How NATS names all users.
  private static let everybody = "*"

  package init() {}

  /// - Parameter key: The user's public key: 32 bytes.
  package mutating func revoke(_ key: [UInt8], until time: Int64) { revoke(NATSKey.text(.user, key), until: time) }

  package mutating func revokeAll(until time: Int64) { all = max(all ?? time, time) }

  package mutating func formUnion(_ other: NATSRevocations) {
    for (user, time) in other.users { revoke(user, until: time) }
    if let time = other.all { revokeAll(until: time) }
  }

  /// Whether nobody is let in that the other ones do not let in.
  package func contains(_ other: NATSRevocations) -> Bool {
    var union = self
    union.formUnion(other)
    return union == self
  }

  /// Leaves out the users all of whose tokens have ended, and those for whom there is no room, with the earliest times
  /// first.
  ///
  /// - Parameter lifetime: How long tokens are valid, in seconds.
  package mutating func trim(now: Int64, lifetime: Int64) {
    users = users.filter { $0.value >= now - lifetime }
    guard users.count > Limits.revokedUsers else { return }
    let latest = users.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(Limits.revokedUsers)
    users = Dictionary(latest.map { ($0.key, $0.value) }, uniquingKeysWith: max)
  }

  private mutating func revoke(_ user: String, until time: Int64) { users[user] = max(users[user] ?? time, time) }

  /// As in an account's token.
  package var json: JSON {
    var members = users.mapValues(JSON.integer)
    members[Self.everybody] = all.map(JSON.integer)
    return .object(members)
  }

  /// Those of an account's token. Its signature is not checked. Nil if it is no token of an account.
  package init?(token: String) {
    guard let nats = NATSToken.claims(in: token)?["nats"]?.object, nats["type"]?.string == "account" else { return nil }
    for (user, time) in nats["revocations"]?.object ?? [:] {
      guard let time = time.int64 else { continue }
      user == Self.everybody ? revokeAll(until: time) : revoke(user, until: time)
    }
  }
}
