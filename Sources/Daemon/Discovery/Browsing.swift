// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// Looks for instances and watches their TXT records.
@AvahiQueue
final class Browsing {
  /// How long an unknown instance keeps its place if others wait for it. Its text arrives in milliseconds.
  private static let instanceTurn = Duration.seconds(1)
  /// The time from restarting the browser until instances that did not answer count as lost. By then, Avahi has
  /// reported the others.
  nonisolated static let refreshTime = Duration.seconds(3)

  private var browser: ServiceBrowser?
  private var watches: [Sighting: (browser: RecordBrowser, client: Int)] = [:]
  private var table = InstanceTable()
  private var counter = InstanceCounter()
  /// Browsers that failed. They are closed later, outside of their callbacks.
  private var isBrowserDead = false
  private var deadWatches: Set<Sighting> = []
  /// Nil if nothing is looked for.
  private var isWanted: (@Sendable (String) -> Bool)?
  /// Set if the browser must tell again what is there, because names pass that did not pass before.
  private var mustBrowseAgain = false
  private let accepts: @AvahiQueue (Sighting) -> Bool
  private let report: @Sendable (AvahiReport) -> Void
  private let onFailure: @AvahiQueue () -> Void
  private let clients: WatchClients
  /// When it fires, everything that has not answered is lost.
  private var settling: AvahiTimer?
  /// Runs while instances wait for room.
  private var rotating: AvahiTimer?
  private var isRotating = false

  /// - Parameters:
  ///   - accepts: Whether an instance that is wanted is considered.
  ///   - onFailure: Called when ``repair(with:)`` must be called, later and not from within this call.
  init(
    accepts: @escaping @AvahiQueue (Sighting) -> Bool,
    report: @escaping @Sendable (AvahiReport) -> Void,
    onFailure: @escaping @AvahiQueue () -> Void
  ) {
    self.accepts = accepts
    self.report = report
    self.onFailure = onFailure
    clients = WatchClients()
    clients.onFailure = { [weak self] in
      self?.isBrowserDead = true
      onFailure()
    }
  }

  func sightings(of instance: String) -> [Sighting] { table.sightings(of: instance) }

  /// Looks for other instances once ``repair(with:)`` is called. Nothing is kept of those that were not wanted before,
  /// so Avahi tells again what is there.
  func look(for isWanted: (@Sendable (String) -> Bool)?) {
    self.isWanted = isWanted
    guard let isWanted else { return close() }
    for sighting in table.allSightings where !isWanted(sighting.instance) { handle(.disappeared(sighting)) }
    mustBrowseAgain = browser != nil
  }

  func rank(_ instance: String, _ rank: InstanceRank) { handle(.ranked(instance: instance, rank)) }

  /// Ends everything. Everything that was found is lost.
  func close() {
    for watch in watches.values { watch.browser.close() }
    watches = [:]
    clients.close()
    deadWatches = []
    browser?.close()
    browser = nil
    count { $0 = InstanceCounter() }
    isBrowserDead = false
    settling?.cancel()
    handle(.reset)
  }

  /// Asks the network again once ``repair(with:)`` is called. A browser that continued would only hear what Avahi
  /// remembers.
  func refresh() {
    browser?.close()
    browser = nil
    isBrowserDead = false
    deadWatches = []
    handle(.refreshed)
    settling = settling ?? AvahiTimer { [weak self] in self?.handle(.settled) }
    settling?.set(after: Self.refreshTime)
  }

  /// Starts browsing, or restarts what has failed.
  func repair(with client: AvahiClient) throws(AvahiError) {
    if isBrowserDead { close() }
    clients.use(client)
    for sighting in deadWatches { endWatch(sighting) }
    let dead = deadWatches
    deadWatches = []
    for sighting in dead { handle(.watchFailed(sighting)) }
    if isWanted != nil, browser == nil || mustBrowseAgain {
      // The old one ends after the new one has begun, so that nothing disappears unseen in between.
      let new = try ServiceBrowser(client) { [weak self] event in self?.browserSaw(event) }
      browser?.close()
      browser = new
      count { $0 = InstanceCounter() }
      mustBrowseAgain = false
    }
    handle(.retryDue)
  }

  private func browserSaw(_ event: BrowserEvent<Sighting>) {
    count { $0.handle(event) }
    switch event {
    case .appeared(let sighting):
      if isWanted?(sighting.instance) == true, accepts(sighting) { handle(.appeared(sighting)) }
    case .disappeared(let sighting):
      if isWanted?(sighting.instance) == true { handle(.disappeared(sighting)) }
    case .cacheExhausted: break
    case .failed:
      isBrowserDead = true
      onFailure()
    }
  }

  private func count(_ change: (inout InstanceCounter) -> Void) {
    let wasCrowded = counter.isCrowded
    change(&counter)
    if counter.isCrowded != wasCrowded { report(.crowded(counter.isCrowded)) }
  }

  private func watch(_ sighting: Sighting, saw event: BrowserEvent<[UInt8]>) {
    switch event {
    case .appeared(let data): handle(.textAppeared(data, sighting))
    case .disappeared(let data): handle(.textDisappeared(data, sighting))
    case .cacheExhausted: break
    case .failed:
      deadWatches.insert(sighting)
      onFailure()
    }
  }

  private func handle(_ event: InstanceTable.Event) {
    for effect in table.handle(event) {
      switch effect {
      case .watch(let sighting): beginWatch(sighting)
      case .unwatch(let sighting): endWatch(sighting)
      case .found(let instance, let text): report(.event(.found(instance: instance, text: text)))
      case .lost(let instance): report(.event(.lost(instance: instance)))
      }
    }
    rotateLater()
  }

  private func rotateLater() {
    guard table.isCrowded, !isRotating else { return }
    isRotating = true
    rotating =
      rotating
      ?? AvahiTimer { [weak self] in
        self?.isRotating = false
        self?.handle(.rotated)
      }
    rotating?.set(after: Self.instanceTurn)
  }

  private func beginWatch(_ sighting: Sighting) {
    guard let name = ServiceName.join(sighting.instance) else { return }
    var number: Int?
    do throws(AvahiError) {
      let place = try clients.take()
      number = place.number
      let browser = try RecordBrowser(
        place.client,
        name: name,
        type: UInt16(AVAHI_DNS_TYPE_TXT),
        interface: sighting.interface,
        ipVersion: sighting.ipVersion
      ) { [weak self] event in self?.watch(sighting, saw: event) }
      watches[sighting] = (browser, place.number)
    } catch {
      if let number { clients.free(number) }
      handle(.watchFailed(sighting))
      onFailure()
    }
  }

  private func endWatch(_ sighting: Sighting) {
    guard let watch = watches.removeValue(forKey: sighting) else { return }
    watch.browser.close()
    clients.free(watch.client)
  }
}
