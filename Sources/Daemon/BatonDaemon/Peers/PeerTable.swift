// SPDX-License-Identifier: Apache-2.0

import Activity
import Discovery
import EventLoop
import Handoff
import Systemd
import TLS

/// Every other device that is known, and the one session with it (Protocol.md section 5). Carries out what
/// `ReachabilityCore` decides, and reports events to it.
@Loop
final class PeerTable {
  typealias Machine = ReachabilityCore<SocketAddress>

  unowned let host: any PeerTableHost
  let membership: Membership
  let announcer: Announcer
  let visits: ReturnVisits
  let streams: StreamTable
  /// What is known without discovery.
  let remembered: RememberedAddresses
  let staticPeers: StaticPeerList
  let names: RememberedNames
  let refusals: RefusalLog
  let log: Log

  var entries: [PeerID: PeerEntry] = [:]
  var clocks = ClockOffsets()
  private(set) var machine = Machine()
  private var timer: Timer?
  private let runner = MachineRunner<Machine.Event>()
  private var isChanged = false
  private var metAddresses = MetAddresses()
  var conducts = RecentTable<PeerID, PeerConduct>(limit: Limits.rememberedConducts)
  private var dials = DialLimiter<[UInt8]>()
  var staticDials: [StaticPeer: StaticDial] = [:]
  /// Where machines of any team may be, though no user gave these addresses.
  var foundAddresses: [SocketAddress] = []
  /// The teams that this machine has just left, whose peers are not told yet.
  var left: Set<TeamID> = []

  /// - Parameters:
  ///   - stateDirectory: Where it remembers addresses and names.
  ///   - ownName: What this machine is called.
  init(
    host: any PeerTableHost,
    membership: Membership,
    announcer: Announcer,
    visits: ReturnVisits,
    streams: StreamTable,
    stateDirectory: String,
    ownName: @escaping @Loop () -> String,
    refusals: RefusalLog,
    log: Log
  ) {
    self.host = host
    self.membership = membership
    self.announcer = announcer
    self.visits = visits
    self.streams = streams
    self.refusals = refusals
    self.log = log
    remembered = RememberedAddresses(in: stateDirectory, log: log)
    staticPeers = StaticPeerList(in: stateDirectory, log: log)
    names = RememberedNames(in: stateDirectory, membership: membership, own: ownName, log: log)
    timer = Timer { [weak self] in self?.handle(.wake) }
  }

  /// Whether a device of a team has, or had, a session from this address.
  func wasMet(at address: SocketAddress) -> Bool {
    metAddresses.contains(
      address,
      amongst: machine.peers.values.flatMap(\.remembered) + entries.values.compactMap(\.directAddress)
    )
  }

  /// What this machine says about itself in a session of the team.
  func hello(in team: TeamID) -> Hello { host.hello(in: team) }

  func connection(with peer: PeerID) -> PeerConnection? { entries[peer]?.connection }

  /// Whether the peer was found or met, here or before a restart.
  func knows(_ peer: PeerID) -> Bool { machine.peers[peer] != nil || names.claimed(by: peer)?.isEmpty == false }

  var connections: [PeerConnection] { entries.values.compactMap(\.connection) }

  /// Dials what is known without discovery.
  func start() {
    recall()
    handle(.named(named))
  }

  /// Tells the state machine where peers were reached before, as far as the interfaces still exist.
  private func recall() {
    for (peer, addresses, said) in remembered.all where !isRevoked(peer) {
      handle(.remembered(peer, addresses))
      handle(.said(peer, said))
    }
  }

  /// The peer was reached at this address, though not for a session. From now on it is dialled there, even after a
  /// restart.
  func remember(_ peer: PeerID, at address: SocketAddress) {
    remembered.remember(peer, address, isFirst: true)
    handle(.remembered(peer, [address]))
  }

  /// The peer says that it listens at these addresses. From now on it is dialled there, too, even after a restart.
  func said(_ peer: PeerID, _ addresses: [SocketAddress]) {
    remembered.remember(peer, said: addresses)
    handle(.said(peer, addresses))
  }

  // MARK: Discovery

