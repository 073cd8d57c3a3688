import Activity
import Continuation
import Discovery
import EventLoop
import PeerProtocol
import Rendezvous
import Systemd
import TLS
import Teams

/// A team's addresses in a DNS zone: each device keeps a sealed record there, and reads those of the others
/// (Protocol.md section 12). Activities are never there.
@Loop
final class ZoneClient {
  let team: TeamID
  let zone: RendezvousAccess.Zone
  private let credentials: Credentials
  private let settings: RendezvousSettings
  private unowned let host: any RendezvousHost
  private let log: Log
  /// A user of the team, whose turns look-ups of the server take.
  private let owner: UserID
  private let server: ServerAddress
  private let zoneName: DNSName
  private let name: DNSName
  private let nameText: String
  private let key: TSIGKey
  private let sealer: Sealer

  private var exchange: DNSExchange?
  private var connection: ServerConnection?
  private var next: (@Loop (Result<DNSAnswer, DNSFailure>) -> Void)?
  private var deadline: Timer?
  private var timer: Timer?
  /// What was found at the name for each device, and what it says.
  private(set) var found: [DeviceID: Found] = [:]
  /// What this machine has written, and when it must be written again.
  private var written: (record: TXTRecord, addresses: [[UInt8]], due: ContinuousClock.Instant)?
  /// Why the last exchange failed; nil if it did not.
  private(set) var failure: DNSFailure?
  /// Whether an exchange has ended.
  private var wasUsed = false
  private var isStopped = false

  struct Found {
    let epoch: UInt64
    let sequence: UInt64
    let instance: String
    let addresses: [SocketAddress]
  }

  init?(
    _ credentials: Credentials,
    _ zone: RendezvousAccess.Zone,
    owner: UserID,
    settings: RendezvousSettings,
    host: any RendezvousHost,
    log: Log
  ) {
    let label = RendezvousKeys.recordName(credentials.discoveryKey)
    nameText = "\(label).\(zone.name)"
    guard let server = ServerAddress(zone.server, defaultPort: 53), let zoneName = DNSName(zone.name),
      let name = DNSName(nameText), let keyName = DNSName(zone.keyName),
      let sealer = Sealer(key: RendezvousKeys.sealingKey(credentials.discoveryKey))
    else { return nil }
    let secret = zone.key
    key = TSIGKey(keyName) { HMACSHA256.authenticate($0, key: secret) }
    (self.server, self.zoneName, self.name, self.sealer) = (server, zoneName, name, sealer)
    (self.credentials, self.zone, self.settings) = (credentials, zone, settings)
    (self.host, self.log, self.owner, team) = (host, log, owner, credentials.team)
    deadline = Timer { [weak self] in self?.handle(.wake) }
    timer = Timer { [weak self] in self?.look() }
  }

  /// Whether it is for these keys and this zone.
  func isFor(_ credentials: Credentials, _ zone: RendezvousAccess.Zone) -> Bool {
    credentials.discoveryKey == self.credentials.discoveryKey && zone == self.zone
  }

  func start() { timer?.set(Loop.now) }

  func stop() {
    isStopped = true
    cancel()
    timer?.set(nil)
    for device in Array(found.keys) { forget(device) }
  }

  /// The machine has other addresses, or somebody may be elsewhere.
  func networkChanged() { if exchange == nil { timer?.set(Loop.now + Limits.redialJitter) } }

  /// What this machine tells the team has changed. Only the first time, that is a reason to write.
  func changed() { if written == nil, failure == nil { networkChanged() } }

  // MARK: One round

  /// Reads the records of all, and writes this machine's own if it has changed or ends soon.
  private func look() {
    guard !isStopped, exchange == nil else { return }
    ask(.query(name)) { [weak self] result in
      switch result {
      case .success(let answer): self?.read(answer)
      case .failure(let failure): self?.ended(failure)
      }
    }
  }

  private func read(_ answer: DNSAnswer) {
    let now = Membership.now
    var known: [AddressRecords.Known] = []
    var present: Set<DeviceID> = []
    for record in answer.records {
      let message = open(record)
      let content = message.map {
        AddressRecords.Known.Content(device: $0.advert.device, expires: Self.expiry(of: $0.advert.time))
      }
      known.append(AddressRecords.Known(record, content))
      guard let message, let content, content.expires > now, content.device != credentials.device else { continue }
      present.insert(content.device)
      take(message)
    }
    for device in Array(found.keys) where !present.contains(device) { forget(device) }
    write(known, answer.count)
  }

  private func write(_ known: [AddressRecords.Known], _ count: Int) {
    let addresses = host.ownAddresses
    let isThere = written.map { own in known.contains { $0.record == own.record } } ?? false
    if isThere, let written, written.addresses == addresses, Loop.now < written.due { return ended(nil) }
    guard let record = ownRecord(addresses) else { return ended(nil) }
    let deletions = AddressRecords.deletions(
      replacedBy: record,
      of: credentials.device,
      known: known,
      count: count,
      at: Membership.now
    )
    ask(
      .update(
        zone: zoneName,
        name: name,
        deletions: deletions,
        additions: [record],
        timeToLive: Limits.zoneTimeToLive
      )
    ) { [weak self] result in
      if case .failure(let failure) = result { return self?.ended(failure) ?? () }
      self?.written = (record, addresses, Loop.now + Limits.zoneRefreshTime)
      self?.ended(nil)
    }
  }

