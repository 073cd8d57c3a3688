import Activity

/// The instance names that this daemon has used; at most the newest `Limits.ownInstances`.
struct OwnInstances: Equatable, Sendable {
  private var names: [String] = []

  func contains(_ name: String) -> Bool { names.contains(name) }

  mutating func insert(_ name: String) {
    names.removeAll { $0 == name }
    names.append(name)
    if names.count > Limits.ownInstances { names.removeFirst() }
  }
}
