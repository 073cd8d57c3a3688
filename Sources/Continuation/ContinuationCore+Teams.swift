import Activity
import PeerProtocol

/// The teams that this machine is in, and what follows from them.
extension ContinuationCore {
  /// Whether `user` may use the team: its owners and root may.
  package func mayUse(_ team: TeamID, _ user: UserID) -> Bool {
    membership[team].map { user == 0 || $0.contains(user) } ?? false
  }

  mutating func changeTeams(_ teams: [TeamID: Set<UserID>], _ time: Time) {
    let earlier = membership
    membership = teams
    for (id, fetch) in fetching where !mayUse(id.peer.team, fetch.user) {
      fetching[id] = nil
      if let client = fetch.client { effects.append(.fail(client, .teamNotFound)) }
    }
    for peer in peers.keys where teams[peer.team] == nil {
      releaseReservations(of: peer, time)
      endStreams(with: peer)
      forget(peer)
    }
    refuseStreamsOfFormerUsers()
    for peer in forgotten.keys where teams[peer.team] == nil { forgotten[peer] = nil }
    if peers.contains(where: { !$0.value.offers.isEmpty && earlier[$0.key.team] != teams[$0.key.team] }) {
      effects.append(.offersChanged)
    }
    for (id, activity) in local {
      guard let team = activity.team, !mayUse(team, activity.user) else { continue }
      handle(.withdrawn(.teamNotFound), id, time)
    }
    for team in announced.keys where teams[team] == nil { announced[team] = nil }
  }
}
