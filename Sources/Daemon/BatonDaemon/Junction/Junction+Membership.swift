// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Systemd
import Teams

extension Junction: MembershipHost {
  func teamsChanged() {
    let teams = daemon.membership.teams
    do {
      daemon.listener.context = try daemon.membership.serverContext()
    } catch {
      daemon.log.error("Can't accept connections from peers", ["error": "\(error)"])
    }
    daemon.announcer.setTeams(teams.map(\.credentials))
    daemon.shell.handle(.teamsChanged(Dictionary(uniqueKeysWithValues: teams.map { ($0.id, Set($0.owners)) })))
    // Agents hear of the teams before they hear that sessions end.
    daemon.index.teamsChanged()
    daemon.peers.keep(Set(teams.map(\.id)))
    daemon.peers.revocationsChanged()
    daemon.shell.endRemovedRecipients { daemon.membership.isRevoked($0) }
    daemon.announcer.readAgain()
    daemon.rendezvous.update()
  }

  func invited(to team: TeamID) { daemon.announcer.invited(to: team) }

  func teamForgotten(_ team: TeamID, isLeft: Bool) { daemon.peers.forget(team, isLeft: isLeft) }

  func teamReplaced(_ old: TeamID, by team: TeamID) {
    daemon.peers.rename(old, to: team)
    // Later, when every part knows the new team.
    Task { @Loop [weak daemon = daemon] in daemon?.peers.start() }
  }

  func keysUnlocked() { daemon.administration.unlocked() }

  func devicesRemoved() {
    daemon.peers.revocationsChanged()
    daemon.shell.endRemovedRecipients { daemon.membership.isRevoked($0) }
  }

  func devicesChanged(in team: TeamID) { daemon.administration.devicesChanged(team) }

  func rendezvousChanged(of team: TeamID) {
    daemon.rendezvous.update()
    Loop.begin { [weak daemon = daemon] in
      await daemon?.administration.rendezvousChanged(team)
      guard let daemon, !daemon.isStopping else { return }
      daemon.rendezvous.update()
      daemon.rendezvous.clients[team]?.publishAccount()
    }
  }

  func rendezvousChanged() { daemon.rendezvous.update() }
}
