// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Handoff
import TLS

/// This machine's adverts, one for each team, and what the adverts of others say (Protocol.md section 2).
@Loop
final class Announcer {
  @Loop
  private final class Announcement {
    var credentials: Credentials { didSet { sealers = Self.sealers(credentials) } }
    /// One sealer for each key of the team, the newest first.
    private(set) var sealers: [(discoveryKey: [UInt8], sealer: Sealer)]
    /// Empty before it is published for the first time, as is the host.
    var instance = ""
    /// Whether machines with a code of the team recognize the name.
    var isInviting = false
    /// Old names, until others can find the new one.
    var earlier: [String] = []
    var host = ""
    var isPublished = false
    var current: ActivityRecord?
    var counter: UInt64 = 0
    /// The counter of the change with which `current` appeared.
    var since: UInt64 = 0
    var pacer = AdvertPacer()
    var timer: Timer?
    /// Fires when it must be announced under another name.
    var turn: Timer?
    /// The pauses between names, if others take them.
    var renaming = Backoff(Limits.renameBackoff)
    var lastCollision: ContinuousClock.Instant?

    init(_ credentials: Credentials) {
      self.credentials = credentials
      sealers = Self.sealers(credentials)
    }

    private static func sealers(_ credentials: Credentials) -> [(discoveryKey: [UInt8], sealer: Sealer)] {
      ([credentials.discoveryKey] + credentials.previousKeys).compactMap { key in
        Sealer(key: Credentials.advertKey(key)).map { (key, $0) }
      }
    }
  }

  /// Nil if the machine is not announced and does not look for others.
  private var discovery: (any ServiceDiscovery)?
  private let settings: Settings
  private let counters: Tally
  private unowned let host: any AnnouncerHost
  private let epoch: UInt64
  private let port: PeerPort
  private var announcements: [TeamID: Announcement] = [:]
  /// The text of every instance that discovery provides, which are at most `InstanceTable.instances`.
  private var texts: [String: [[UInt8]]] = [:]
  /// Which instances discovery provides.
  private var filter = InstanceFilter(keys: [])
  /// `K_inviter` of the teams that this machine has a code of.
  private var inviterKeys: Set<[UInt8]> = []
  private var isAvailable = false { didSet { host.discoveryStateChanged() } }
  private var availableState = GetStatus.DiscoveryState.running { didSet { host.discoveryStateChanged() } }
  /// Whether nothing is announced, until everything is announced again under new names.
  private var isSilent = false
  /// Whether Avahi was reached before.
  private var wasAvailable = false

  init(
    _ discovery: (any ServiceDiscovery)?,
    host: any AnnouncerHost,
    settings: Settings,
    epoch: UInt64,
    port: PeerPort,
    counters: Tally
  ) {
    self.discovery = discovery
    self.host = host
    self.settings = settings
    self.counters = counters
    self.epoch = epoch
    self.port = port
    discovery?.onEvent = { [weak self] event in self?.handle(event) }
  }

  var state: GetStatus.DiscoveryState { discovery == nil ? .disabled : isAvailable ? availableState : .connecting }

  func start() { discovery?.start() }

  /// Withdraws everything.
  func stop(completion: @escaping @Loop () -> Void) {
    for announcement in announcements.values {
      announcement.timer?.set(nil)
      announcement.turn?.set(nil)
    }
    guard let discovery else { return completion() }
    discovery.stop(completion: completion)
  }

  func resolve(_ instance: String) { discovery?.resolve(instance: instance) }

  /// Also looks for machines that may have given out a code, by `K_inviter` of each code's team.
  func look(forInviters keys: Set<[UInt8]>) {
    inviterKeys = keys
    look()
  }

  /// The instances that are seen now, other than this machine's own.
  var instances: [String] { Array(texts.keys) }

  private func look() {
    let keys = Set(announcements.values.map(\.credentials.instanceNameKey))
    let new = InstanceFilter(keys: keys, inviterKeys: inviterKeys)
    guard new != filter else { return }
    filter = new
    applyFilter()
  }

  private func applyFilter() {
    let filter = filter
    if filter.isEmpty { discovery?.look(for: nil) } else { discovery?.look { filter.accepts($0) } }
  }

  /// Tells discovery how much an instance matters. If there is no room for all, the least important ones give way.
  func rank(_ instance: String, _ rank: InstanceRank) { discovery?.rank(instance: instance, as: rank) }

  /// - Parameter completion: Called once, never before this returns; with nil if discovery is off.
  func examine(completion: @escaping @Loop (Examination?) -> Void) {
    guard let discovery else {
      Task { @Loop in completion(nil) }
      return
    }
    discovery.examine(completion: completion)
  }

