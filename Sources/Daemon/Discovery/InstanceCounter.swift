// SPDX-License-Identifier: Apache-2.0

import Activity

/// Counts the instances of which Avahi tells, whoever's they are.
struct InstanceCounter {
  /// Avahi has a cache for each interface and IP version.
  private struct Cache: Hashable {
    let interface: Int32
    let ipVersion: Int32

    init(_ sighting: Sighting) {
      interface = sighting.interface
      ipVersion = sighting.ipVersion
    }
  }

  private var counts: [Cache: Int] = [:]

  /// Whether one of Avahi's caches may be full.
  var isCrowded: Bool { counts.values.contains { $0 >= Limits.cachedInstances } }

  /// Avahi tells of each sighting once, until it is gone.
  mutating func handle(_ event: BrowserEvent<Sighting>) {
    switch event {
    case .appeared(let sighting): counts[Cache(sighting), default: 0] += 1
    case .disappeared(let sighting): counts[Cache(sighting)] = counts[Cache(sighting)].flatMap { $0 > 1 ? $0 - 1 : nil }
    case .cacheExhausted, .failed: break
    }
  }
}
