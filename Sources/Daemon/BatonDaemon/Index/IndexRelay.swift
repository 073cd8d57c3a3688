// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import JSONCoding
import TLS
import Teams
import VarlinkServer

/// Passes messages about the search index between the agents of one user on several machines (SearchIndex.md), without
/// reading them.
///
/// To other machines, this machine has one index for each team. So if several users own a team, only the one with the
/// lowest uid takes part for it.
@Loop
final class IndexRelay {
  private let peers: PeerTable
  private let membership: Membership
  private var agents: [UserID: IndexAgent] = [:]
  /// Tries agents again that had not read everything.
  private var timer: Timer?

  init(_ peers: PeerTable, _ membership: Membership) {
    self.peers = peers
    self.membership = membership
    timer = Timer { [weak self] in self?.retry() }
  }

  /// Makes the caller its user's agent, and ends an earlier one.
  func register(_ exchange: Exchange<RegisterIndex>) {
    let agent = IndexAgent(exchange)
    agents.updateValue(agent, forKey: exchange.user)?.end(.superseded)
    exchange.onClosed = { [weak self, weak agent] in
      if let self, let agent, self.agents[agent.user] === agent { self.agents[agent.user] = nil }
    }
    tellTeams(to: agent)
    tellPeers()
  }

  /// Sends a message to the agent on another machine.
  ///
  /// - Parameter text: See `Membership.team(_:of:)`.
  /// - Throws: `teamNotFound`, `teamAmbiguous`, `storageFailed`; `notPermitted` if another user of this machine takes
  ///   part for the team; `peerUnreachable` without a session; `limitReached`.
  func send(_ message: JSON, to device: DeviceID, of text: String, by user: UserID) throws(Reason) {
    let team = try membership.team(text, of: user)
    guard team.owners.contains(user) else { throw .teamNotFound }
    guard membership.owner(of: team.id) == user else { throw .notPermitted }
    guard let connection = peers.connection(with: PeerID(team: team.id, device: device)) else {
      throw .peerUnreachable
    }
    guard connection.send(Index(message: message)) else { throw .limitReached }
  }

  func received(_ index: Index, from peer: PeerID) {
    guard let agent = membership.owner(of: peer.team).flatMap({ agents[$0] }) else { return }
    agent.deliver(index.message, from: peer)
    retryLater()
  }

  /// Called when the session of a device may have begun or ended, or its name may have changed.
  func peerChanged(_ peer: PeerID) {
    guard let agent = membership.owner(of: peer.team).flatMap({ agents[$0] }) else { return }
    agent.tell(peer, session(with: peer))
    retryLater()
  }

  private func session(with peer: PeerID) -> IndexAgent.Session? {
    peers.entries[peer].flatMap { entry in
      entry.connection.map { IndexAgent.Session(name: entry.name, connection: $0) }
    }
  }

  /// Called when the teams, their owners, or the removed devices may have changed.
  func teamsChanged() {
    for agent in agents.values { tellTeams(to: agent) }
    if !agents.isEmpty { tellPeers() }
  }

  private func tellTeams(to agent: IndexAgent) {
    let teams = membership.teams.filter { membership.owner(of: $0.id) == agent.user }.map { team in
      let removed = membership.revocations(of: team.id).devices
      return IndexTeam(
        id: team.id.description,
        name: team.name,
        deviceID: team.device,
        removed: removed.sorted()
      )
    }
    // A team that cannot be used does not give its name away.
    let unusable = membership.unusableTeams(of: agent.user).compactMap(\.name)
    agent.tell(.teams(teams.sorted { $0.id < $1.id }, beside: unusable.sorted()))
  }

  private func tellPeers() {
    var sessions: [UserID: [PeerID: IndexAgent.Session]] = [:]
    for peer in peers.entries.keys {
      guard let user = membership.owner(of: peer.team), agents[user] != nil else { continue }
      sessions[user, default: [:]][peer] = session(with: peer)
    }
    for (user, agent) in agents { agent.tell(sessions[user] ?? [:]) }
    retryLater()
  }

  private func retry() {
    for agent in agents.values { agent.flush() }
    retryLater()
  }

  private func retryLater() {
    guard timer?.deadline == nil, agents.values.contains(where: \.hasMore) else { return }
    timer?.set(Loop.now + Limits.watcherRetryTime)
  }
}
