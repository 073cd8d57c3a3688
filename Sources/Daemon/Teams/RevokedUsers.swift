// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import TLS

/// The users of removed devices, which the servers where a team meets no longer let in.
struct RevokedUsers {
  /// The number of later removals after which a removed device is no longer named. Every token from before its removal
  /// counts no more then. Machines know ``Limits.previousDiscoveryKeys``, some of which may belong to no removal.
  static let namedRemovals = 12

  /// Their public keys, and until when they were made that no longer count: seconds since 1970.
  private(set) var users: [(key: [UInt8], until: Int64)] = []
  /// Until when the tokens of any user were made that no longer count. Nil if that is no reason.
  let all: Int64?

  /// A device has another user under each of the team's keys. The most likely ones come first.
  ///
  /// - Parameters:
  ///   - entries: The devices that were removed.
  ///   - discoveryKeys: Those that are known, with the newest first.
  ///   - seed: The account's.
  ///   - now: Seconds since 1970.
  init(_ entries: [RevocationList.Entry], discoveryKeys: [[UInt8]], account seed: [UInt8], now: Int64) throws(TLSError)
  {
    let dates = Set(entries.map(\.date)).sorted(by: >)
    // Only an administrator who has not heard of the removal makes tokens later. They end, too.
    let recent = entries.filter { $0.date + 2 * Authority.deviceValidity >= now }
    var named: [(entry: RevocationList.Entry, keys: [[UInt8]])] = []
    var all: Int64?
    for entry in recent {
      let later = dates.firstIndex(of: entry.date) ?? 0
      if later >= Self.namedRemovals { all = max(all ?? entry.date, entry.date) }
      // Each removal made a key, so the device had at most the one before.
      let keys = discoveryKeys.indices.sorted { abs($0 - later - 1) < abs($1 - later - 1) }.map { discoveryKeys[$0] }
      named.append((entry, keys))
    }
    self.all = all
    for rank in discoveryKeys.indices {
      for (entry, keys) in named where users.count < Limits.revokedUsers {
        let user = RendezvousKeys.userSeed(of: entry.device, discoveryKey: keys[rank], account: seed)
        users.append((try PrivateKey(seed: user).rawPublicKey, entry.date + Authority.deviceValidity))
      }
    }
  }

  var revocations: NATSRevocations {
    var revocations = NATSRevocations()
    for user in users { revocations.revoke(user.key, until: user.until) }
    if let all { revocations.revokeAll(until: all) }
    return revocations
  }
}
