// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// Keeps an entry group for each wanted publication.
@AvahiQueue
final class Publishing {
  /// The time from committing an instance's records until they are announced. Without probing, that takes milliseconds.
  private static let publishTime = Duration.seconds(5)

  /// One publication as Avahi knows it.
  private struct Entry {
    let group: EntryGroup
    /// The publication, with the text that was last given to Avahi.
    var publication: ServiceInstance
    let deadline: ContinuousClock.Instant
    var isTold = false

    /// Whether at most the text differs from what is wanted. Anything else needs a new group.
    func isStill(_ wanted: ServiceInstance?) -> Bool {
      wanted?.host == publication.host && wanted?.port == publication.port
    }
  }

  private var entries: [String: Entry] = [:]
  private let report: @Sendable (AvahiReport) -> Void
  private let onChange: @AvahiQueue () -> Void

  /// - Parameter onChange: Called when ``apply(_:_:to:)`` has something to do.
  init(report: @escaping @Sendable (AvahiReport) -> Void, onChange: @escaping @AvahiQueue () -> Void) {
    self.report = report
    self.onChange = onChange
  }

  /// The time by which the next group should have been established.
  var deadline: ContinuousClock.Instant? {
    entries.values.filter { $0.group.state == .registering }.map(\.deadline).min()
  }

  func close() {
    for entry in entries.values { entry.group.close() }
    entries = [:]
  }

  /// Makes the groups match what is wanted.
  ///
  /// - Parameter policy: Decides on which interfaces to announce, with which addresses.
  /// - Returns: The first error, if there is one. The next call tries again what failed.
  func apply(_ wanted: [String: ServiceInstance], _ policy: InterfacePolicy, to client: AvahiClient) -> AvahiError? {
    var firstError: AvahiError?
    for (instance, entry) in entries where !entry.isStill(wanted[instance]) { remove(instance) }
    for (instance, publication) in wanted {
      do throws(AvahiError) {
        try bringAbout(publication, policy, client)
      } catch {
        remove(instance)
        if error.isCollision { tellCollision(instance) } else { firstError = firstError ?? error }
      }
    }
    return firstError
  }

  private func bringAbout(
    _ publication: ServiceInstance,
    _ policy: InterfacePolicy,
    _ client: AvahiClient
  ) throws(AvahiError) {
    let instance = publication.instance
    switch entries[instance]?.group.state {
    case nil:
      let (addresses, interfaces) = HostAddresses.announcement(of: HostAddresses.current(), policy)
      // If no interface is used, there is nothing to announce. An interface that appears later counts as another
      // network.
      guard !interfaces.isEmpty else { return }
      let group = try EntryGroup(client, publication, addresses: addresses, interfaces: interfaces) {
        [weak self] _ in self?.onChange()
      }
      entries[instance] = Entry(group: group, publication: publication, deadline: .now + Self.publishTime)
      if group.state != .registering { onChange() }
    case .registering:
      guard let deadline = entries[instance]?.deadline, deadline <= .now else { return }
      throw AvahiError(call: "avahi_entry_group_commit", code: Int32(AVAHI_ERR_TIMEOUT))
    case .established:
      if entries[instance]?.isTold == false {
        entries[instance]?.isTold = true
        report(.event(.published(instance: instance)))
      }
      guard entries[instance]?.publication.text != publication.text else { return }
      try entries[instance]?.group.update(text: publication.text)
      entries[instance]?.publication.text = publication.text
    case .collided: throw AvahiError(call: "avahi_entry_group_commit", code: Int32(AVAHI_ERR_COLLISION))
    case .failed: throw AvahiError(call: "avahi_entry_group_commit", code: Int32(AVAHI_ERR_FAILURE))
    }
  }

  private func remove(_ instance: String) { entries.removeValue(forKey: instance)?.group.close() }

  private func tellCollision(_ instance: String) { report(.event(.nameCollided(instance: instance))) }
}
