import Activity
import CAvahi

/// Keeps an entry group for each publication that is wanted.
@AvahiQueue
final class Publishing {
  /// One publication as Avahi has it.
  private struct Entry {
    let group: EntryGroup
    /// With the text that was given to Avahi last.
    var publication: Publication
    let deadline: ContinuousClock.Instant
    var isTold = false

    /// Whether only the text differs from what is wanted: all else takes a new group.
    func isStill(_ wanted: Publication?) -> Bool {
      wanted?.host == publication.host && wanted?.port == publication.port
    }
  }

  private var entries: [String: Entry] = [:]
  private let report: @Sendable (AvahiReport) -> Void
  private let onChange: @AvahiQueue () -> Void

  /// - Parameter onChange: Called when ``apply(_:to:)`` has something to do.
  init(report: @escaping @Sendable (AvahiReport) -> Void, onChange: @escaping @AvahiQueue () -> Void) {
    self.report = report
    self.onChange = onChange
  }

  /// When the next group should have been established.
  var deadline: ContinuousClock.Instant? {
    entries.values.filter { $0.group.state == .registering }.map(\.deadline).min()
  }

  func close() {
    for entry in entries.values { entry.group.close() }
    entries = [:]
  }

  /// Makes the groups what is wanted.
  ///
  /// - Parameter policy: Which interfaces' addresses are announced.
  /// - Returns: The first error; what it hit is left for the next call.
  func apply(_ wanted: [String: Publication], _ policy: InterfacePolicy, to client: AvahiClient) -> AvahiError? {
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
    _ publication: Publication,
    _ policy: InterfacePolicy,
    _ client: AvahiClient
  ) throws(AvahiError) {
    let instance = publication.instance
    switch entries[instance]?.group.state {
    case nil:
      let (addresses, interfaces) = HostAddresses.announcement(of: HostAddresses.current(), policy)
      // Where no interface is used there is nothing to announce; one that comes is told of as another network.
      guard !interfaces.isEmpty else { return }
      let group = try EntryGroup(client, publication, addresses: addresses, interfaces: interfaces) {
        [weak self] _ in self?.onChange()
      }
      entries[instance] = Entry(group: group, publication: publication, deadline: .now + Limits.publishTime)
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
