// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Handoff
import Systemd
import TLS
import Teams

/// A team's presence at its servers: the one connection to one of them, and who is there.
@Loop
final class RendezvousClient {
  /// What people see of the connection.
  enum State: Equatable {
    case connecting(ServerAddress)
    case ready(ServerAddress, since: ContinuousClock.Instant)
    /// The connection has failed, and is made again.
    case waiting(ServerAddress, ServerFailure)
  }

  let team: TeamID
  let access: RendezvousAccess
  let relays: [RelayAddress]
  /// A user of the team, whose turns look-ups of hosts take.
  let owner: UserID
  private let credentials: Credentials
  private let settings: RendezvousSettings
  private unowned let host: any RendezvousHost
  private let counters: Tally
  private let log: Log

  private var choice: ServerChoice
  private(set) var state: State
  private var connection: ServerConnection?
  private var session: NATSSession?
  private(set) var presence: RendezvousPresence
  private var retry: Timer?
  private var sessionTimer: Timer?
  private var presenceTimer: Timer?
  private var senders = SenderShares(at: Loop.now)
  /// What each device that is there has said last.
  private(set) var heard: [DeviceID: Heard] = [:]
  private let keys: [Key]
  /// The name under which the token lets this machine publish: that of the key for which it was made.
  private let name: String
  /// Tells the servers which devices are no longer let in, if this machine runs them.
  private var publisher: AccountPublisher?
  private let account: @Loop () -> ServerAccount?
  /// When the connection was last made again without a pause, because a server was told of the account.
  private var lastHurry: ContinuousClock.Instant?
  private var lastLogged: ServerFailure?

  struct Heard {
    let instance: String
    let addresses: [SocketAddress]
    let port: UInt16
  }

  /// One of the team's keys, the newest of which is trusted.
  private struct Key {
    let discoveryKey: [UInt8]
    let sealer: Sealer
  }

  /// - Parameters:
  ///   - access: Names at least one server, and says what lets this machine in.
  ///   - presence: What an earlier client of the team has heard.
  ///   - account: Returns what the servers must know of the team; nil if others run them.
  init?(
    _ credentials: Credentials,
    _ access: RendezvousAccess,
    owner: UserID,
    settings: RendezvousSettings,
    host: any RendezvousHost,
    counters: Tally,
    log: Log,
    presence: RendezvousPresence?,
    account: @escaping @Loop () -> ServerAccount?
  ) {
    let servers = access.servers.compactMap { ServerAddress($0) }
    guard let user = access.user, let name = NATSToken.name(in: user.token) else { return nil }
    choice = ServerChoice(servers)
    guard let first = choice.server else { return nil }
    state = .connecting(first)
    (self.credentials, self.access, self.settings, self.host) = (credentials, access, settings, host)
    (self.counters, self.log, self.account, self.name) = (counters, log, account, name)
    (team, self.owner) = (credentials.team, owner)
    relays = access.relays.compactMap { try? RelayAddress($0) }
    self.presence = presence ?? RendezvousPresence(own: credentials.device)
    keys = ([credentials.discoveryKey] + credentials.previousKeys).compactMap { key in
      Sealer(key: RendezvousKeys.sealingKey(key)).map { Key(discoveryKey: key, sealer: $0) }
    }
    retry = Timer { [weak self] in self?.connect() }
    sessionTimer = Timer { [weak self] in self?.handle(NATSSession.Event.wake) }
    presenceTimer = Timer { [weak self] in self?.handle(RendezvousPresence.Event.wake) }
  }

  /// Whether it is for these keys.
  func isFor(_ credentials: Credentials) -> Bool {
    credentials.discoveryKey == self.credentials.discoveryKey
      && credentials.previousKeys == self.credentials.previousKeys
      && credentials.device == self.credentials.device
  }

  var isReady: Bool { if case .ready = state { true } else { false } }

  func start() { connect() }

  /// Says goodbye, and closes the connection.
  func stop() {
    if isReady { publish(.leaving) }
    handle(.stopped)
    disconnect()
    retry?.set(nil)
    presenceTimer?.set(nil)
  }

  /// The machine has other addresses, or was asleep.
  func networkChanged() {
    choice.reset()
    if session == nil {
      connect()
    } else {
      handle(.changed)
      handle(NATSSession.Event.probe)
    }
  }

  /// What this machine tells the team has changed.
  func changed() { handle(RendezvousPresence.Event.changed) }

  /// Asks a peer to dial this machine.
  func askToDial(_ device: DeviceID) { handle(.wanted(device)) }

  /// Tells a peer that this machine waits for it at a relay.
  func invite(_ device: DeviceID, to meeting: RendezvousMessage.Meeting) -> Bool {
    guard isReady, let name = presence.name(of: device) else { return false }
    publish(.relay, to: name, meeting: meeting)
    return true
  }

