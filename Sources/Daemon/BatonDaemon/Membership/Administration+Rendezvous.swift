// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Systemd
import TLS
import Teams

/// What the machines of a team tell each other about where they meet (Protocol.md section 11).
extension Administration {
  /// Asks an administrator for what this machine needs.
  func askRendezvous(_ connection: PeerConnection) {
    guard connection.administration.isAdministrator, let team = try? membership.store.team(connection.peer.team) else {
      return
    }
    let user = team.rendezvous?.user
    // A new administrator also needs what makes it for others.
    let access = team.rendezvous
    let lacksAccount = team.isAdministrator && access?.servers.isEmpty == false && access?.account == nil
    connection.send(
      AskRendezvous(
        version: lacksAccount ? 0 : team.rendezvous?.version ?? 0,
        name: user.flatMap { NATSToken.name(in: $0.token) },
        expires: user?.expires ?? 0
      )
    )
  }

  /// Called when a team has another discovery key, or its devices meet elsewhere. Returns when this machine has what
  /// lets it in.
  func rendezvousChanged(_ team: TeamID) async {
    _ = await membership.renewOwnRendezvous(of: team)
    for connection in peers.connections where connection.peer.team == team {
      askRendezvous(connection)
      tellRendezvous(connection)
    }
  }

  /// Answers a device that may need something new.
  func answer(_ ask: AskRendezvous, on connection: PeerConnection) {
    guard let team = try? membership.store.team(connection.peer.team), let own = team.rendezvous else { return }
    let name = RendezvousKeys.name(of: connection.peer.device, discoveryKey: team.credentials.discoveryKey)
    let isFresh = own.servers.isEmpty || ask.name == name && ask.expires - Membership.now > Authority.renewalTime
    guard ask.version < own.version || ask.version == own.version && !isFresh else { return }
    tellRendezvous(connection)
  }

  /// Tells a device where the team meets, if this machine knows, and may say so.
  func tellRendezvous(_ connection: PeerConnection) {
    guard membership.canAdminister(connection.peer.team) else { return }
    let isAdministrator = connection.administration.isAdministrator
    do throws(Reason) {
      let access = try membership.store.rendezvous(
        for: connection.peer.device,
        isAdministrator: isAdministrator,
        in: connection.peer.team,
        now: Membership.now
      )
      if let access { connection.send(access) }
    } catch {
      // This machine cannot make it for others.
    }
  }

  /// Takes what an administrator says.
  func take(_ access: RendezvousAccess, from connection: PeerConnection) {
    // The sender may have become an administrator during the session.
    guard connection.administration.isAdministrator else { return }
    Loop.begin { [self] in await save(access, from: connection) }
  }

  private func save(_ access: RendezvousAccess, from connection: PeerConnection) async {
    do throws(Reason) {
      guard try await membership.take(access, from: connection.peer) else { return }
      log.notice(
        access.isEmpty ? "The team no longer uses servers" : "The team uses servers",
        ["team": connection.peer.team.description, "servers": access.servers.joined(separator: " ")]
      )
      membership.host.rendezvousChanged()
    } catch {
      log.warning(
        "Couldn't save the team's servers",
        ["team": connection.peer.team.description, "reason": error.rawValue]
      )
    }
  }
}
