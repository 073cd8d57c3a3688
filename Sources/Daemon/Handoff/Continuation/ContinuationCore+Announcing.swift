// SPDX-License-Identifier: Apache-2.0

import Activity

/// What peers are told about this machine's activities (Protocol.md sections 2, 5).
extension ContinuationCore {
  /// Returns why the user's current activity is not offered at the moment. Nil if nothing prevents it.
  package func withholding(from user: UserID) -> Reason? { local.withholding(from: user) }

  /// The one current activity of `user`.
  package func currentActivity(of user: UserID) -> ActivityRecord? { local.current(of: user) }

  /// Tells the peers and the adverts what has changed since they were last told.
  mutating func announceChanges() {
    for team in teams.all {
      guard let change = announcements.change(team, to: local.offered(to: team, teams)) else { continue }
      let listeners = peers.connected(in: team)
      for message in change.messages {
        for peer in listeners { effects.append(.send(message, to: peer)) }
      }
      effects.append(.announce(team, current: change.shown, counter: change.counter))
    }
    for peer in local.recipients.union(announcements.recipients) where peers.isConnected(peer) {
      let messages = announcements.change(peer, to: local.sent(to: peer, teams))
      for message in messages { effects.append(.send(message, to: peer)) }
    }
  }
}
