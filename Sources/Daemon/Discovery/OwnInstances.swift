// SPDX-License-Identifier: Apache-2.0

/// The instance names that this daemon has used; at most the newest `ownInstances`.
struct OwnInstances: Equatable, Sendable {
  /// The maximum number of our own instance names that are remembered: those of all teams, and of the changes of the
  /// last few seconds.
  static let ownInstances = 64

  private var names: [String] = []

  func contains(_ name: String) -> Bool { names.contains(name) }

  mutating func insert(_ name: String) {
    names.removeAll { $0 == name }
    names.append(name)
    if names.count > Self.ownInstances { names.removeFirst() }
  }
}