  /// Called when an instance's advert says that it is the peer's.
  ///
  /// - Parameter discoveryKey: The key that the advert was sealed with, which is the newest one that the peer has.
  func saw(_ instance: String, of peer: PeerID, name: String, discoveryKey: [UInt8]) {
    defer { rank(instance) }
    guard !isRevoked(peer), machine.hasRoom(for: peer) else { return }
    let isNewest = membership.credentials(in: peer.team)?.discoveryKey == discoveryKey
    // A removed device can still seal adverts with an old key. So such an advert adds no device, and renames none.
    guard isNewest || machine.hasMet(peer) else { return }
    let entry = entry(of: peer)
    // A device that was met has given its name itself.
    if entry.name.isEmpty || isNewest && !machine.hasMet(peer) { entry.name = names.label(of: peer, saying: name) }
    if isNewest || machine.peers[peer].map({ $0.doubtful.count == $0.instances.count }) ?? true {
      entry.discoveryKey = discoveryKey
    }
    // This machine can read its advert now.
    visits.lost(instance)
    handle(.seen(instance: instance, of: peer, isDoubtful: !isNewest))
  }

  /// Tells discovery how much an instance matters. Anyone in the team, and even a removed device, can make up any
  /// number of instances in another device's name. So only the few that are kept for a device count, and no doubtful
  /// ones.
  func rank(_ instance: String) {
    announcer.rank(
      instance,
      machine.holders(of: instance).map { connection(with: $0) == nil ? .ours : .proven }.max() ?? .unknown
    )
  }

  func lost(_ instance: String) {
    visits.lost(instance)
    handle(.lost(instance: instance))
  }

  func resolved(instance: String, _ addresses: [SocketAddress]) {
    visits.resolved(instance, addresses)
    handle(.resolved(instance: instance, addresses))
  }

  /// Dials the peer now, whatever the schedule says, because a user waits for it.
  func connect(to peer: PeerID) { handle(.wanted(peer)) }

  /// Called when this machine has other addresses or routes. Peers are dialled immediately, and those with a session
  /// are probed.
  func networkChanged() {
    recall()
    handle(.networkChanged)
  }

  /// Called when the machine was asleep or its clock jumped. What follows is the same as for a changed network.
  func resumed() {
    recall()
    handle(.resumed)
  }

  // MARK: Events and effects

  func entry(of peer: PeerID) -> PeerEntry {
    if let entry = entries[peer] { return entry }
    let entry = PeerEntry()
    entries[peer] = entry
    return entry
  }

  /// Lets the machine decide on `event`. Effects can cause further events, which are handled afterwards, in order.
  func handle(_ event: Machine.Event) { handle(event) {} }

  /// - Parameter before: Runs before the machine decides on `event`. Events that it causes are handled after `event`.
  func handle(_ event: Machine.Event, after before: () -> Void) {
    let isOver = runner.run(event, after: before) { event in
      metAddresses.note(event) { entries[$0]?.directAddress }
      for effect in machine.handle(event, at: Loop.now, awaited: awaited) { perform(effect) }
    }
    guard isOver, isChanged else { return }
    isChanged = false
    host.peersChanged()
  }

  /// The peers for which something waits. Includes peers with a session, because the event may be its end.
  private var awaited: Set<PeerID> { host.awaitedPeers }

  private static let relay = "a relay"

  /// No relay could be used for a peer, or the peer has not come there.
  func meetingFailed(_ peer: PeerID, _ reason: Reason) {
    entries[peer]?.tried.removeAll { $0.place == Self.relay }
    entries[peer]?.tried.append((Self.relay, reason.rawValue))
    handle(.meetingFailed(peer, reason))
  }

  private func perform(_ effect: Machine.Effect) {
    switch effect {
    case .resolve(let instance): host.resolve(instance)
    case .dial(let peer, let addresses): dial(peer, addresses)
    case .dialAgain(let peer): entries[peer]?.dialer?.dialAgain { mayDial($0, for: peer) }
    case .askToDial(let peer): host.askToDial(peer)
    case .meet(let peer): host.meet(peer)
    case .stopDialling(let peer):
      entries[peer]?.cancelDialling()
      host.stopMeeting(peer)
    case .dialNamed(let peer): dial(peer)
    case .dialNamedAgain(let peer): staticDials[peer]?.dialer?.dialAgain { _ in true }
    case .stopDiallingNamed(let peer): staticDials.removeValue(forKey: peer)?.cancel()
    case .remember(let peer, let address, let isFirst): remembered.remember(peer, address, isFirst: isFirst)
    case .probe(let peer): entries[peer]?.connection?.probe()
    case .connectFailed(let peer, let reason): host.connectFailed(peer, reason)
    case .forgotten(let peer): host.peerForgotten(peer)
    case .dropped(let peer): drop(peer)
    case .released(let instance): rank(instance)
    case .changed: isChanged = true
    case .wake(let instant): timer?.set(instant)
    }
  }

