// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop

/// Discovery through avahi-daemon, which may come and go.
///
/// This is the loop's half. It knows what is wanted, and hands all of it to Avahi's queue, one value at a time.
@Loop
package final class AvahiDiscovery: ServiceDiscovery {
  /// How long stopping waits for Avahi, whose calls block for up to 25 s.
  private static let discoveryStopTime = Duration.seconds(2)

  package var onEvent: (@Loop (DiscoveryEvent) -> Void)?

  private let log: @Sendable (String) -> Void
  private var session: AvahiConnection?
  private var monitor: AddressMonitor?
  private(set) var wanted = Wanted()
  /// Whether Avahi tells of so many instances that its cache may be full.
  private(set) var isCrowded = false
  /// Whether Avahi's configuration lets no program announce anything.
  private(set) var isMuted = false
  /// Whether Avahi's queue was given a value and has not taken it yet, and whether there is a newer one.
  private var isHandedOver = false
  private var isNewer = false
  private var isStopped = false

  private var lastRequest: UInt64 = 0
  private var resolveDeadlines: [String: ContinuousClock.Instant] = [:]
  private var resolveTimer: Timer?
  private var stopTimer: Timer?
  /// Whether Avahi is available, and whether it was when the log last said so.
  private var isAvailable: Bool?
  private var isLoggedAvailable: Bool?
  private var lines = TokenBucket(TokenBucket.Rate(perSecond: 1.0 / 60, burst: 8), at: .now)
  private var lineTimer: Timer?
  private var onStopped: (@Loop () -> Void)?

  /// - Parameters:
  ///   - interfaces: The interfaces on which to announce and to look for instances.
  ///   - log: Gets one sentence for each change of state. It is called on any queue.
  package init(interfaces: InterfacePolicy = InterfacePolicy(), log: @escaping @Sendable (String) -> Void) {
    wanted.interfaces = interfaces
    self.log = log
  }

  package func start() {
    guard session == nil, !isStopped else { return }
    let session = AvahiConnection { [weak self] report in
      Task { @Loop in self?.handle(report) }
    }
    self.session = session
    Task { @AvahiQueue in session.start() }
    watchAddresses()
    resolveTimer = Timer { [weak self] in self?.giveUpResolving() }
    lineTimer = Timer { [weak self] in
      if let self, let isAvailable = self.isAvailable { self.logAvailability(isAvailable) }
    }
    handOver()
  }

  package func publish(_ publication: ServiceInstance) {
    wanted.publications[publication.instance] = publication
    wanted.ownInstances.insert(publication.instance)
    handOver()
  }

  package func update(instance: String, text: [[UInt8]]) {
    guard wanted.publications[instance] != nil else { return }
    wanted.publications[instance]?.text = text
    handOver()
  }

  package func withdraw(instance: String) {
    guard wanted.publications.removeValue(forKey: instance) != nil else { return }
    handOver()
  }

  package func look(for isWanted: (@Sendable (String) -> Bool)?) {
    wanted.search = Wanted.Search(number: wanted.search.number &+ 1, isWanted: isWanted)
    handOver()
  }

  package func resolve(instance: String) {
    guard !isStopped, wanted.resolutions[instance] == nil else { return }
    lastRequest &+= 1
    wanted.resolutions[instance] = lastRequest
    resolveDeadlines[instance] = .now + Limits.resolveTime
    resolveTimer?.set(resolveDeadlines.values.min())
    handOver()
  }

  package func rank(instance: String, as rank: InstanceRank) {
    guard let session, !isStopped else { return }
    Task { @AvahiQueue in session.rank(instance, rank) }
  }

  package func refresh() {
    wanted.refreshes &+= 1
    handOver()
  }

  package func use(_ interfaces: InterfacePolicy) {
    guard wanted.interfaces != interfaces else { return }
    wanted.interfaces = interfaces
    guard monitor != nil, !isStopped else { return }
    watchAddresses()
    handOver()
  }

  private func watchAddresses() {
    monitor?.close()
    monitor = AddressMonitor(wanted.interfaces) { [weak self] in self?.tell(.addressesChanged) }
  }

  package func stop(completion: @escaping @Loop () -> Void) {
    guard !isStopped else { return completion() }
    isStopped = true
    onEvent = nil
    monitor?.close()
    (resolveTimer, lineTimer) = (nil, nil)
    guard let session else { return completion() }
    onStopped = completion
    stopTimer = Timer { [weak self] in self?.stopped() }
    stopTimer?.set(.now + Self.discoveryStopTime)
    Task { @AvahiQueue in
      session.close()
      Task { @Loop in self.stopped() }
    }
  }

  private func handOver() {
    guard let session, !isStopped else { return }
    guard !isHandedOver else { return isNewer = true }
    isHandedOver = true
    isNewer = false
    let wanted = wanted
    Task { @AvahiQueue in session.want(wanted) }
  }

  private func handle(_ report: AvahiReport) {
    guard !isStopped else { return }
    switch report {
    case .event(let event):
      if case .nameCollided(let instance) = event { withdraw(instance: instance) }
      tell(event)
    case .resolved(let instance, let request, let addresses):
      if wanted.resolutions[instance] == request { resolved(instance, addresses) }
    case .taken:
      isHandedOver = false
      if isNewer { handOver() }
    case .crowded(let isCrowded): self.isCrowded = isCrowded
    case .muted(let isMuted):
      self.isMuted = isMuted
      tell(.muted(isMuted))
    case .log(let message): log(message)
    }
  }

  private func resolved(_ instance: String, _ addresses: [SocketAddress]) {
    wanted.resolutions[instance] = nil
    resolveDeadlines[instance] = nil
    resolveTimer?.set(resolveDeadlines.values.min())
    tell(.resolved(instance: instance, addresses: addresses))
    handOver()
  }

  /// Answers requests that Avahi, or its queue, did not answer in time.
  private func giveUpResolving() {
    let now = ContinuousClock.now
    for (instance, deadline) in resolveDeadlines where deadline <= now { resolved(instance, []) }
    resolveTimer?.set(resolveDeadlines.values.min())
  }

  private func tell(_ event: DiscoveryEvent) {
    switch event {
    case .available: logAvailability(true)
    case .unavailable: logAvailability(false)
    case .nameCollided: log("An instance name is already in use; choosing a different one")
    case .addressesChanged: log("This machine's network has changed")
    case .muted, .published, .found, .foundElsewhere, .lost, .resolved: break
    }
    onEvent?(event)
  }

  /// Logs whether Avahi is available; later, if there were too many lines about that.
  private func logAvailability(_ isAvailable: Bool) {
    self.isAvailable = isAvailable
    guard isAvailable != isLoggedAvailable else { return }
    let now = ContinuousClock.now
    guard lines.take(at: now) else {
      lineTimer?.set(lines.ready(at: now))
      return
    }
    isLoggedAvailable = isAvailable
    log(isAvailable ? "Avahi is running" : "Waiting for Avahi, which isn't running")
  }

  private func stopped() {
    stopTimer = nil
    session = nil
    let onStopped = self.onStopped
    self.onStopped = nil
    onStopped?()
  }
}
