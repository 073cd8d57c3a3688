// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop

/// The half of one ``AvahiDiscovery`` that lives on Avahi's queue: a client while Avahi is available, and what is
/// wanted of it. It connects again by itself each time Avahi or D-Bus comes back.
@AvahiQueue
final class AvahiConnection {
  /// The first and the longest pause between attempts to reach Avahi.
  private nonisolated static let avahiBackoff = Duration.milliseconds(50)...Duration.seconds(5)
  /// The first and the longest pause between attempts at a call that Avahi refused.
  private nonisolated static let avahiRetryBackoff = Duration.seconds(5)...Duration.seconds(60)

  private let report: @Sendable (AvahiReport) -> Void
  private var client: AvahiClient?
  private var publishing: Publishing?
  private var browsing: Browsing?
  private var resolutions: [String: Resolution] = [:]
  /// The last answered request of each instance.
  private var answered: [String: UInt64] = [:]
  private var wanted = Wanted()

  private var isClosed = false
  /// The last availability that was reported; nil before the first report.
  private var isAvailable: Bool?
  private var isMuted = false
  private var lastError: String?
  private var reconnectBackoff = Backoff(AvahiConnection.avahiBackoff)
  /// Since when the client is usable.
  private var runningSince: ContinuousClock.Instant?
  /// How long it must be until the next pause is the first one again.
  private static let steadyTime = Duration.seconds(10)
  private var retryBackoff = Backoff(AvahiConnection.avahiRetryBackoff)
  /// Avahi's callbacks only set these timers, because the work to be done may free the object that called back.
  private var soon: AvahiTimer?
  private var later: AvahiTimer?

  nonisolated init(report: @escaping @Sendable (AvahiReport) -> Void) { self.report = report }

  func start() {
    soon = AvahiTimer { [weak self] in self?.work() }
    later = AvahiTimer { [weak self] in self?.work() }
    publishing = Publishing(report: report) { [weak self] in self?.workSoon() }
    browsing = Browsing(
      accepts: { [weak self] in self?.accepts($0) == true },
      report: report,
      onFailure: { [weak self] in self?.workLater() }
    )
    work()
  }

  func want(_ wanted: Wanted) {
    let before = self.wanted
    self.wanted = wanted
    if wanted.search != before.search { browsing?.look(for: wanted.search.isWanted) }
    if wanted.refreshes != before.refreshes { browsing?.refresh() }
    work()
    report(.taken)
  }

  func rank(_ instance: String, _ rank: InstanceRank) { browsing?.rank(instance, rank) }

  /// Frees everything, in the order that Avahi needs. Avahi tells peers that everything published is gone.
  func close() {
    isClosed = true
    disconnect()
    soon = nil
    later = nil
  }

  /// Whether an instance that is looked for belongs to another daemon and was seen on an interface that is used.
  private func accepts(_ sighting: Sighting) -> Bool {
    guard !wanted.ownInstances.contains(sighting.instance),
      let name = HostAddresses.name(ofInterface: sighting.interface)
    else { return false }
    return HostAddresses.policy(wanted.interfaces).uses(name)
  }

  private func workSoon() { soon?.set(after: .zero) }

  private func workLater() { later?.set(after: retryBackoff.next()) }

  /// Carries out what is wanted, as far as possible now.
  private func work() {
    guard !isClosed else { return }
    guard let client = client ?? connect() else { return }
    switch client.state {
    case .connecting: tell(isAvailable: false)
    case .failed:
      // A user of the machine can end each connection as soon as it is there.
      if let runningSince, .now - runningSince >= Self.steadyTime { reconnectBackoff.reset() }
      disconnect()
      soon?.set(after: reconnectBackoff.next())
    case .registering, .running:
      if client.state == .running, runningSince == nil { runningSince = .now }
      tell(isAvailable: true)
      use(client)
    }
  }

  private func connect() -> AvahiClient? {
    do throws(AvahiError) {
      client = try AvahiClient { [weak self] _ in self?.workSoon() }
    } catch {
      tell(isAvailable: false)
      soon?.set(after: reconnectBackoff.next())
    }
    return client
  }

  private func disconnect() {
    for resolution in resolutions.values { resolution.close() }
    resolutions = [:]
    browsing?.close()
    publishing?.close()
    client?.close()
    (client, runningSince) = (nil, nil)
    if !isClosed { tell(isAvailable: false) }
  }

  private func use(_ client: AvahiClient) {
    var firstError = publishing?.apply(wanted.publications, wanted.interfaces, to: client)
    if !wanted.publications.isEmpty { tell(isMuted: firstError?.isForbidden == true) }
    do throws(AvahiError) {
      try browsing?.repair(with: client)
    } catch {
      firstError = firstError ?? error
    }
    resolve(client)
    if let firstError {
      workLater()
      tell(firstError)
    } else if let deadline = publishing?.deadline {
      later?.set(after: max(.zero, deadline - .now))
    } else {
      retryBackoff.reset()
      lastError = nil
    }
  }

  private func resolve(_ client: AvahiClient) {
    for (instance, resolution) in resolutions where wanted.resolutions[instance] != resolution.request {
      resolution.close()
      resolutions[instance] = nil
    }
    answered = answered.filter { wanted.resolutions[$0.key] == $0.value }
    for (instance, request) in wanted.resolutions where answered[instance] != request && resolutions[instance] == nil {
      let resolution = Resolution(
        client,
        request: request,
        sightings: browsing?.sightings(of: instance) ?? []
      ) { [weak self] in self?.resolved(instance, request, $0, elsewhere: $1) }
      if answered[instance] != request { resolutions[instance] = resolution }
    }
  }

  private func resolved(
    _ instance: String,
    _ request: UInt64,
    _ addresses: [SocketAddress],
    elsewhere: [SocketAddress]
  ) {
    answered[instance] = request
    resolutions[instance] = nil
    if addresses.isEmpty, !elsewhere.isEmpty {
      report(.event(.foundElsewhere(instance: instance, addresses: elsewhere)))
    }
    report(.resolved(instance: instance, request: request, addresses: addresses))
  }

  private func tell(isAvailable: Bool) {
    guard isAvailable != self.isAvailable else { return }
    self.isAvailable = isAvailable
    report(.event(isAvailable ? .available : .unavailable))
  }

  private func tell(isMuted: Bool) {
    guard isMuted != self.isMuted else { return }
    self.isMuted = isMuted
    report(.muted(isMuted))
  }

  private func tell(_ error: AvahiError) {
    guard error.description != lastError else { return }
    lastError = error.description
    report(.log("Avahi refused a call; trying again: \(error)"))
  }
}
