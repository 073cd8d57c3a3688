import Activity
import PeerProtocol

/// The teams that this machine is in, and what follows from them.
extension ContinuationCore {
  /// Whether `user` may use the team: its owners and root may.
  package func mayUse(_ team: TeamID, _ user: UserID) -> Bool { membership.mayUse(team, user) }

  mutating func changeTeams(_ teams: [TeamID: Set<UserID>], _ time: Time) {
    let changed = membership.change(to: teams)
    fail(fetches.end { [membership] id, fetch in !membership.mayUse(id.peer.team, fetch.user) }, .teamNotFound)
    for (id, peer) in peers.keep(only: membership) {
      releaseReservations(of: id, time)
      endStreams(with: id)
      if !peer.offers.isEmpty { effects.append(.offersChanged) }
    }
    for stream in waitingStreams.keep(only: membership) { refuse(stream, .activityNotFound) }
    if peers.hasOffers(in: changed) { effects.append(.offersChanged) }
    let resigning = local.handle(.withdrawn(.teamNotFound), at: time) { [membership] activity in
      activity.team.map { !membership.mayUse($0, activity.user) } ?? false
    }
    perform(resigning)
    announcements.keep(only: membership)
  }
}
