import Activity
import CAvahi

/// Looks for instances and watches their TXT records.
@AvahiQueue
final class Browsing {
  private var browser: ServiceBrowser?
  private var watches: [Sighting: RecordBrowser] = [:]
  private var table = InstanceTable()
  /// Browsers that failed. They are closed later, outside of their callbacks.
  private var isBrowserDead = false
  private var deadWatches: Set<Sighting> = []
  private let accepts: @AvahiQueue (Sighting) -> Bool
  private let report: @Sendable (AvahiReport) -> Void
  private let onFailure: @AvahiQueue () -> Void
  private weak var client: AvahiClient?
  /// When it fires, everything that has not answered is lost.
  private var settling: AvahiTimer?
  /// Runs while instances wait for room.
  private var rotating: AvahiTimer?
  private var isRotating = false

  /// - Parameters:
  ///   - accepts: Whether an instance is considered.
  ///   - onFailure: Called when ``repair(with:)`` must be called, later and not from within this call.
  init(
    accepts: @escaping @AvahiQueue (Sighting) -> Bool,
    report: @escaping @Sendable (AvahiReport) -> Void,
    onFailure: @escaping @AvahiQueue () -> Void
  ) {
    self.accepts = accepts
    self.report = report
    self.onFailure = onFailure
  }

  func sightings(of instance: String) -> [Sighting] { table.sightings(of: instance) }

  func rank(_ instance: String, _ rank: InstanceRank) { handle(.ranked(instance: instance, rank)) }

  /// Ends everything. Everything that was found is lost.
  func close() {
    for watch in watches.values { watch.close() }
    watches = [:]
    deadWatches = []
    browser?.close()
    browser = nil
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
    settling?.set(after: Limits.refreshTime)
  }

  /// Starts browsing, or restarts what has failed.
  func repair(with client: AvahiClient) throws(AvahiError) {
    self.client = client
    if isBrowserDead { close() }
    for sighting in deadWatches { watches.removeValue(forKey: sighting)?.close() }
    let dead = deadWatches
    deadWatches = []
    for sighting in dead { handle(.watchFailed(sighting)) }
    if browser == nil {
      browser = try ServiceBrowser(client) { [weak self] event in self?.browserSaw(event) }
    }
    handle(.retryDue)
  }

  private func browserSaw(_ event: BrowserEvent<Sighting>) {
    switch event {
    case .appeared(let sighting): if accepts(sighting) { handle(.appeared(sighting)) }
    case .disappeared(let sighting): handle(.disappeared(sighting))
    case .cacheExhausted: break
    case .failed:
      isBrowserDead = true
      onFailure()
    }
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
      case .unwatch(let sighting): watches.removeValue(forKey: sighting)?.close()
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
    rotating?.set(after: Limits.instanceTurn)
  }

  private func beginWatch(_ sighting: Sighting) {
    guard let name = ServiceName.join(sighting.instance), let client else { return }
    do throws(AvahiError) {
      watches[sighting] = try RecordBrowser(
        client,
        name: name,
        type: UInt16(AVAHI_DNS_TYPE_TXT),
        interface: sighting.interface,
        ipVersion: sighting.ipVersion
      ) { [weak self] event in self?.watch(sighting, saw: event) }
    } catch {
      handle(.watchFailed(sighting))
      onFailure()
    }
  }
}