  private func dial(_ peer: PeerID, _ addresses: [SocketAddress]) {
    guard !isRevoked(peer) else { return handle(.dialFailed(peer, .certificateRevoked)) }
    let entry = entry(of: peer)
    let addresses = addresses.filter { mayDial($0, for: peer) }
    // If other addresses are being dialled, that attempt reports the result.
    guard !addresses.isEmpty else { return entry.dialer == nil ? handle(.dialFailed(peer, .limitReached)) : () }
    if let dialer = entry.dialer { return dialer.add(addresses) }
    entry.tried = []
    entry.dialer = PeerDialer(
      addresses,
      onFailed: { [weak self, unowned entry] address, reason, obstacle in
        entry.tried.append((address.description, obstacle?.description ?? reason.rawValue))
        self?.noteVersion(address, reason)
      },
      makeEngine: { [weak self, unowned entry] isReturning in
        guard let self, let context = self.membership.clientContext(peer.team, discoveryKey: entry.discoveryKey)
        else { return nil }
        let offset = self.clocks.best(of: peer, isSecondTry: isReturning)
        return try? TLSEngine(context, expecting: peer.device, isReturning: isReturning, clockOffset: offset)
      },
      completion: { [weak self, unowned entry] result in
        entry.dialer = nil
        switch result {
        case .success(let connection):
          guard let self else { return connection.finish() }
          self.take(connection, peer, isDialler: true)
        case .failure(let reason): self?.handle(.dialFailed(peer, reason))
        }
      }
    )
  }

  /// Whether the limit allows another connection to the address. If so, it counts.
  private func mayDial(_ address: SocketAddress, for peer: PeerID) -> Bool {
    !machine.isDoubtful(address, of: peer) || dials.take(to: address.source, at: Loop.now)
  }

  private func drop(_ peer: PeerID) {
    guard let entry = entries[peer], machine.peers[peer] == nil else { return }
    entry.cancelDialling()
    entries[peer] = nil
    clocks.forget(peer)
    streams.forget(peer)
  }

  // MARK: The end

  /// Ends everything with the peers of teams that are not in `teams`. Where they were reached stays known, because a
  /// team may be there again at the next start.
  func keep(_ teams: Set<TeamID>) {
    remembered.loaded = Dictionary(uniqueKeysWithValues: teams.map { ($0, membership.owner(of: $0) ?? 0) })
    leaveAll(but: teams)
    if !foundAddresses.isEmpty { handle(.named(named)) }
  }

  private func leaveAll(but teams: Set<TeamID>) {
    visits.keep(teams)
    for (peer, entry) in entries where !teams.contains(peer.team) {
      entry.end(left.contains(peer.team) ? .teamLeft : .shuttingDown)
      streams.end(with: peer, .streamInterrupted)
    }
    left = []
    let devices = teams.compactMap { team in membership.device(in: team).map { (team, $0) } }
    handle(.teamsChanged(Dictionary(uniqueKeysWithValues: devices)))
  }

  /// Ends everything.
  ///
  /// - Parameter completion: Called when what is remembered is on the disk, and the peers have read why, or did not do
  ///   so in time. What is left would end with the process.
  func close(completion: @escaping @Loop () -> Void) {
    names.met(self.connections.map(\.peer))
    let connections = entries.values.flatMap { $0.opening + [$0.connection].compactMap(\.self) }
    var remaining = connections.count + 2
    let closed: @Loop () -> Void = {
      remaining -= 1
      if remaining == 0 { completion() }
    }
    for connection in connections { connection.whenClosed(closed) }
    leaveAll(but: [])
    (entries, clocks) = ([:], ClockOffsets())
    closed()
    Loop.begin { [remembered, names, staticPeers] in
      await remembered.save()
      await names.save()
      await staticPeers.finish()
      closed()
    }
  }
}
