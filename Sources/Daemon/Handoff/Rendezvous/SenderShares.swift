// SPDX-License-Identifier: Apache-2.0

import Activity

/// How much attention each sender at a server gets, before a message is opened. So a member, or a server, that says too
/// much does not keep others from being heard.
package struct SenderShares: Sendable {
  /// The rate at which messages are opened: of one sender, and of all. When a device arrives, each of the others sends
  /// one.
  static let rendezvousSenderRate = TokenBucket.Rate(perSecond: 5, burst: 20)
  static let rendezvousOpeningRate = TokenBucket.Rate(perSecond: 500, burst: 4096)
  /// The maximum number of senders with a share of their own: two names of each device, around a change of keys.
  static let rendezvousSenders = 2 * Limits.rendezvousDevices

  package typealias Instant = ContinuousClock.Instant

  private var senders: [String: TokenBucket] = [:]
  /// What senders share for whom there is no room.
  private var others: TokenBucket
  private var all: TokenBucket

  package init(at now: Instant) {
    others = TokenBucket(Self.rendezvousSenderRate, at: now)
    all = TokenBucket(Self.rendezvousOpeningRate, at: now)
  }

  /// Whether a message is to be opened.
  ///
  /// - Parameter sender: What the server calls it, which may be made up.
  package mutating func take(from sender: String, at now: Instant) -> Bool {
    makeRoom(for: sender, at: now)
    guard senders[sender] != nil || senders.count < Self.rendezvousSenders else {
      return others.take(at: now) && all.take(at: now)
    }
    var share = senders[sender] ?? TokenBucket(Self.rendezvousSenderRate, at: now)
    defer { senders[sender] = share }
    return share.take(at: now) && all.take(at: now)
  }

  /// Forgets those that have their whole share again.
  private mutating func makeRoom(for sender: String, at now: Instant) {
    guard senders[sender] == nil, senders.count >= Self.rendezvousSenders else { return }
    senders = senders.filter { !$0.value.isFull(at: now) }
  }
}
