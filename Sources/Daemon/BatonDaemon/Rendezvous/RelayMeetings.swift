// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Systemd
import TLS
import Teams

/// Meets peers at relays. The side that wants a session waits at the relay as the host, and tells the other one, the
/// guest, through a server.
@Loop
final class RelayMeetings {
  /// The meetings at relays that are under way.
  private static let relayMeetingShare = Share(ofAll: 128)

  private unowned let host: any RendezvousHost
  private let rendezvous: RendezvousTable
  private let settings: RendezvousSettings
  private let log: Log
  /// Those that this side began.
  private var own: [PeerID: RelayCall] = [:]
  /// Those to which peers have asked this machine.
  private var invited: [PeerID: RelayCall] = [:]
  /// Those of connections between the two machines, which end with them.
  private var standing: [ObjectIdentifier: RelayCall] = [:]
  /// Those among them whose connection has not become a session yet.
  private var unsettled: [PeerID: ObjectIdentifier] = [:]
  /// What became of the last attempt with each relay, for people.
  private(set) var failures: [ServerAddress: ServerFailure] = [:]

  init(host: any RendezvousHost, rendezvous: RendezvousTable, settings: RendezvousSettings, log: Log) {
    (self.host, self.rendezvous, self.settings, self.log) = (host, rendezvous, settings, log)
  }

  /// Waits for a peer at the team's relays, one after the other.
  func meet(_ peer: PeerID) {
    guard settings.usesRelays, let client = rendezvous.clients[peer.team], client.canMeet(peer.device) else {
      return failed(peer, .peerUnreachable)
    }
    guard hasRoom(for: client.owner, besides: Array(own.keys) + Array(unsettled.keys)) else {
      return failed(peer, .limitReached)
    }
    stop(peer)
    // One that does not work for the two does not delay them each time.
    next(client.relays.shuffled()[...], with: peer, for: client.owner)
  }

  private func hasRoom(for user: UserID, besides peers: [PeerID]) -> Bool {
    let own = peers.filter { rendezvous.clients[$0.team]?.owner == user }
    return Self.relayMeetingShare.allows(user, own: own.count, all: peers.count)
  }

  private func next(_ relays: ArraySlice<RelayAddress>, with peer: PeerID, for user: UserID) {
    guard let relay = relays.first else { return failed(peer, .peerUnreachable) }
    var isAwaited = false
    own[peer] = RelayCall(relay, for: user, guestOf: nil) { [weak self] event in
      guard let self else { return }
      switch event {
      case .waits(let id):
        isAwaited = true
        let meeting = RendezvousMessage.Meeting(relay: Self.hash(of: relay), id: id)
        if self.rendezvous.clients[peer.team]?.invite(peer.device, to: meeting) != true {
          self.own.removeValue(forKey: peer)?.cancel()
          self.failed(peer, .peerUnreachable)
        }
      case .joined(let descriptor, let address, let received):
        guard let call = self.own.removeValue(forKey: peer) else { return Sockets.close(descriptor) }
        self.failures[ServerAddress(relay)] = nil
        self.host.metAsHost(peer, descriptor, at: address, received: received, ended: self.stand(call, for: peer))
      case .failed(let failure):
        self.own[peer] = nil
        self.note(failure, of: relay)
        // A peer that was told and does not come to one relay comes to no other.
        isAwaited && failure == .relay(.timedOut)
          ? self.failed(peer, .peerTimedOut) : self.next(relays.dropFirst(), with: peer, for: user)
      }
    }
  }

  /// Goes to a relay where a peer waits. Only the team's own relays count.
  func come(_ peer: PeerID, _ meeting: RendezvousMessage.Meeting) {
    guard settings.usesRelays, let client = rendezvous.clients[peer.team],
      let relay = client.relays.first(where: { Self.hash(of: $0) == meeting.relay }),
      hasRoom(for: client.owner, besides: invited.keys.filter { $0 != peer })
    else { return }
    // The peer waits there no longer.
    invited.removeValue(forKey: peer)?.cancel()
    invited[peer] = RelayCall(relay, for: client.owner, guestOf: meeting.id) { [weak self] event in
      guard let self else { return }
      switch event {
      case .waits: break
      case .joined(let descriptor, let address, let received):
        self.invited.removeValue(forKey: peer)?.cancel()
        self.failures[ServerAddress(relay)] = nil
        self.host.metAsGuest(peer, descriptor, at: address, received: received)
      case .failed(let failure):
        self.invited[peer] = nil
        self.note(failure, of: relay)
      }
    }
  }

  /// Nobody waits for the result any more. A connection that stands is left alone.
  func stop(_ peer: PeerID) {
    own.removeValue(forKey: peer)?.cancel()
    unsettled[peer] = nil
  }

  func stop() {
    for call in Array(own.values) + Array(invited.values) { call.cancel() }
    (own, invited) = ([:], [:])
  }

  /// Keeps a call for the connection with a peer.
  ///
  /// - Returns: What ends it. If no session has begun by then, the meeting has failed.
  private func stand(_ call: RelayCall, for peer: PeerID) -> @Loop (Reason?) -> Void {
    let id = ObjectIdentifier(call)
    standing[id] = call
    unsettled[peer] = id
    return { [weak self] reason in
      guard let self else { return }
      self.standing.removeValue(forKey: id)?.cancel()
      guard self.unsettled[peer] == id else { return }
      self.unsettled[peer] = nil
      self.failed(peer, reason ?? .peerUnreachable)
    }
  }

  private func failed(_ peer: PeerID, _ reason: Reason) {
    // Later, because the one who asks is not ready for the answer.
    Task { @Loop [weak self] in self?.host.meetingFailed(peer, reason) }
  }

  private func note(_ failure: ServerFailure, of relay: RelayAddress) {
    let server = ServerAddress(relay)
    if failures[server] != failure {
      log.info("Couldn't use a relay", ["relay": "\(server)", "why": failure.description])
    }
    failures[server] = failure
    host.serversChanged()
  }

  /// How members name a relay of their team to each other.
  private static func hash(of relay: RelayAddress) -> [UInt8] {
    Array(SHA256.hash(Array(relay.text.utf8)).prefix(RendezvousMessage.Meeting.relayLength))
  }
}
