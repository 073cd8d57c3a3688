// SPDX-License-Identifier: Apache-2.0

import Activity
import Discovery
import EventLoop
import Handoff
import TLS

extension Junction: AnnouncerHost {
  func clockOffsets(in team: TeamID, of device: DeviceID?) -> [Int64] {
    let clocks = daemon.peers.clocks
    return device.map { clocks.candidates(of: PeerID(team: team, device: $0)) } ?? clocks.candidates(in: team)
  }

  func isInviting(to team: TeamID) -> Bool { daemon.membership.isInviting(to: team) }

  func found(_ instance: String) { if daemon.joinings.wants(instance) { daemon.announcer.resolve(instance) } }

  func saw(_ advert: Advert, of team: TeamID, as instance: String, discoveryKey: [UInt8]) {
    let peer = PeerID(team: team, device: advert.device)
    guard !daemon.membership.isRevoked(peer) else { return }
    // Removed devices know the old keys. An advert that is sealed with one is only a reason to dial.
    if daemon.membership.credentials(in: team)?.discoveryKey == discoveryKey {
      // Any member can make an advert in the name of any other, so it gives nobody a name.
      var named = advert
      named.deviceName = daemon.peers.names.label(of: peer, saying: advert.deviceName)
      daemon.shell.handle(.advertSeen(named, team: team))
    }
    daemon.peers.saw(instance, of: peer, name: advert.deviceName, discoveryKey: discoveryKey)
  }

  func sawUnreadable(_ instance: String, of team: TeamID) {
    if daemon.visits.found(instance, of: team) { daemon.announcer.rank(instance, .ours) }
  }

  func announced(_ team: TeamID) { daemon.rendezvous.changed(team) }

  func resolved(_ instance: String, _ addresses: [SocketAddress]) {
    daemon.peers.resolved(instance: instance, addresses)
    if !addresses.isEmpty { daemon.joinings.add(addresses, of: instance) }
    daemon.control.resolved(instance, addresses)
  }

  func foundElsewhere(_ instance: String, _ addresses: [SocketAddress]) {
    daemon.peers.foundElsewhere(instance, addresses)
    daemon.joinings.foundElsewhere(addresses, of: instance)
  }

  func lost(_ instance: String) { daemon.peers.lost(instance) }

  func networkChanged() {
    // Networks can name machines.
    hostNameChanged()
    daemon.peers.networkChanged()
    daemon.rendezvous.networkChanged()
    daemon.tailscale?.ask()
  }

  func discoveryStateChanged() { daemon.report.changed() }
}
