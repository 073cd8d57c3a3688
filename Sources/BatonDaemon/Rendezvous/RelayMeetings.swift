import Activity
import Continuation
import EventLoop
import PeerProtocol
import Rendezvous
import Systemd
import TLS
import Teams

/// Meets peers at relays. The side that wants a session waits at the relay as the host, and tells the other one, the
/// guest, through a server.
@Loop
final class RelayMeetings {
  private unowned let host: any RendezvousHost
  private let rendezvous: RendezvousTable
  private let settings: RendezvousSettings
  private let log: Log
  /// Those that this side began.
  private var own: [PeerID: RelayCall] = [:]
  /// Those to which peers have asked this machine.
  private var invited: [PeerID: RelayCall] = [:]
  /// Those of sessions, which end with them.
  private var standing: [ObjectIdentifier: RelayCall] = [:]
  /// What became of the last attempt with each relay, for people.
  private(set) var failures: [ServerAddress: ServerFailure] = [:]

  init(host: any RendezvousHost, rendezvous: RendezvousTable, settings: RendezvousSettings, log: Log) {
    (self.host, self.rendezvous, self.settings, self.log) = (host, rendezvous, settings, log)
  }

  /// Waits for a peer at the team's relays, one after the other.
  func meet(_ peer: PeerID) {
    guard settings.usesRelays, own.count < Limits.relayMeetings, let client = rendezvous.clients[peer.team],
      client.canMeet(peer.device)
    else { return failed(peer, .peerUnreachable) }
    own[peer]?.cancel()
    next(client.relays[...], with: peer, for: client.owner)
  }

  private func next(_ relays: ArraySlice<RelayAddress>, with peer: PeerID, for user: UserID) {
    guard let relay = relays.first else { return failed(peer, .peerUnreachable) }
    own[peer] = RelayCall(relay, for: user, guestOf: nil) { [weak self] event in
      guard let self else { return }
      switch event {
      case .waits(let id):
        let meeting = RendezvousMessage.Meeting(relay: Self.hash(of: relay), id: id)
        if self.rendezvous.clients[peer.team]?.invite(peer.device, to: meeting) != true {
          self.own.removeValue(forKey: peer)?.cancel()
          self.failed(peer, .peerUnreachable)
        }
      case .joined(let descriptor, let address, let received):
        guard let call = self.own.removeValue(forKey: peer) else { return Sockets.close(descriptor) }
        self.failures[ServerAddress(relay)] = nil
        self.host.metAsHost(peer, descriptor, at: address, received: received, whenClosed: self.stand(call))
      case .failed(let failure):
        self.own[peer] = nil
        self.note(failure, of: relay)
        // A peer that does not come to one relay comes to no other.
        failure == .relay(.timedOut)
          ? self.failed(peer, .peerTimedOut) : self.next(relays.dropFirst(), with: peer, for: user)
      }
    }
  }

  /// Goes to a relay where a peer waits. Only the team's own relays count.
  func come(_ peer: PeerID, _ meeting: RendezvousMessage.Meeting) {
    guard settings.usesRelays, invited[peer] == nil, invited.count < Limits.relayMeetings,
      let client = rendezvous.clients[peer.team],
      let relay = client.relays.first(where: { Self.hash(of: $0) == meeting.relay })
    else { return }
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

  func stop(_ peer: PeerID) { own.removeValue(forKey: peer)?.cancel() }

  func stop() {
    for call in Array(own.values) + Array(invited.values) { call.cancel() }
    (own, invited) = ([:], [:])
  }

  /// Keeps a call for a session.
  ///
  /// - Returns: What ends it.
  private func stand(_ call: RelayCall) -> @Loop () -> Void {
    let id = ObjectIdentifier(call)
    standing[id] = call
    return { [weak self] in self?.standing.removeValue(forKey: id)?.cancel() }
  }

  private func failed(_ peer: PeerID, _ reason: Reason) {
    // Later, because the one who asks is not ready for the answer.
    Task { @Loop [weak self] in self?.host.meetingFailed(peer, reason) }
  }

  private func note(_ failure: ServerFailure, of relay: RelayAddress) {
    let server = ServerAddress(relay)
    if failures[server] != failure {
      log.info("A relay has not helped", ["relay": "\(server)", "why": failure.description])
    }
    failures[server] = failure
    host.serversChanged()
  }

  /// How members name a relay of their team to each other.
  private static func hash(of relay: RelayAddress) -> [UInt8] {
    Array(SHA256.hash(Array(relay.text.utf8)).prefix(RendezvousMessage.Meeting.relayLength))
  }
}
