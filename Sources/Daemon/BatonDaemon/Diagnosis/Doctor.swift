// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Handoff
import Teams
import VarlinkServer

/// One run of `Diagnose`: checks each part in turn, lets `Verdict` judge it, and tells the client. Each wait has its
/// own limit.
@Loop
final class Doctor {
  /// The maximum number of peers that one diagnosis checks.
  private static let diagnosedPeers = 16
  /// The time from the start of a session within which the peer's advert should also have been seen.
  private static let advertGraceTime = Duration.seconds(5)

  /// How many machines are asked to dial back. One of them might be behind its own firewall.
  private static let proberCount = 3

  private let exchange: Exchange<Diagnose>
  private let text: String?
  private let shell: ContinuationShell
  private let peers: PeerTable
  private let teams: [Team]
  private unowned let server: ControlServer
  private let wait = Wait()
  /// The peers that are checked, and their names.
  private var chosen: [PeerID: String] = [:]
  /// The peers that were asked to dial back and did not answer.
  private var silent: Set<PeerID> = []
  private var resolved: [String: [SocketAddress]] = [:]

  init(_ exchange: Exchange<Diagnose>, _ text: String?, _ server: ControlServer) {
    self.exchange = exchange
    self.text = text
    self.server = server
    shell = server.shell
    peers = server.peers
    teams = server.membership.teams(of: exchange.user)
  }

  /// The user who asks.
  var user: UserID { exchange.user }

  /// Called when some peer's state has changed.
  func peersChanged() { wait.look() }

  func run() async {
    guard !exchange.isFinished else { return }
    tell(Verdict.team(teams.map(\.name), damage: server.membership.damage(for: exchange.user)))
    if let finding = Verdict.setAside(server.membership.setAside(for: exchange.user)) { tell(finding) }
    if let finding = Verdict.state(await server.membership.obstacle(for: user).map { "\($0)" }) { tell(finding) }
    tell(Verdict.certificates(teams.map(Verdict.OwnCertificate.init), now: Loop.clock.date))
    for team in teams where server.membership.isLocked(team) {
      let devices = server.administration.waiting(in: team.id)
      let isOwnDue = server.membership.isCertificateDue(in: team.id)
      if let finding = Verdict.locked(team.name, devices: devices, isOwnDue: isOwnDue) { tell(finding) }
    }
    choosePeers()
    // They are dialled while the rest is checked.
    for peer in chosen.keys where peers.connection(with: peer) == nil { peers.connect(to: peer) }
    guard await checkNetwork() else { return }
    await wait.until(within: Limits.peerCheckTime) { [self] in chosen.keys.allSatisfy(hasSettled) }
    guard !exchange.isFinished else { return }
    // Only connected peers can dial back.
    if let fault = server.port.fault {
      tell(Verdict.takenPort(fault.port, instead: server.port.number, owner: fault.owner, "\(fault.error)"))
    }
    tell(Verdict.port(server.port.number, await dialBacks()))
    guard !exchange.isFinished else { return }
    for finding in Verdict.rendezvous(rendezvous) { tell(finding) }
    await checkPeers()
    guard !exchange.isFinished else { return }
    checkApps()
  }

  private func tell(_ finding: Verdict.Finding) { exchange.replyContinuing(finding) }

  // MARK: The network

  /// - Returns: False if the client has gone.
  private func checkNetwork() async -> Bool {
    let examination = await within(Limits.discoveryCheckTime * 2) { [announcer = server.announcer] in
      announcer.examine(completion: $0)
    }
    guard !exchange.isFinished else { return false }
    let reports = examination??.interfaces ?? InterfaceReport.current()
    let interfaces = reports.map(Verdict.Interface.init)
    let avahi: Verdict.Avahi =
      switch examination {
      case .none: .fails(.discoveryUnavailable, detail: "no answer in time")
      case .some(.none): .disabled
      case .some(.some(let examination)):
        examination.failure.map { .fails($0.reason, detail: $0.detail) } ?? .answers
      }
    tell(Verdict.bus(avahi))
    let (isCrowded, isMuted) = (examination??.isCrowded == true, examination??.isMuted == true)
    tell(Verdict.avahi(avahi, isCrowded: isCrowded, isMuted: isMuted))
    tell(Verdict.interfaces(interfaces))
    tell(Verdict.multicast(avahi, interfaces, adverts(reports)))
    let asksTailscale = server.settings.configuration.source == .tailscale
    if let finding = Verdict.virtualNetworks(avahi, interfaces, asksTailscale: asksTailscale) { tell(finding) }
    return true
  }