  /// Sets which teams are announced. A team with a new discovery key is also announced under a new name.
  func setTeams(_ teams: [Credentials]) {
    let ids = Set(teams.map(\.team))
    for (team, announcement) in announcements where !ids.contains(team) {
      withdraw(announcement)
      announcements[team] = nil
    }
    for credentials in teams {
      if let announcement = announcements[credentials.team] {
        renew(announcement, credentials)
        continue
      }
      let announcement = Announcement(credentials)
      announcement.timer = Timer { [weak self, unowned announcement] in self?.update(announcement, isDue: true) }
      announcement.turn = Timer { [weak self, unowned announcement] in self?.takeTurn(announcement) }
      announcements[credentials.team] = announcement
    }
    look()
  }

  /// Called when there is a new code of a team. Machines that have it must recognize this one.
  func invited(to team: TeamID) {
    guard let announcement = announcements[team], !announcement.isInviting else { return }
    takeTurn(announcement)
  }

  private func renew(_ announcement: Announcement, _ credentials: Credentials) {
    guard announcement.credentials.discoveryKey != credentials.discoveryKey else { return }
    announcement.credentials = credentials
    guard announcement.isPublished else { return }
    withdraw(announcement)
    rename(announcement)
  }

  /// Reads again what was seen before the machine was in its present teams.
  func readAgain() { for (instance, text) in texts { read(instance, text) } }

  /// Sets what the team's advert shows.
  func announce(_ team: TeamID, _ current: ActivityRecord?, counter: UInt64) {
    guard let announcement = announcements[team] else { return }
    // Adverts leave out what changes quickly. A receiver must still learn that the activity was gone in between.
    if current?.id != announcement.current?.id { announcement.since = counter }
    announcement.current = current
    announcement.counter = counter
    host.announced(team)
    guard !isSilent else { return }
    announcement.isPublished ? update(announcement, isDue: false) : rename(announcement)
  }

  /// Called when peers reach this machine on another port than before.
  func portMoved() { handle(.addressesChanged) }

  // MARK: Reloading

  /// Called when this machine has another name.
  func nameChanged() {
    for announcement in announcements.values where announcement.isPublished { update(announcement, isDue: false) }
    for team in announcements.keys { host.announced(team) }
  }

  /// Announces and searches on other interfaces from now on.
  func use(_ interfaces: InterfacePolicy) {
    discovery?.use(interfaces)
    // A machine that is falling asleep does this when it wakes.
    if !isSilent { announceAnew() }
  }

  /// Announces and searches through `new` from now on, or stops both if it is nil.
  func setDiscovery(_ new: (any ServiceDiscovery)?) {
    discovery?.stop {}
    (isAvailable, wasAvailable, availableState) = (false, false, .running)
    for announcement in announcements.values {
      announcement.isPublished = false
      announcement.earlier = []
      announcement.timer?.set(nil)
      announcement.turn?.set(nil)
    }
    let lost = texts.keys
    texts = [:]
    lost.forEach { host.lost($0) }
    discovery = new
    new?.onEvent = { [weak self] event in self?.handle(event) }
    applyFilter()
    new?.start()
    if !isSilent { for announcement in announcements.values where announcement.counter > 0 { rename(announcement) } }
  }

  // MARK: Publishing

  private func publish(_ announcement: Announcement) {
    guard let discovery, let text = text(announcement) else { return }
    announcement.isPublished = true
    announcement.turn?.set(Loop.now + Limits.advertPeriod * Double.random(in: 0.9...1))
    counters.count(.advertsPublished, for: .team(announcement.credentials.team))
    discovery.publish(
      ServiceInstance(instance: announcement.instance, host: announcement.host, port: port.number, text: text)
    )
  }

  private func update(_ announcement: Announcement, isDue: Bool) {
    let decision = isDue ? announcement.pacer.due(at: Loop.now) : announcement.pacer.changed(at: Loop.now)
    switch decision {
    case .publish:
      guard let text = text(announcement) else { break }
      counters.count(.advertsPublished, for: .team(announcement.credentials.team))
      discovery?.update(instance: announcement.instance, text: text)
    case .wake(let instant): announcement.timer?.set(instant)
    case nil: break
    }
  }

  /// What this machine tells a team now; nil before it has something to say.
  func advert(of team: TeamID) -> Advert? { announcements[team].flatMap { $0.counter > 0 ? advert($0) : nil } }

  private func advert(_ announcement: Announcement) -> Advert {
    Advert(
      device: announcement.credentials.device,
      deviceName: settings.deviceName,
      epoch: epoch,
      counter: announcement.counter,
      current: announcement.current.map { Advert.Current($0, since: UInt32(truncatingIfNeeded: announcement.since)) },
      time: Self.date
    )
  }

  private func text(_ announcement: Announcement) -> [[UInt8]]? {
    let advert = advert(announcement)
    let nonce = SystemRandom.bytes(Sealer.nonceLength)
    guard
      let sealed = try? announcement.sealers.first?.sealer.seal(
        advert.plaintext,
        nonce: nonce,
        additional: Array(announcement.instance.utf8)
      )
    else { return nil }
    let sign = announcement.credentials.sign(ofInstance: announcement.instance, time: Self.date)
    return AdvertText.strings(sealed: nonce + sealed, sign: sign)
  }

