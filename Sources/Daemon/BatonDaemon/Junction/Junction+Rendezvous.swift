// SPDX-License-Identifier: Apache-2.0

import Activity
import Discovery
import EventLoop
import Handoff
import TLS

extension Junction: RendezvousHost {
  func advert(of team: TeamID) -> Advert? { daemon.announcer.advert(of: team) }

  var ownAddresses: [[UInt8]] { SaidAddresses.ownBytes(daemon.settings.configuration.interfaces) }

  func localTime(of time: Int64, in team: TeamID, of device: DeviceID) -> Int64? {
    daemon.announcer.localTime(of: time, team, device)
  }

  func askedToDial(_ peer: PeerID) { daemon.peers.askedToDial(peer) }

  func canMeet(_ peer: PeerID, _ canMeet: Bool) { daemon.peers.handle(.canMeet(peer, canMeet)) }

  func meet(_ peer: PeerID, at meeting: RendezvousMessage.Meeting) { daemon.meetings.come(peer, meeting) }

  func meetingFailed(_ peer: PeerID, _ reason: Reason) { daemon.peers.meetingFailed(peer, reason) }

  func metAsHost(
    _ peer: PeerID,
    _ descriptor: Int32,
    at address: SocketAddress?,
    received: [UInt8],
    ended: @escaping @Loop (Reason?) -> Void
  ) {
    daemon.listener.take(relayed: descriptor, of: peer, at: address, received: received, ended: ended)
  }

  func metAsGuest(_ peer: PeerID, _ descriptor: Int32, at address: SocketAddress?, received: [UInt8]) {
    daemon.peers.met(peer, descriptor, at: address, received: received)
  }

  func serversChanged() { daemon.control.peersChanged() }
}
