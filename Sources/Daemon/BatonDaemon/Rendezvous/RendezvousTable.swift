// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Systemd
import TLS
import Teams

/// The servers where this machine's teams meet.
@Loop
final class RendezvousTable {
  private unowned let host: any RendezvousHost
  private let membership: Membership
  private let settings: RendezvousSettings
  private let counters: Tally
  private let log: Log
  private(set) var clients: [TeamID: RendezvousClient] = [:]
  /// What clients that have ended had heard, so that no recording brings back who has left.
  private var presences: [TeamID: RendezvousPresence] = [:]
  private var isAsleep = false
  private var isStopped = true

  /// Whether no team uses servers now.
  var isOff: Bool { isStopped || isAsleep || !settings.usesServers }

  init(
    host: any RendezvousHost,
    membership: Membership,
    settings: RendezvousSettings,
    counters: Tally,
    log: Log
  ) {
    (self.host, self.membership, self.settings) = (host, membership, settings)
    (self.counters, self.log) = (counters, log)
  }

  func start() {
    isStopped = false
    update()
  }

  func stop() {
    isStopped = true
    update()
  }

  /// The machine falls asleep, or has woken.
  func setAsleep(_ isAsleep: Bool) {
    self.isAsleep = isAsleep
    update()
  }

  /// Called when teams, or where they meet, have changed.
  func update() {
    var wanted: [TeamID: (credentials: Credentials, access: RendezvousAccess)] = [:]
    for team in isOff ? [] : membership.teams {
      guard let access = team.rendezvous, !access.servers.isEmpty, access.user != nil else { continue }
      wanted[team.id] = (team.credentials, access)
    }
    for (team, client) in clients {
      let isSame = wanted[team].map { $0.access == client.access && client.isFor($0.credentials) } ?? false
      guard !isSame else { continue }
      client.stop()
      clients[team] = nil
      presences[team] = client.presence
    }
    let devices = Dictionary(membership.teams.map { ($0.id, $0.device) }, uniquingKeysWith: { $1 })
    presences = presences.filter { devices[$0.key] == $0.value.own }
    for (team, (credentials, access)) in wanted where clients[team] == nil {
      let client = RendezvousClient(
        credentials,
        access,
        owner: membership.owner(of: team) ?? 0,
        settings: settings,
        host: host,
        counters: counters,
        log: log,
        presence: presences.removeValue(forKey: team),
        account: { [membership] in try? membership.store.rendezvousAccount(of: team, now: Membership.now) }
      )
      clients[team] = client
      client?.start()
    }
    host.serversChanged()
  }

  /// What this machine tells a team has changed.
  func changed(_ team: TeamID) { clients[team]?.changed() }

  /// Whether relays are used has changed.
  func relaysChanged() { for client in clients.values { client.relaysChanged() } }

  func networkChanged() { for client in clients.values { client.networkChanged() } }

  /// The addresses of an instance that a server has told of; nil if it is none of them.
  func addresses(of instance: String) -> [SocketAddress]? {
    guard instance.starts(withBytesOf: "rendezvous ") else { return nil }
    for client in clients.values {
      if let heard = client.heard.values.first(where: { $0.instance == instance }) { return heard.addresses }
    }
    return settings.outdated.addresses(of: instance) ?? []
  }

  func askToDial(_ peer: PeerID) { clients[peer.team]?.askToDial(peer.device) }

  /// Whether a peer is at an address only because a server has told so.
  func told(_ address: SocketAddress, of peer: PeerID) -> Bool {
    clients[peer.team]?.heard[peer.device]?.addresses.contains(address) ?? false
  }
}
