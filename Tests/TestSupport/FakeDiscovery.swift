// SPDX-License-Identifier: Apache-2.0

import Discovery
import EventLoop

/// One daemon's view of a ``FakeNetwork``. As with Avahi, events arrive later, never from within a call.
@Loop
package final class FakeDiscovery: ServiceDiscovery {
  package var onEvent: (@Loop (DiscoveryEvent) -> Void)?
  /// What ``examine(completion:)`` reports.
  package var examination = well

  /// An interface that all daemons of this process are on.
  package static let well = Examination(
    interfaces: [
      InterfaceReport(
        name: "eth0",
        index: 2,
        networks: [SocketAddress(bytes: [127, 0, 0, 1], port: 0)].compactMap(\.self).map {
          InterfaceReport.Network(address: $0, mask: [255, 0, 0, 0])
        }
      )
    ]
  )
  private let network: FakeNetwork
  private var isStarted = false
  private var isStopped = false
  private var early: [ServiceInstance] = []

  package init(_ network: FakeNetwork) { self.network = network }

  package func start() {
    isStarted = true
    network.join(self)
    for publication in early { network.publish(publication, by: self) }
    early = []
  }

  package func publish(_ publication: ServiceInstance) {
    guard !isStopped else { return }
    isStarted ? network.publish(publication, by: self) : early.append(publication)
  }

  package func update(instance: String, text: [[UInt8]]) {
    guard !isStopped else { return }
    for index in early.indices where early[index].instance == instance { early[index].text = text }
    network.update(instance, text)
  }

  package func withdraw(instance: String) {
    early.removeAll { $0.instance == instance }
    network.withdraw(instance)
  }

  private var isWanted: (@Sendable (String) -> Bool)?

  package func look(for isWanted: (@Sendable (String) -> Bool)?) {
    let wanted = self.isWanted
    self.isWanted = isWanted
    if isStarted { network.searchChanged(of: self) { wanted?($0) == true } }
  }

  func wants(_ instance: String) -> Bool { isWanted?(instance) == true }

  /// The instances whose addresses the daemon asked for.
  package private(set) var asked: [String] = []

  package func resolve(instance: String) {
    asked.append(instance)
    network.resolve(instance, for: self)
  }

  /// The rank that the daemon last gave to each instance.
  package private(set) var ranks: [String: InstanceRank] = [:]

  package func rank(instance: String, as rank: InstanceRank) { ranks[instance] = rank }

  /// How often discovery was refreshed.
  package private(set) var refreshes = 0

  package func refresh() { refreshes += 1 }

  package private(set) var interfaces: InterfacePolicy?

  package func use(_ interfaces: InterfacePolicy) { self.interfaces = interfaces }

  package func examine(completion: @escaping @Loop (Examination) -> Void) {
    let examination = examination
    Task { @Loop in completion(examination) }
  }

  package func stop(completion: @escaping @Loop () -> Void) {
    isStopped = true
    network.withdrawAll(of: self)
    Task { @Loop in completion() }
  }

  /// Makes the daemon vanish from the network while its records stay.
  package func vanish() { isStopped = true }

  /// Sends the event to the daemon on the next turn of the loop.
  package func tell(_ event: DiscoveryEvent) {
    Task { @Loop in if !isStopped { onEvent?(event) } }
  }
}