  private func adverts(_ reports: [InterfaceReport]) -> Verdict.Adverts {
    let known = peers.snapshot().filter { shell.mayUse($0.id.team, exchange.user) }
    let missing = known.filter { _, entry in
      guard entry.instances.isEmpty, let connection = entry.connection, let since = connection.readySince else {
        return false
      }
      let isNear =
        connection.address.map { address in reports.contains { !$0.isPointToPoint && $0.hasOnLink(address) } } ?? false
      return isNear && since.duration(to: Loop.now) > Self.advertGraceTime
    }
    return Verdict.Adverts(seen: known.count { !$0.entry.instances.isEmpty }, missing: missing.map(\.entry.name))
  }

  private func dialBacks() async -> [Verdict.DialBack] {
    // If no peer was chosen, any known one can try.
    let candidates = chosen.isEmpty ? Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.name) }) : chosen
    let connected = candidates.filter { peers.connection(with: $0.key) != nil }
      .sorted { ($0.value, $0.key.device) < ($1.value, $1.key.device) }.prefix(Self.proberCount)
    // A session that was cut may be given up while the answer is waited for.
    let usesPort = Set(connected.map(\.key).filter { peers.connection(with: $0)?.isDialler == false })
    var answers: [PeerID: Verdict.DialBack] = [:]
    for (peer, name) in connected {
      let isRelayed = peers.connection(with: peer)?.isRelayed == true
      server.prober.ask(peer, port: server.port.number) { [weak self] answer in
        switch answer {
        case .notReached(.peerUnreachable) where isRelayed, .unanswered where isRelayed:
          answers[peer] = .relayed(device: name)
        case .reached: answers[peer] = .reached(device: name)
        case .notReached(let reason): answers[peer] = .notReached(device: name, reason)
        case .unanswered:
          answers[peer] = .unanswered(device: name)
          self?.silent.insert(peer)
        }
        self?.wait.look()
      }
    }
    await wait.until(within: Limits.probeTime * 2) { answers.count == connected.count }
    if let (peer, name) = connected.first(where: { silent.contains($0.key) && usesPort.contains($0.key) }),
      await answersAnew(peer)
    {
      silent.remove(peer)
      answers[peer] = .notReached(device: name, .peerUnreachable)
    }
    return Array(answers.values)
  }

  /// Whether a silent peer whose session used this machine's port answers when this machine dials it. If so, the port
  /// was closed during the session.
  private func answersAnew(_ peer: PeerID) async -> Bool {
    guard !exchange.isFinished,
      let instance = peers.snapshot().first(where: { $0.id == peer })?.entry.instances.last,
      let identity = teams.first(where: { $0.id == peer.team }).flatMap(identity(in:))
    else { return false }
    server.announcer.resolve(instance)
    await wait.until(within: Limits.resolveTime) { [self] in resolved[instance] != nil }
    guard !exchange.isFinished, let addresses = resolved[instance], !addresses.isEmpty else { return false }
    if case .device = await reach(addresses, identity) { return true }
    return false
  }

  /// Called when discovery has resolved an instance's addresses.
  func resolved(_ instance: String, _ addresses: [SocketAddress]) {
    resolved[instance] = addresses
    wait.look()
  }

  // MARK: Servers

  private static let noAccess = "this machine has no access yet"

  private var rendezvous: [Verdict.Rendezvous] {
    teams.compactMap { team -> Verdict.Rendezvous? in
      guard let first = team.rendezvous?.servers.first else { return nil }
      let client = server.rendezvous.clients[team.id]
      let (name, state): (String, Verdict.Rendezvous.State) =
        switch client?.state {
        case .ready(let server, _): (server.description, .ready)
        case .connecting(let server): (server.description, .connecting)
        case .waiting(let server, let failure):
          (server.description, .failed(failure.description, isRefusal: failure.isRefusal))
        case nil: (first, server.rendezvous.isOff ? .off : .failed(Self.noAccess, isRefusal: true))
        }
      let known = Dictionary(found.map { ($0.id.device, $0.name) }, uniquingKeysWith: { first, _ in first })
      let relays = client?.relays.map { ServerAddress($0) } ?? []
      return Verdict.Rendezvous(
        team: team.name,
        server: name,
        state: state,
        devices: client?.heard.keys.map { known[$0] ?? $0.description } ?? [],
        relays: server.meetings.failures.filter { relays.contains($0.key) }.map {
          ($0.key.description, $0.value.description)
        }
      )
    }
  }

  // MARK: Peers

  /// The peers of the user's teams that are found now.
  private var found: [(id: PeerID, name: String)] {
    peers.snapshot().filter { shell.mayUse($0.id.team, exchange.user) }.map { ($0.id, $0.entry.name) }
  }

  private func choosePeers() {
    var known = found
    // Machines that may be off matter if the user names one, or if there are no others.
    if text != nil || known.isEmpty {
      let away = peers.away(but: Set(known.map(\.id)), of: exchange.user)
      known += away.map { ($0.id, $0.label) }
    }
    let matching = text.map { PeerChoice.matching($0, among: known) }
    let wanted = known.filter { matching?.contains($0.id) ?? true }
      .sorted { ($0.name, $0.id.device) < ($1.name, $1.id.device) }
    chosen = Dictionary(uniqueKeysWithValues: wanted.prefix(Self.diagnosedPeers).map { ($0.id, $0.name) })
  }

  private func hasSettled(_ peer: PeerID) -> Bool {
    guard let entry = peers.known(peer) else { return true }
    return entry.connection != nil || !entry.isDialling
  }

  private func checkPeers() async {
    guard !teams.isEmpty else {
      tell(Verdict.Finding(.peer, .skipped, "You aren't in a team, so there are no other machines."))
      return tell(Verdict.clock([]))
    }
    guard chosen.isEmpty, let text else {
      let found = facts()
      let isAlone = !found.contains(where: \.isConnected)
      // First, because those that were refused look as if they could not be reached.
      if isAlone, let finding = Verdict.refused(peers.refusals.recent) { tell(finding) }
      if found.isEmpty { tell(Verdict.noPeer(text)) }
      for peer in found { tell(Verdict.peer(peer, isExpected: text != nil || isAlone)) }
      return tell(Verdict.clock(found.compactMap { peer in peer.clockSkew.map { (peer.device, $0) } }))
    }
    let reached = await reach(text)
    guard !exchange.isFinished else { return }
    tell(reached.map { Verdict.address(text, $0, versions: PeerSession.versions) } ?? Verdict.noPeer(text))
    guard case .device(let name, _, let skew?) = reached else { return tell(Verdict.clock([])) }
    tell(Verdict.clock([(name, skew)]))
  }

  private func facts() -> [Verdict.Peer] {
    chosen.sorted { ($0.value, $0.key.device) < ($1.value, $1.key.device) }.map { id, name in
      // What the last attempt has said counts even if nothing is seen of the machine.
      guard let entry = peers.known(id) else {
        return Verdict.Peer(device: name, isConnected: false, reason: .peerUnreachable, isSeen: false)
      }
      return Verdict.Peer(
        device: name,
        isConnected: entry.connection != nil,
        address: entry.address?.description,
        reason: entry.connection == nil ? entry.reason ?? (entry.instances.isEmpty ? .peerUnreachable : nil) : nil,
        isSeen: !entry.instances.isEmpty,
        path: entry.connection.map { path($0, id) },
        tried: entry.connection.map(\.isRelayed) == false
          ? [] : entry.tried.map { "\($0.place) (\($0.reason))" },
        elsewhere: entry.elsewhere.map(\.description),
        isSilent: silent.contains(id),
        clockSkew: entry.connection?.clockSkew
      )
    }
  }

  private func path(_ connection: PeerConnection, _ id: PeerID) -> String {
    let milliseconds = Int((connection.roundTrip / .milliseconds(1)).rounded())
    let path = ControlPeer.path(connection, id, OwnLinks()) { [server] in server.rendezvous.told($0, of: $1) }
    return [path?.rawValue, "\(milliseconds) ms"].compactMap(\.self).joined(separator: ", ")
  }

  /// Connects to what the user typed as an address; nil if it does not lead to any address.
  private func reach(_ text: String) async -> Verdict.Reached? {
    let place: (host: String, port: UInt16)
    do throws(Reason) {
      place = try AddressParser.split(text, defaultPort: Configuration.defaultPort)
    } catch { return .failed(error) }
    let addresses = await within(Limits.peerCheckTime) { completion in
      AddressParser.resolve(host: place.host, port: place.port, for: user, completion: completion)
    }
    guard let addresses, !addresses.isEmpty, !exchange.isFinished else { return nil }
    var result = Verdict.Reached.failed(.peerUnreachable)
    for team in teams {
      guard let identity = identity(in: team) else { continue }
      result = await reach(addresses, identity)
      // The address may belong to another of the user's teams.
      guard result == .failed(.otherTeam), !exchange.isFinished else { break }
    }
    return result
  }

  private func identity(in team: Team) -> AddressCall.Identity? {
    guard let context = server.membership.clientContext(team.id, discoveryKey: nil) else { return nil }
    return AddressCall.Identity(context: context, hello: peers.hello(in: team.id), device: team.device)
  }

  private func reach(_ addresses: [SocketAddress], _ identity: AddressCall.Identity) async -> Verdict.Reached {
    var call: AddressCall?
    let outcome = await within(Limits.peerCheckTime * 2) { call = AddressCall(addresses, identity, completion: $0) }
    _ = call
    switch outcome {
    case .thisMachine: return .thisMachine
    case .answered(let hello):
      return .device(
        name: hello.device,
        versions: hello.minimum...max(hello.minimum, hello.maximum),
        clockSkew: hello.time.map { Double($0) - Loop.clock.date }
      )
    case .failed(let reason): return .failed(reason)
    case .unreachable(let obstacle?): return .unreachable(obstacle.description)
    case .unreachable(nil): return .failed(.peerUnreachable)
    case nil: return .failed(.peerTimedOut)
    }
  }

  // MARK: Apps

  private func checkApps() {
    let user = exchange.user
    let failure = shell.failures.last(of: user, at: Loop.now).map { failure in
      Verdict.Failure(
        reason: failure.reason,
        device: failure.device,
        age: Double((Loop.now - failure.time).components.seconds)
      )
    }
    tell(Verdict.continuation(failure))
    let taken = server.launching.machine.types(takenFor: user)
    let takesPages = server.launching.machine.takesPages(user)
    let offered = shell.offers(for: user).map(\.activity).map {
      // The browser shows the page, whatever its app is.
      takesPages && $0.hasWebPage ? ActivityRecord.webPageType : $0.activityType
    }
    let isIncomplete = server.launching.machine.isIncomplete(for: user)
    tell(Verdict.applications(offered: Set(offered), taken: taken, isIncomplete: isIncomplete))
    let state: Verdict.Offered =
      shell.withholding(from: user).map { .withheld($0) }
      ?? (shell.currentActivity(of: user) == nil ? .nothing : .yes)
    exchange.reply(Verdict.offer(state))
  }
}

extension Verdict.OwnCertificate {
  fileprivate init(_ team: Team) {
    self.init(team: team.name, joined: Double(team.created), expires: Double(team.expires))
  }
}

extension Verdict.Interface {
  fileprivate init(_ report: InterfaceReport) {
    self.init(
      name: report.name,
      isUp: report.isUp,
      isLoopback: report.isLoopback,
      isUsed: report.isUsed,
      exclusion: report.exclusion,
      hasMulticast: report.hasMulticast,
      isPointToPoint: report.isPointToPoint,
      tests: report.multicasts.map { result in
        switch result {
        case .heard: .heard
        case .notHeard: .notHeard
        case .notSent(let detail): .notSent(detail)
        }
      }
    )
  }
}
