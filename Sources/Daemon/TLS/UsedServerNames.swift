// SPDX-License-Identifier: Apache-2.0

import Activity

/// Accepts each server name once, and only soon after it was made. So a name that a stranger has recorded reveals
/// nothing.
///
/// Use it on one thread or queue. Several contexts can share it, so that others cannot use the names that this machine
/// sends them as a client.
package final class UsedServerNames {
  /// How long before the daemon's start a server name may have been made. It is not known whether a name from that time
  /// was used.
  private static let serverNameStartTime = Duration.seconds(5)
  /// The maximum number of server names that are remembered, so that none can be used twice. Removed devices and joins,
  /// with 5 a second of each of three kinds, bring fewer in twice ``Limits.serverNameTime``.
  package static let usedServerNames = 20_480
  /// The same for names under the newest key. 64 peers bring some hundreds a day. Members could bring more, but they
  /// see certificates anyway.
  package static let usedNamesOfMembers = 4096

  /// Names under the newest key, which only members know, and names that this machine made. They are remembered for as
  /// long as there is room, because at an address where a device was met, a name is valid whatever its time is.
  private var ofMembers = Memory(limit: UsedServerNames.usedNamesOfMembers)
  /// The others are remembered until they are too old.
  private var others = Memory(limit: UsedServerNames.usedServerNames)
  private let now: () -> Int64
  private let age: () -> Int64

  /// - Parameters:
  ///   - now: Seconds since 1970.
  ///   - age: For how many seconds names have been remembered. Nil means since this object was made.
  package init(now: @escaping () -> Int64 = { ServerName.now }, age: (() -> Int64)? = nil) {
    self.now = now
    let start = ContinuousClock.now
    self.age = age ?? { start.duration(to: .now).components.seconds }
  }

  /// Whether a name is new, not too old, and not from before names were remembered.
  ///
  /// - Parameters:
  ///   - claim: What the client claims to be with this name.
  ///   - toleratesClocks: Whether the client's clock may show any time, because it comes from an address where a device
  ///     of the team was met.
  ///   - isOwn: Whether the client is on this machine, which may have dialled itself.
  func take(_ name: ServerName.Opened, as claim: ClientClaim, toleratesClocks: Bool, isOwn: Bool = false) -> Bool {
    let now = now()
    let lifetime = Limits.serverNameTime.components.seconds
    let memory = min(lifetime, age() + Self.serverNameStartTime.components.seconds)
    guard toleratesClocks || (-lifetime...memory).contains(now - name.time) else { return false }
    others.forget(before: now)
    if let isMade = ofMembers.use(name.nonce) ?? others.use(name.nonce) { return isMade && isOwn }
    if claim == .member {
      ofMembers.remember(name.nonce)
    } else {
      // By then the name is too old, even if its maker's clock was as far ahead as it may be.
      others.remember(name.nonce, until: now + 2 * lifetime + 1)
    }
    return true
  }

  /// Notes a name that this machine made and that any device of the team would accept.
  func made(_ nonce: [UInt8]) { ofMembers.remember(nonce, isMade: true) }

  private struct Memory {
    private let limit: Int
    /// The nonces of names in order of arrival, and until when each is kept, in seconds since 1970.
    private var queue: [(nonce: [UInt8], end: Int64)] = []
    /// Whether this machine made the name and nobody has used it, by nonce.
    private var nonces: [[UInt8]: Bool] = [:]

    init(limit: Int) { self.limit = limit }

    /// - Returns: Whether this machine made the name and nobody has used it; nil if the name is unknown.
    mutating func use(_ nonce: [UInt8]) -> Bool? {
      guard let isMade = nonces[nonce] else { return nil }
      nonces[nonce] = false
      return isMade
    }

    mutating func remember(_ nonce: [UInt8], isMade: Bool = false, until end: Int64 = .max) {
      if queue.count >= limit { forget(1) }
      nonces[nonce] = isMade
      queue.append((nonce, end))
    }

    mutating func forget(before now: Int64) { forget(queue.firstIndex { $0.end > now } ?? queue.count) }

    private mutating func forget(_ count: Int) {
      for entry in queue.prefix(count) { nonces[entry.nonce] = nil }
      queue.removeFirst(count)
    }
  }
}
