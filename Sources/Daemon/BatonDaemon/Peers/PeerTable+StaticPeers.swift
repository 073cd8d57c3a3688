// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS
import Teams

/// The addresses that users gave.
extension PeerTable {
  /// - Parameter teams: The teams of the user.
  /// - Throws: `limitReached`, `storageFailed`.
  func add(_ peer: StaticPeer, for user: UserID, in teams: Set<TeamID>) async throws(Reason) {
    try await staticPeers.add(peer, for: user, in: teams)
    handle(.named(named))
  }

  /// - Throws: `peerNotFound` if none of them exists; `storageFailed`.
  func remove(_ peers: Set<StaticPeer>, for user: UserID) async throws(Reason) {
    try await staticPeers.remove(peers, for: user)
    handle(.named(named))
  }

  /// The static peers, and what is known about each.
  var namedPeers: [(peer: StaticPeer, state: Machine.Named)] {
    machine.named.filter { staticPeers.all.contains($0.key) }.map { ($0.key, $0.value) }
  }

  /// Machines of some team may be at these addresses, which no user gave. They are dialled like those that users gave,
  /// replace the previous ones, and are not kept.
  func found(_ addresses: [SocketAddress]) {
    guard addresses != foundAddresses else { return }
    foundAddresses = addresses
    handle(.named(named))
  }

  /// All addresses that are dialled without knowing the peer. If there are too many, each team has the first ones.
  var named: Set<StaticPeer> {
    let teams = membership.teams.map(\.id)
    let found = foundAddresses.lazy.flatMap { address in
      teams.lazy.map { StaticPeer(team: $0, address: address.description) }
    }
    return staticPeers.all.union(found.prefix(Limits.foundPeers))
  }

  /// Looks up the host and dials it. The certificate shows which device it is.
  func dial(_ named: StaticPeer) {
    let dial = StaticDial()
    staticDials[named]?.cancel()
    staticDials[named] = dial
    guard let (host, port) = try? AddressParser.split(named.address, defaultPort: Configuration.defaultPort) else {
      return ended(named, .addressInvalid)
    }
    let user = membership.owner(of: named.team) ?? 0
    AddressParser.resolve(host: host, port: port, for: user, isAwaited: false) { [weak self, weak dial] addresses in
      guard let self, let dial, self.staticDials[named] === dial else { return }
      dial.dialer = PeerDialer(
        addresses,
        onFailed: { [weak self] address, reason, _ in self?.noteVersion(address, reason) },
        makeEngine: { [weak self] isReturning in
          guard let self, let context = self.membership.clientContext(named.team, discoveryKey: nil) else { return nil }
          let offset = self.clocks.best(in: named.team, isSecondTry: isReturning)
          return try? TLSEngine(context, isReturning: isReturning, clockOffset: offset)
        },
        completion: { [weak self] result in
          switch result {
          case .success(let connection):
            guard let self else { return connection.finish() }
            self.reached(named, connection)
          case .failure(let reason): self?.ended(named, reason)
          }
        }
      )
    }
  }

  private func ended(_ named: StaticPeer, _ reason: Reason) {
    staticDials[named] = nil
    handle(.failedNamed(named, reason))
  }

  private func reached(_ named: StaticPeer, _ connection: TLSConnection) {
    staticDials[named] = nil
    guard let device = connection.tls.peer, let own = membership.device(in: named.team), device != own else {
      connection.finish()
      return handle(.reachedNamed(named, nil))
    }
    let peer = PeerID(team: named.team, device: device)
    handle(.reachedNamed(named, peer))
    takeUnlessThere(connection, peer)
  }

  /// Turns a connection that was dialled without knowing the device into the session with it, if there is none.
  private func takeUnlessThere(_ connection: TLSConnection, _ peer: PeerID) {
    let entry = entries[peer]
    guard entry?.connection == nil, entry?.opening.contains(where: \.isDialler) != true else {
      return connection.finish()
    }
    take(connection, peer, isDialler: true)
  }
}

extension PeerTable {
  /// Creates an engine to dial instances of a team whose adverts this machine cannot read.
  func makeEngine(toVisit team: TeamID, isSecondTry: Bool) -> TLSEngine? {
    membership.clientContext(team, discoveryKey: nil).flatMap {
      try? TLSEngine($0, isReturning: true, clockOffset: clocks.best(in: team, isSecondTry: isSecondTry))
    }
  }

  /// Takes over the connection with a device that was dialled in this way.
  func visited(_ team: TeamID, _ connection: TLSConnection) {
    guard let device = connection.tls.peer, membership.device(in: team) != device else { return connection.finish() }
    takeUnlessThere(connection, PeerID(team: team, device: device))
  }
}

/// An attempt at an address that a user gave. Its host is looked up, then it is dialled.
@Loop
final class StaticDial {
  var dialer: PeerDialer?

  func cancel() {
    dialer?.cancel()
    dialer = nil
  }
}