  /// Whether a peer can be met at a relay.
  func canMeet(_ device: DeviceID) -> Bool {
    isReady && settings.usesRelays && !relays.isEmpty && presence.name(of: device) != nil
  }

  func relaysChanged() { for device in presence.devices { tellWhetherItCanMeet(device) } }

  // MARK: The connection

  private func connect() {
    retry?.set(nil)
    guard connection == nil, let server = choice.server else { return }
    state = .connecting(server)
    session = NATSSession(at: Loop.now)
    sessionTimer?.set(Loop.now + Limits.rendezvousReplyTime)
    connection = ServerConnection(to: server, for: owner) { [weak self] event in
      guard let self else { return }
      switch event {
      case .connected: break
      case .received(let bytes): self.handle(NATSSession.Event.received(bytes))
      case .secured: self.handle(NATSSession.Event.secured)
      case .ended(let failure): self.ended(failure)
      }
    }
  }

  private func disconnect() {
    connection?.close()
    connection = nil
    session = nil
    sessionTimer?.set(nil)
    publisher = nil
  }

  private func handle(_ event: NATSSession.Event) {
    guard var session else { return }
    let effects = session.handle(event, at: Loop.now)
    self.session = session
    for effect in effects where self.session != nil { perform(effect) }
  }

  private func perform(_ effect: NATSSession.Effect) {
    switch effect {
    case .send(let bytes): connection?.send(bytes)
    case .secure: connection?.secure(pins: access.pins)
    case .authenticate(let nonce): authenticate(nonce)
    case .ready: ready()
    case .message(let subject, let payload): hear(subject, payload)
    case .rest(let instant): connection?.rest(until: instant)
    case .end(let failure): ended(.session(failure))
    case .wake(let instant): sessionTimer?.set(instant)
    }
  }

  private func authenticate(_ nonce: String) {
    guard let user = access.user, let key = try? PrivateKey(seed: user.seed),
      let signature = try? key.sign(Array(nonce.utf8))
    else { return ended(.session(.unsuitable("this machine has no key for it"))) }
    handle(.authenticated(token: user.token, signature: signature))
  }

  private func ready() {
    guard let server = choice.server else { return }
    state = .ready(server, since: Loop.now)
    choice.accepted(at: Loop.now)
    lastLogged = nil
    counters.count(.rendezvousSessions, for: .team(team))
    log.notice("Connected to a rendezvous server", ["server": "\(server)", "team": team.description])
    for subject in RendezvousSubject.subscriptions(name) { handle(NATSSession.Event.subscribe(subject: subject)) }
    handle(.arrived)
    for device in presence.devices { tellWhetherItCanMeet(device) }
    publishAccount()
    host.serversChanged()
  }

  private func ended(_ failure: ServerFailure) {
    guard let server = choice.server else { return }
    let wasReady = isReady
    disconnect()
    state = .waiting(server, failure)
    handle(.departed)
    for device in presence.devices { tellWhetherItCanMeet(device) }
    retry?.set(choice.failed(failure.natsFailure, at: Loop.now))
    counters.count(.rendezvousFailures, for: .team(team))
    if wasReady || failure != lastLogged {
      log.warning(
        "Can't connect to a rendezvous server",
        ["server": "\(server)", "team": team.description, "why": failure.description]
      )
    }
    lastLogged = failure
    // The server may not know the account yet, or not what has become of it.
    if failure == .session(.refused) { publishAccount(to: server) }
    host.serversChanged()
  }

  /// Tells the servers which devices are no longer let in.
  func publishAccount() { if case .ready(let server, _) = state { publishAccount(to: server) } }

  private func publishAccount(to server: ServerAddress) {
    guard let account = account() else { return }
    publisher = AccountPublisher(account, to: server, for: owner, pins: access.pins) { [weak self] result in
      guard let self else { return }
      self.publisher = nil
      guard case .failure(let failure) = result else { return self.hurry() }
      self.log.warning(
        "Couldn't tell the rendezvous server which machines were removed",
        ["server": "\(server)", "team": self.team.description, "why": failure.description]
      )
    }
  }

  /// Connects again without a pause, if the server has refused this machine until now. One that refuses it all the same
  /// is not asked again and again.
  private func hurry() {
    guard case .waiting(_, .session(.refused)) = state,
      lastHurry.map({ Loop.now - $0 >= Limits.rendezvousRefusedTime }) ?? true
    else { return }
    lastHurry = Loop.now
    retry?.set(Loop.now)
  }

  // MARK: Presence

  private func handle(_ event: RendezvousPresence.Event) {
    for effect in presence.handle(event, at: Loop.now) { perform(effect) }
  }

