// SPDX-License-Identifier: Apache-2.0

import Activity

/// The teams that this machine is in, and what follows from them.
extension ContinuationCore {
  /// Whether `user` may use the team: its owners and root may.
  package func mayUse(_ team: TeamID, _ user: UserID) -> Bool { teams.mayUse(team, user) }

  mutating func changeTeams(_ owners: [TeamID: Set<UserID>], _ time: Time) {
    let changed = teams.change(to: owners)
    fail(fetches.end { [teams] id, fetch in !teams.mayUse(id.peer.team, fetch.user) }, .teamNotFound)
    for (id, peer) in peers.keep(only: teams) {
      releaseReservations(of: id, time)
      endStreams(with: id)
      if !peer.offers.isEmpty { effects.append(.offersChanged) }
    }
    for stream in waitingStreams.keep(only: teams) { refuse(stream, .activityNotFound) }
    if peers.hasOffers(in: changed) { effects.append(.offersChanged) }
    let resigning = local.handle(.withdrawn(.teamNotFound), at: time) { [teams] activity in
      activity.team.map { !teams.mayUse($0, activity.user) } ?? false
    }
    perform(resigning)
    announcements.keep(only: teams)
  }
}
