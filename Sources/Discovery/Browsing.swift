import Activity
import CAvahi

/// Looks for instances and watches their TXT records.
@AvahiQueue
final class Browsing {
  private var browser: ServiceBrowser?
  private var watches: [Sighting: RecordBrowser] = [:]
  private var table = InstanceTable()
  /// Browsers that ended by themselves, to be closed outside of their callbacks.
  private var isBrowserDead = false
  private var deadWatches: Set<Sighting> = []
  private let isOwn: @AvahiQueue (String) -> Bool
  private let report: @Sendable (AvahiReport) -> Void
  private let onFailure: @AvahiQueue () -> Void
  private weak var client: AvahiClient?

  /// - Parameters:
  ///   - isOwn: Whether an instance is one of this daemon.
  ///   - onFailure: Called when ``repair(with:)`` is to be called, later and not from here.
  init(
    isOwn: @escaping @AvahiQueue (String) -> Bool,
    report: @escaping @Sendable (AvahiReport) -> Void,
    onFailure: @escaping @AvahiQueue () -> Void
  ) {
    self.isOwn = isOwn
    self.report = report
    self.onFailure = onFailure
  }

  func sightings(of instance: String) -> [Sighting] { table.sightings(of: instance) }

  /// Ends everything; what was found is lost.
  func close() {
    for watch in watches.values { watch.close() }
    watches = [:]
    deadWatches = []
    browser?.close()
    browser = nil
    isBrowserDead = false
    handle(.reset)
  }

  /// Begins, or begins again what has failed.
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
    case .appeared(let sighting): if !isOwn(sighting.instance) { handle(.appeared(sighting)) }
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