  private func perform(_ effect: RendezvousPresence.Effect) {
    switch effect {
    case .advertise(let asks): publish(.advert, asks: asks)
    case .answer(let name): publish(.advert, to: name)
    case .askToDial(let name): publish(.dial, to: name)
    case .found(let message): found(message)
    case .lost(let device): forget(device)
    case .foundOutdated(let message, let key): foundOutdated(message, keys[key].discoveryKey)
    case .lostOutdated(let device): host.lost(Self.outdatedInstance(of: device))
    case .dial(let device): host.askedToDial(PeerID(team: team, device: device))
    case .meet(let device, let meeting): host.meet(PeerID(team: team, device: device), at: meeting)
    case .wake(let instant): presenceTimer?.set(instant)
    }
  }

  private func found(_ message: RendezvousMessage) {
    let device = message.advert.device
    let before = heard[device]
    let addresses = SaidAddresses.accepted(message.addresses, port: message.port)
    // Other addresses are a reason to dial, so they are another instance.
    let sign = addresses.map(\.description).joined(separator: " ")
    let instance = "rendezvous \(device.text) \(Base32.encode(SHA256.hash(Array(sign.utf8)).prefix(5)))"
    heard[device] = Heard(instance: instance, addresses: addresses, port: message.port)
    host.saw(message.advert, of: team, as: instance, discoveryKey: credentials.discoveryKey)
    if let before, before.instance != instance { host.lost(before.instance) }
    tellWhetherItCanMeet(device)
    if before == nil { host.serversChanged() }
  }

  private func forget(_ device: DeviceID) {
    guard let gone = heard.removeValue(forKey: device) else { return }
    host.canMeet(PeerID(team: team, device: device), false)
    host.lost(gone.instance)
    host.serversChanged()
  }

  private func tellWhetherItCanMeet(_ device: DeviceID) {
    host.canMeet(PeerID(team: team, device: device), canMeet(device))
  }

  // MARK: Messages

  private func publish(
    _ kind: RendezvousMessage.Kind,
    asks: Bool = false,
    to receiver: String? = nil,
    meeting: RendezvousMessage.Meeting? = nil
  ) {
    guard let advert = host.advert(of: team), let sealer = keys.first?.sealer else { return }
    let message = RendezvousMessage(
      kind: kind,
      asks: asks,
      sequence: settings.nextSequence(),
      advert: advert,
      port: settings.port,
      addresses: host.ownAddresses,
      meeting: meeting
    )
    let subject = (receiver.map { RendezvousSubject.toOne($0, from: name) } ?? .toAll(from: name)).text
    let nonce = SystemRandom.bytes(Sealer.nonceLength)
    guard let sealed = try? sealer.seal(message.plaintext, nonce: nonce, additional: Array(subject.utf8)) else {
      return
    }
    handle(NATSSession.Event.publish(subject: subject, payload: nonce + sealed))
  }

  private func hear(_ text: String, _ payload: [UInt8]) {
    guard payload.count == RendezvousMessage.sealedLength, let subject = RendezvousSubject(text),
      subject.sender != name
    else { return }
    if case .toOne(let receiver, _) = subject, receiver != name { return }
    guard senders.take(from: subject.sender, at: Loop.now) else { return }
    let nonce = Array(payload.prefix(Sealer.nonceLength))
    let rest = Array(payload.dropFirst(Sealer.nonceLength))
    for (index, key) in keys.enumerated() {
      guard let plaintext = key.sealer.open(rest, nonce: nonce, additional: Array(text.utf8)) else { continue }
      guard var message = RendezvousMessage(plaintext: plaintext), isName(subject.sender, of: message.advert.device),
        let time = host.localTime(of: message.advert.time, in: team, of: message.advert.device)
      else { return }
      message.advert.time = time
      handle(index == 0 ? .heard(message, from: subject.sender) : .heardOutdated(message, key: index))
      return
    }
  }

  /// Whether servers call the device so, under one of the team's keys. A device that knows the newest key may have no
  /// name for it yet.
  private func isName(_ name: String, of device: DeviceID) -> Bool {
    keys.contains { RendezvousKeys.name(of: device, discoveryKey: $0.discoveryKey) == name }
  }

  private static func outdatedInstance(of device: DeviceID) -> String { "rendezvous \(device.text) outdated" }

  private func foundOutdated(_ message: RendezvousMessage, _ discoveryKey: [UInt8]) {
    let addresses = SaidAddresses.accepted(message.addresses, port: message.port)
    let instance = Self.outdatedInstance(of: message.advert.device)
    settings.outdated.note(instance, addresses)
    host.saw(message.advert, of: team, as: instance, discoveryKey: discoveryKey)
  }
}
