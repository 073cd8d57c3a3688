// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// What ``PeerTable`` needs from the other parts.
@Loop
protocol PeerTableHost: AnyObject {
  /// What this machine says about itself in a session of the team.
  func hello(in team: TeamID) -> Hello
  /// The peers for whose next session something waits. They are not forgotten, and are tried again at short intervals.
  /// Asked at each event, so it takes no longer if there are many other peers.
  var awaitedPeers: Set<PeerID> { get }
  /// Asks what has told of an instance for its addresses. The answer is ``PeerTable/resolved(instance:_:)``.
  func resolve(_ instance: String)
  /// Asks a peer, through a server, to dial this machine.
  func askToDial(_ peer: PeerID)
  /// Meets a peer at a relay.
  func meet(_ peer: PeerID)
  func stopMeeting(_ peer: PeerID)
  func sessionBegan(on connection: PeerConnection, _ hello: Hello)
  /// Routes a message to the part that handles its kind. It may be ``PeerTable``.
  func received(_ message: Message, on connection: PeerConnection)
  /// A peer with a session has another name, which people can use.
  func renamed(_ peer: PeerID, _ name: String)
  func sessionEnded(with peer: PeerID, _ reason: Reason)
  /// A peer could not be reached.
  func connectFailed(_ peer: PeerID, _ reason: Reason)
  /// There is no longer an advert of the peer, nor a session with it.
  func peerForgotten(_ peer: PeerID)
  /// The state of some peer has changed.
  func peersChanged()
}
