import Activity
import Continuation
import EventLoop
import Teams

/// Requests about teams that involve other machines.
extension Daemon {
  func joinAdministration() {
    peers.onMet = { [unowned self] connection, name in
      if let certificate = connection.certificate {
        membership.met(connection.peer, name: name, certificate: certificate)
      }
      administration.began(connection)
    }
    let ended = peers.onEnd
    peers.onEnd = { [unowned self] peer, reason in
      ended?(peer, reason)
      administration.ended(peer)
    }
    peers.onAdministration = { [unowned self] in administration.receive($1, from: $0) }
    membership.onReplaced = { [unowned self] old, team in
      peers.rename(old, to: team)
      // Later, when every part knows the new team.
      Task { @Loop [weak self] in self?.peers.start() }
    }
    // Teams replaced earlier may still have entries under their old IDs, because a daemon ended or the disk was full.
    for team in membership.teams {
      for old in team.replaces where membership.credentials(in: old) == nil { peers.rename(old, to: team.id) }
    }
    membership.onUnlocked = { [unowned self] in administration.unlocked() }
    membership.onDevicesChanged = { [unowned self] in administration.devicesChanged($0) }
    administration.deviceName = { [unowned self] in deviceName }
  }

  func join(
    _ code: InvitationCode,
    address: (host: String, port: UInt16)?,
    owner: UserID,
    replacing: Team?,
    completion: @escaping @Loop (Result<Team, Reason>) -> Void
  ) {
    joinings.begin(
      code,
      address: address,
      deviceName: deviceName,
      owner: owner,
      replacing: replacing,
      completion: completion
    )
  }

  func promote(_ peer: PeerID, completion: @escaping @Loop (Result<Void, Reason>) -> Void) {
    administration.promote(peer, completion: completion)
  }

  func waitingForCertificates(in team: TeamID) -> Int { administration.waiting(in: team) }
}