  private func ended(_ failure: DNSFailure?) {
    if failure != self.failure || !wasUsed {
      wasUsed = true
      if let failure {
        log.warning(
          "The team's addresses in a DNS zone cannot be used",
          ["zone": zone.name, "team": team.description, "why": failure.description]
        )
      } else {
        log.notice("The team's addresses are in a DNS zone", ["zone": zone.name, "team": team.description])
      }
      self.failure = failure
      host.serversChanged()
    }
    let pause = host.isAnyAway(in: team) ? Limits.zoneLookTime : Limits.zoneRestTime
    timer?.set(Loop.now + pause * Double.random(in: 0.8...1))
  }

  // MARK: Records

  private static func expiry(of time: Int64) -> Int64 { time &+ Limits.zoneRecordTime }

  /// The record of this machine: where it listens, and nothing of what its user does.
  private func ownRecord(_ addresses: [[UInt8]]) -> TXTRecord? {
    guard var advert = host.advert(of: team) else { return nil }
    advert.current = nil
    let message = RendezvousMessage(
      kind: .advert,
      sequence: settings.nextSequence(),
      advert: advert,
      port: settings.port,
      addresses: addresses
    )
    let nonce = SystemRandom.bytes(Sealer.nonceLength)
    guard let sealed = try? sealer.seal(message.plaintext, nonce: nonce, additional: additional) else { return nil }
    return TXTRecord(sealed: nonce + sealed)
  }

  private var additional: [UInt8] { Array("baton zone \(nameText.lowercased())".utf8) }

  /// Nil if it is not of the team, or was written too far in the future.
  private func open(_ record: TXTRecord) -> RendezvousMessage? {
    guard let sealed = record.sealed, sealed.count == RendezvousMessage.sealedLength,
      let plaintext = sealer.open(
        Array(sealed.dropFirst(Sealer.nonceLength)),
        nonce: Array(sealed.prefix(Sealer.nonceLength)),
        additional: additional
      ), let message = RendezvousMessage(plaintext: plaintext), message.kind == .advert,
      message.advert.time < Membership.now + Limits.advertClockTolerance
    else { return nil }
    return message
  }

  private func take(_ message: RendezvousMessage) {
    let device = message.advert.device
    let before = found[device]
    // An older record, which somebody may have kept.
    if let before, (message.advert.epoch, message.sequence) <= (before.epoch, before.sequence) { return }
    let addresses = SaidAddresses.accepted(message.addresses, port: message.port)
    let sign = addresses.map(\.description).joined(separator: " ")
    let instance = "zone \(device.text) \(Base32.encode(SHA256.hash(Array(sign.utf8)).prefix(5)))"
    found[device] = Found(
      epoch: message.advert.epoch,
      sequence: message.sequence,
      instance: instance,
      addresses: addresses
    )
    let peer = PeerID(team: team, device: device)
    host.foundAddresses(of: peer, name: message.advert.deviceName, as: instance, discoveryKey: credentials.discoveryKey)
    if let before, before.instance != instance { host.lost(before.instance) }
  }

  private func forget(_ device: DeviceID) {
    if let gone = found.removeValue(forKey: device) { host.lost(gone.instance) }
  }

  // MARK: Exchanges

  private func ask(_ message: DNSMessage, _ completion: @escaping @Loop (Result<DNSAnswer, DNSFailure>) -> Void) {
    let id = UInt16.random(in: .min ... .max)
    guard let exchange = DNSExchange(message, key: key, id: id, time: Membership.now, at: Loop.now) else {
      return completion(.failure(.tooManyRecords))
    }
    self.exchange = exchange
    next = completion
    deadline?.set(Loop.now + Limits.dnsReplyTime)
    connection = ServerConnection(to: server, for: owner) { [weak self] event in
      switch event {
      case .connected: self?.handle(.connected)
      case .received(let bytes): self?.handle(.received(bytes))
      case .secured: break
      case .ended: self?.handle(.closed)
      }
    }
  }

  private func handle(_ event: DNSExchange.Event) {
    guard let effects = exchange?.handle(event, at: Loop.now) else { return }
    for effect in effects {
      switch effect {
      case .send(let bytes): connection?.send(bytes)
      case .wake(let instant): deadline?.set(instant)
      case .done(let result):
        let next = next
        cancel()
        next?(result)
        return
      }
    }
  }

  private func cancel() {
    (exchange, next) = (nil, nil)
    connection?.close()
    connection = nil
    deadline?.set(nil)
  }
}

extension DNSFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .timedOut: "the zone's server does not answer in time"
    case .closed: "the zone's server does not answer"
    case .malformed(let why): "the answer of the zone's server makes no sense: \(why)"
    case .notAuthentic: "the answer is not signed with the key"
    case .refused: "the key may not do this in the zone"
    case .notAuthoritative: "the server is not the zone's primary server"
    case .wrongKey: "the server does not accept the key"
    case .wrongClock(let ahead):
      "this machine's clock is \(abs(ahead)) s \(ahead > 0 ? "behind" : "ahead of") the server's"
    case .tooManyRecords: "there are too many records of others"
    case .other(let code): "the server answered with RCODE \(code)"
    }
  }
}
