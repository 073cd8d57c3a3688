// SPDX-License-Identifier: Apache-2.0

import Discovery
import EventLoop

/// The multicast of a local network, in memory: each ``FakeDiscovery`` on it finds what the others publish.
@Loop
package final class FakeNetwork {
  private struct Published {
    var publication: ServiceInstance
    weak var owner: FakeDiscovery?
    var addresses: [SocketAddress]

    var text: [[UInt8]] { publication.text }
  }

  private var published: [String: Published] = [:]
  private var members: [() -> FakeDiscovery?] = []
  private var hidden: [(from: ObjectIdentifier, to: ObjectIdentifier)] = []

  /// When texts were changed in place, for each instance.
  package private(set) var updates: [String: [ContinuousClock.Instant]] = [:]

  /// Whether instances have addresses; if not, nobody can be reached.
  package var resolves = true
  /// Whether the records of a daemon stay after it withdraws them, as after it was killed. Nobody answers there.
  package var keepsWithdrawn = false

  /// Whether every name is already taken.
  package var takesNames = false
  /// How many times an instance was published.
  package private(set) var publishedCount = 0

  private init() {}

  package nonisolated static func make() throws -> FakeNetwork { try onLoop { FakeNetwork() } }

  /// Hides what one daemon publishes from another, including what is already published.
  package func hide(_ from: FakeDiscovery, from to: FakeDiscovery) {
    hidden.append((ObjectIdentifier(from), ObjectIdentifier(to)))
    for (instance, entry) in published where entry.owner === from && to.wants(instance) {
      to.tell(.lost(instance: instance))
    }
  }

  /// Undoes every ``hide(_:from:)``.
  package func reveal() {
    hidden = []
    for (instance, entry) in published {
      tellAll(but: entry.owner, .found(instance: instance, text: entry.text), about: instance)
    }
  }

  /// Publishes on behalf of no daemon: an instance whose daemon is gone, or an attacker's.
  package func inject(_ publication: ServiceInstance, addresses: [SocketAddress]) {
    published[publication.instance] = Published(publication: publication, owner: nil, addresses: addresses)
    tellAll(but: nil, .found(instance: publication.instance, text: publication.text), about: publication.instance)
  }

  /// What is currently published.
  package var publications: [ServiceInstance] { published.values.map(\.publication) }

  /// Tells all daemons that the addresses of their machines have changed.
  package func changeAddresses() { for member in members { member()?.tell(.addressesChanged) } }

  // MARK: What a FakeDiscovery does

  func join(_ discovery: FakeDiscovery) {
    members.append { [weak discovery] in discovery }
    discovery.tell(.available)
    searchChanged(of: discovery) { _ in false }
  }

  /// - Parameter wasWanted: Which names the daemon looked for before.
  func searchChanged(of discovery: FakeDiscovery, _ wasWanted: (String) -> Bool) {
    for (instance, entry) in published where entry.owner !== discovery && isVisible(entry.owner, discovery) {
      switch (wasWanted(instance), discovery.wants(instance)) {
      case (false, true): discovery.tell(.found(instance: instance, text: entry.text))
      case (true, false): discovery.tell(.lost(instance: instance))
      default: break
      }
    }
  }

  func publish(_ publication: ServiceInstance, by owner: FakeDiscovery) {
    publishedCount += 1
    guard !takesNames else { return owner.tell(.nameCollided(instance: publication.instance)) }
    let addresses = [SocketAddress(bytes: [127, 0, 0, 1], port: publication.port)].compactMap(\.self)
    published[publication.instance] = Published(publication: publication, owner: owner, addresses: addresses)
    owner.tell(.published(instance: publication.instance))
    tellAll(
      but: owner,
      .found(instance: publication.instance, text: publication.text),
      about: publication.instance
    )
  }

  func update(_ instance: String, _ text: [[UInt8]]) {
    guard let entry = published[instance] else { return }
    published[instance]?.publication.text = text
    updates[instance, default: []].append(Loop.now)
    tellAll(but: entry.owner, .found(instance: instance, text: text), about: instance)
  }

  func withdraw(_ instance: String) {
    guard !keepsWithdrawn else {
      published[instance]?.addresses = [SocketAddress(bytes: [127, 0, 0, 1], port: 1)].compactMap(\.self)
      return
    }
    guard let entry = published.removeValue(forKey: instance) else { return }
    tellAll(but: entry.owner, .lost(instance: instance), about: instance)
  }

  func withdrawAll(of owner: FakeDiscovery) {
    for instance in published.filter({ $0.value.owner === owner }).keys { withdraw(instance) }
    members.removeAll { $0() == nil || $0() === owner }
  }

  func resolve(_ instance: String, for asker: FakeDiscovery) {
    let entry = published[instance].flatMap { isVisible($0.owner, asker) ? $0 : nil }
    asker.tell(.resolved(instance: instance, addresses: resolves ? entry?.addresses ?? [] : []))
  }

  private func tellAll(but owner: FakeDiscovery?, _ event: DiscoveryEvent, about instance: String) {
    for member in members.compactMap({ $0() }) where member !== owner && isVisible(owner, member) {
      if member.wants(instance) { member.tell(event) }
    }
  }

  private func isVisible(_ owner: FakeDiscovery?, _ viewer: FakeDiscovery) -> Bool {
    guard let owner else { return true }
    return !hidden.contains { $0.from == ObjectIdentifier(owner) && $0.to == ObjectIdentifier(viewer) }
  }
}
