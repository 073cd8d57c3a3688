// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS

/// What the servers where teams meet need from the other parts.
@Loop
protocol RendezvousHost: AnyObject {
  /// What this machine tells a team; nil if it tells it nothing.
  func advert(of team: TeamID) -> Advert?
  /// Where this machine listens: 4 or 16 bytes each.
  var ownAddresses: [[UInt8]] { get }
  /// Converts the time of a message to this machine's clock; nil if the message is too old.
  func localTime(of time: Int64, in team: TeamID, of device: DeviceID) -> Int64?
  /// A device of a team was heard. See ``AnnouncerHost/saw(_:of:as:discoveryKey:)``.
  func saw(_ advert: Advert, of team: TeamID, as instance: String, discoveryKey: [UInt8])
  func resolved(_ instance: String, _ addresses: [SocketAddress])
  func lost(_ instance: String)
  /// A device asks this one to dial it.
  func askedToDial(_ peer: PeerID)
  /// Whether the peer can be met at a relay has changed.
  func canMeet(_ peer: PeerID, _ canMeet: Bool)
  /// A device waits for this one at a relay.
  func meet(_ peer: PeerID, at meeting: RendezvousMessage.Meeting)
  func meetingFailed(_ peer: PeerID, _ reason: Reason)
  /// A relay has joined this machine, the host, with a peer. The other side begins.
  ///
  /// - Parameters:
  ///   - received: What has already arrived.
  ///   - ended: Called once: with the reason if the handshake fails, and without one when the connection is closed.
  func metAsHost(
    _ peer: PeerID,
    _ descriptor: Int32,
    at address: SocketAddress?,
    received: [UInt8],
    ended: @escaping @Loop (Reason?) -> Void
  )
  /// A relay has joined this machine, the guest, with a peer. This side begins.
  func metAsGuest(_ peer: PeerID, _ descriptor: Int32, at address: SocketAddress?, received: [UInt8])
  /// What people see of servers has changed.
  func serversChanged()
}