  /// Withdraws everything, and announces nothing until ``announceAnew()``.
  func fallSilent() {
    isSilent = true
    for announcement in announcements.values { withdraw(announcement) }
  }

  private func withdraw(_ announcement: Announcement) {
    guard announcement.isPublished else { return }
    announcement.isPublished = false
    announcement.timer?.set(nil)
    announcement.turn?.set(nil)
    withdrawEarlier(announcement)
    discovery?.withdraw(instance: announcement.instance)
  }

  private func withdrawEarlier(_ announcement: Announcement) {
    for instance in announcement.earlier { discovery?.withdraw(instance: instance) }
    announcement.earlier = []
  }

  /// Announces the same under a new name. So nobody can follow the machine by its name, and recorded names are soon
  /// outdated. The old name is withdrawn when others can find the new one.
  private func takeTurn(_ announcement: Announcement) {
    guard announcement.isPublished else { return }
    withdrawEarlier(announcement)
    announcement.earlier = [announcement.instance]
    rename(announcement)
  }

  /// Takes another name later, because somebody else uses this one. An attacker who takes every name prevents this
  /// machine from being found, but nothing else.
  private func collided(_ announcement: Announcement) {
    guard announcement.isPublished else { return }
    let now = Loop.now
    if announcement.lastCollision.map({ $0 + Limits.advertPeriod < now }) ?? false { announcement.renaming.reset() }
    announcement.lastCollision = now
    announcement.turn?.set(now + announcement.renaming.next())
  }

  private static var date: Int64 { Int64(Loop.clock.date) }

  /// Announces everything under new names, so that nobody can tell that the old and the new names belong together. Also
  /// searches for others again.
  func announceAnew() {
    isSilent = false
    discovery?.refresh()
    // A team that was never announced has nothing to say yet.
    for announcement in announcements.values where announcement.counter > 0 {
      withdraw(announcement)
      rename(announcement)
    }
  }

  private func rename(_ announcement: Announcement) {
    let team = announcement.credentials.team
    announcement.isInviting = host.isInviting(to: team)
    announcement.instance = InstanceName.make(
      key: announcement.credentials.instanceNameKey,
      inviterKey: announcement.isInviting ? InstanceName.inviterKey(for: team.description) : nil
    )
    announcement.host = Base32.encode(SystemRandom.bytes(16))
    publish(announcement)
  }

  // MARK: Finding

  private func handle(_ event: DiscoveryEvent) {
    switch event {
    case .available:
      if wasAvailable { counters.count(.avahiReconnects, for: .everybody) }
      (isAvailable, wasAvailable) = (true, true)
    case .unavailable: isAvailable = false
    case .muted(let isMuted): availableState = isMuted ? .muted : .running
    case .published(let instance):
      if let announcement = announcements.values.first(where: { $0.instance == instance }) {
        withdrawEarlier(announcement)
      }
    case .nameCollided(let instance):
      if let announcement = announcements.values.first(where: { $0.instance == instance }) { collided(announcement) }
    case .found(let instance, let text): found(instance, text)
    case .lost(let instance):
      texts[instance] = nil
      host.lost(instance)
    case .resolved(let instance, let addresses): host.resolved(instance, addresses)
    case .foundElsewhere(let instance, let addresses): host.foundElsewhere(instance, addresses)
    case .addressesChanged:
      guard !isSilent else { return }
      announceAnew()
      host.networkChanged()
    }
  }

  private func found(_ instance: String, _ text: [[UInt8]]) {
    if texts.updateValue(text, forKey: instance) == nil { host.found(instance) }
    read(instance, text)
  }

  private func read(_ instance: String, _ text: [[UInt8]]) {
    guard let sealed = AdvertText.sealed(in: text) else { return }
    let nonce = Array(sealed.prefix(Sealer.nonceLength))
    let rest = Array(sealed.dropFirst(Sealer.nonceLength))
    for (team, announcement) in announcements {
      for (discoveryKey, sealer) in announcement.sealers {
        guard let plaintext = sealer.open(rest, nonce: nonce, additional: Array(instance.utf8)) else { continue }
        guard var advert = Advert(plaintext: plaintext), advert.device != announcement.credentials.device,
          let time = localTime(of: advert.time, team, advert.device)
        else { return }
        advert.time = time
        return host.saw(advert, of: team, as: instance, discoveryKey: discoveryKey)
      }
    }
    guard let sign = AdvertText.sign(in: text) else { return }
    for (team, announcement) in announcements where announcement.instance != instance {
      guard let time = announcement.credentials.time(ofSign: sign, ofInstance: instance) else { continue }
      if localTime(of: time, team, nil) != nil { host.sawUnreadable(instance, of: team) }
      return
    }
  }

  /// Converts the time of an advert to this machine's clock; nil if it is too old.
  func localTime(of time: Int64, _ team: TeamID, _ device: DeviceID?) -> Int64? {
    Advert.localTime(of: time, now: Self.date, clockOffsets: host.clockOffsets(in: team, of: device))
  }
}
