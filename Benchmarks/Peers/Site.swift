// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import TLS
import Teams

/// All simulated machines, in one team with the daemon.
@Loop
final class Site {
  /// The machines are at so many addresses of this host, as those of a building with some networks would be. From each,
  /// so many connect at a time.
  private static let addresses = 16
  private static let dialsPerAddress = 2
  /// The pause after a connection that the daemon refused.
  private static let pause = Duration.milliseconds(500)

  private let authority: Authority
  private let credentials: Credentials
  private let address: SocketAddress
  private var peers: [SimulatedPeer] = []
  private var sources: [SocketAddress] = []
  /// The machines to dial from each address, the first one at the end, and how many are being dialled.
  private var waiting: [[SimulatedPeer]] = Array(repeating: [], count: addresses)
  private var dialling = Array(repeating: 0, count: addresses)
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var readyCount = 0
  private(set) var lostCount = 0
  private(set) var refusedCount = 0
  private var timer: Timer?
  /// The title of the newest offer of the daemon, and how many machines were told.
  private var told = (title: "", count: 0)
  private var onTold: (count: Int, title: String, body: @Loop () -> Void)?
  private var onReady: (count: Int, body: @Loop () -> Void)?

  /// - Parameters:
  ///   - directory: A copy of the state directory of a machine that has the team's key.
  ///   - port: Where the daemon listens on 127.0.0.1.
  init(directory: String, port: UInt16) throws {
    let store = try TeamStore.open(directory: directory, now: Int64(Loop.clock.date))
    guard let team = store.teams.first(where: \.isAdministrator),
      let address = SocketAddress(numericHost: "127.0.0.1", port: port)
    else { throw Reason.notAdministrator }
    credentials = team.credentials
    // What another administrator's machine would get.
    let promotion = try store.promote(credentials.certificate, in: team.id, now: Int64(Loop.clock.date))
    authority = try Authority(key: PrivateKey(pem: promotion.authorityKey), certificate: credentials.authority)
    self.address = address
    sources = (0..<Self.addresses).compactMap { SocketAddress(numericHost: "127.0.1.\($0 + 1)", port: 0) }
    timer = Timer { [weak self] in self?.dial() }
  }

  /// Gives so many machines a session.
  func grow(to count: Int, completion: @escaping @Loop () -> Void) throws {
    onReady = (count, completion)
    while peers.count < count {
      let number = peers.count
      let peer = try makePeer(number)
      peers.append(peer)
      numbers[ObjectIdentifier(peer)] = number
      waiting[number % Self.addresses].insert(peer, at: 0)
    }
    dial()
  }

  private func makePeer(_ number: Int) throws -> SimulatedPeer {
    let key = try PrivateKey.make()
    let certificate = try authority.sign(CertificateRequest.make(for: key), now: Int64(Loop.clock.date))
    let credentials = try Credentials(
      key: key,
      certificate: certificate,
      authority: self.credentials.authority,
      discoveryKey: self.credentials.discoveryKey
    )
    return SimulatedPeer(
      name: "simulated-\(number)",
      try TLSContext.client(credentials: credentials),
      from: sources[number % Self.addresses],
      to: address,
      onChange: { [weak self] in self?.changed($0, isReady: $1, wasReady: $2) },
      onOffer: { [weak self] in self?.heard($0) }
    )
  }

  private func dial() {
    for source in 0..<Self.addresses {
      while dialling[source] < Self.dialsPerAddress, let peer = waiting[source].popLast() {
        dialling[source] += 1
        peer.dial()
      }
    }
  }

  private func changed(_ peer: SimulatedPeer, isReady: Bool, wasReady: Bool) {
    let source = (numbers[ObjectIdentifier(peer)] ?? 0) % Self.addresses
    if !wasReady { dialling[source] -= 1 }
    readyCount += (isReady ? 1 : 0) - (wasReady ? 1 : 0)
    if isReady {
      dial()
    } else {
      if wasReady { lostCount += 1 } else { refusedCount += 1 }
      waiting[source].insert(peer, at: 0)
      if timer?.deadline == nil { timer?.set(Loop.now + Self.pause) }
    }
    if let (count, body) = onReady, readyCount >= count {
      onReady = nil
      body()
    }
  }

  /// Waits until so many machines were offered an activity with this title.
  func awaitOffer(_ title: String, by count: Int, completion: @escaping @Loop () -> Void) {
    onTold = (count, title, completion)
    checkTold()
  }

  private func heard(_ title: String) {
    if told.title != title { told = (title, 0) }
    told.count += 1
    checkTold()
  }

  private func checkTold() {
    guard let (count, title, body) = onTold, told.title == title, told.count >= count else { return }
    onTold = nil
    body()
  }

  /// Lets the first machines offer an activity each, and the others none.
  func offer(_ count: Int, title: String) throws {
    for peer in peers.prefix(count) { try peer.offer(title: title) }
    for peer in peers.dropFirst(count) { peer.withdraw() }
  }

  /// Changes offers of the first machines in turn. The number of the change is in the title.
  func change(_ count: Int, by machines: Int, title: String) throws {
    for number in 0..<count {
      try peers[number % max(1, min(machines, peers.count))].change(title: "\(title)-\(number)")
    }
  }

  var readyPeers: Int { readyCount }
  var streamCount: Int { peers.reduce(0) { $0 + $1.streamCount } }
}
