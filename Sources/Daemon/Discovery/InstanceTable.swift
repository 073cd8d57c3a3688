// SPDX-License-Identifier: Apache-2.0

import Activity

/// The instances that exist, and which TXT record of each is valid.
///
/// An instance is seen once on each interface and with each IP version, and its TXT record is watched on some of these.
/// For seconds after a change, both the old and the new record are alive, and removals arrive late. A record that
/// returns before its removal has arrived is not announced again. So every live record is kept, and the one that became
/// live last is valid.
///
/// There is room for `instances` instances. Others wait, and every `Browsing.instanceTurn` the ones that matter
/// least give their places to those that wait. By then they have had time to show their texts. So every instance is
/// considered, whatever a stranger announces, and instances of known devices (``InstanceRank/proven``) stay.
struct InstanceTable {
  /// The maximum number of instances of this machine's teams that are watched, going by their names. Further ones wait
  /// until one of these goes. It is two for each of `Limits.knownPeers`, because for a moment a device has an old name
  /// and a new one. Instances of others are not counted, because nothing of them is kept.
  static let instances = 2 * Limits.knownPeers
  /// The maximum number of sightings of instances beyond `instances` that are remembered until one of those goes.
  static let instancesWaiting = 1024
  /// The maximum number of TXT records of one instance that count as alive at the same time. There are two for some
  /// seconds after a change; the rest is spare.
  static let textsPerInstance = 8
  /// The maximum number of TXT records watched at the same time, except that each instance always has one.
  static let textWatches = 512

  enum Event: Equatable {
    case appeared(Sighting)
    case disappeared(Sighting)
    case textAppeared([UInt8], Sighting)
    case textDisappeared([UInt8], Sighting)
    /// The watch failed, or could not begin. The sighting is unwatched afterwards.
    case watchFailed(Sighting)
    case retryDue
    /// The rank of an instance has become known.
    case ranked(instance: String, InstanceRank)
    /// The waiting instances get their turn.
    case rotated
    /// The search starts again. Anything that does not appear again until `settled` is gone.
    case refreshed
    case settled
    /// Everything is gone.
    case reset
  }

  enum Effect: Equatable {
    case watch(Sighting)
    case unwatch(Sighting)
    case found(instance: String, text: [[UInt8]])
    case lost(instance: String)
  }

  private struct Text {
    let data: [UInt8]
    var sightings: Set<Sighting>
  }

  private struct Instance {
    /// In the order in which they appeared; true if watched.
    var sightings: [(sighting: Sighting, isWatched: Bool)] = []
    /// The sightings from before a refresh that have not appeared again yet.
    var unconfirmed: Set<Sighting> = []
    /// In the order in which they became live.
    var live: [Text] = []
    var told: [UInt8]?
    var rank = InstanceRank.unknown
    /// Whether the instance already existed when the last turn began.
    var hadItsTurn = false
  }

  private var instances: [String: Instance] = [:]
  /// Sightings for which there was no room.
  private var waiting: [Sighting] = []
  private var watchCount = 0

  /// Whether ``Event/rotated`` is needed.
  var isCrowded: Bool { !waiting.isEmpty }

  /// The sightings of an instance, in the order in which they appeared.
  func sightings(of instance: String) -> [Sighting] { instances[instance]?.sightings.map(\.sighting) ?? [] }

  /// All sightings, also those for which there is no room.
  var allSightings: [Sighting] { instances.keys.sorted().flatMap { sightings(of: $0) } + waiting }

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .appeared(let sighting): return appeared(sighting)
    case .disappeared(let sighting): return disappeared(sighting)
    case .textAppeared(let data, let sighting): return textAppeared(data, sighting)
    case .textDisappeared(let data, let sighting):
      removeText(of: sighting) { $0 == data }
      return tell(sighting.instance)
    case .watchFailed(let sighting):
      setWatched(sighting, false)
      removeText(of: sighting) { _ in true }
      return tell(sighting.instance)
    case .retryDue: return instances.keys.sorted().flatMap { watchMore($0) }
    case .ranked(let name, let rank):
      instances[name]?.rank = rank
      return []
    case .rotated: return rotated()
    case .refreshed: return refreshed()
    case .settled:
      let gone = instances.keys.sorted().flatMap { name in
        sightings(of: name).filter { instances[name]?.unconfirmed.contains($0) == true }
      }
      return gone.flatMap { disappeared($0) }
    case .reset:
      let lost = instances.filter { $0.value.told != nil }.keys.sorted()
      self = InstanceTable()
      return lost.map { .lost(instance: $0) }
    }
  }

  /// Reports nothing, because texts that still exist arrive again when their watches restart.
  private mutating func refreshed() -> [Effect] {
    waiting = []
    return instances.keys.sorted().flatMap { name in
      let watched = instances[name]?.sightings.filter(\.isWatched).map(\.sighting) ?? []
      for sighting in watched { setWatched(sighting, false) }
      let all = Set(sightings(of: name))
      instances[name]?.live = []
      instances[name]?.unconfirmed = all
      return watched.map { Effect.unwatch($0) }
    }
  }

  private mutating func appeared(_ sighting: Sighting) -> [Effect] {
    if instances[sighting.instance]?.unconfirmed.remove(sighting) != nil { return watchMore(sighting.instance) }
    if instances[sighting.instance] == nil {
      guard instances.count < Self.instances else {
        if waiting.count < Self.instancesWaiting, !waiting.contains(sighting) { waiting.append(sighting) }
        return []
      }
      instances[sighting.instance] = Instance()
    }
    guard !sightings(of: sighting.instance).contains(sighting) else { return [] }
    instances[sighting.instance]?.sightings.append((sighting, false))
    return watchMore(sighting.instance)
  }

  private mutating func disappeared(_ sighting: Sighting) -> [Effect] {
    waiting.removeAll { $0 == sighting }
    guard let instance = instances[sighting.instance],
      let entry = instance.sightings.first(where: { $0.sighting == sighting })
    else { return [] }
    var effects: [Effect] = entry.isWatched ? [.unwatch(sighting)] : []
    setWatched(sighting, false)
    instances[sighting.instance]?.sightings.removeAll { $0.sighting == sighting }
    instances[sighting.instance]?.unconfirmed.remove(sighting)
    removeText(of: sighting) { _ in true }
    guard instance.sightings.count == 1 else {
      return effects + tell(sighting.instance) + watchMore(sighting.instance)
    }
    instances[sighting.instance] = nil
    if instance.told != nil { effects.append(.lost(instance: sighting.instance)) }
    return effects + admitWaiting()
  }

  /// Gives the places of the instances that matter least to those that wait, if they had their turn. Proven instances
  /// stay.
  private mutating func rotated() -> [Effect] {
    var effects: [Effect] = []
    let candidates = instances.filter { $0.value.hadItsTurn && $0.value.rank != .proven }
    let lowest = candidates.values.map(\.rank).min()
    var names = candidates.filter { $0.value.rank == lowest }.keys.sorted()[...]
    // Instances that leave wait behind the others.
    for _ in 0..<Set(waiting.map(\.instance)).count {
      guard instances.count >= Self.instances, let name = names.popFirst() else { break }
      effects += dismiss(name)
      effects += admitWaiting()
    }
    for name in instances.keys { instances[name]?.hadItsTurn = true }
    return effects
  }

  private mutating func dismiss(_ name: String) -> [Effect] {
    guard let instance = instances.removeValue(forKey: name) else { return [] }
    let watched = instance.sightings.filter(\.isWatched).map(\.sighting)
    watchCount -= watched.count
    waiting += instance.sightings.map(\.sighting).prefix(max(0, Self.instancesWaiting - waiting.count))
    return watched.map { .unwatch($0) } + (instance.told == nil ? [] : [.lost(instance: name)])
  }

  /// Gives free room to the instance that has waited longest.
  private mutating func admitWaiting() -> [Effect] {
    guard instances.count < Self.instances, let next = waiting.first?.instance else { return [] }
    let sightings = waiting.filter { $0.instance == next }
    waiting.removeAll { $0.instance == next }
    return sightings.flatMap { appeared($0) }
  }

  private mutating func textAppeared(_ data: [UInt8], _ sighting: Sighting) -> [Effect] {
    guard data.count <= Limits.advertLength, var instance = instances[sighting.instance],
      instance.sightings.contains(where: { $0.sighting == sighting && $0.isWatched })
    else { return [] }
    if let index = instance.live.firstIndex(where: { $0.data == data }) {
      instance.live[index].sightings.insert(sighting)
    } else {
      instance.live.append(Text(data: data, sightings: [sighting]))
      if instance.live.count > Self.textsPerInstance { instance.live.removeFirst() }
    }
    instances[sighting.instance] = instance
    return tell(sighting.instance)
  }

  private mutating func removeText(of sighting: Sighting, where isMeant: ([UInt8]) -> Bool) {
    guard var instance = instances[sighting.instance] else { return }
    for index in instance.live.indices where isMeant(instance.live[index].data) {
      instance.live[index].sightings.remove(sighting)
    }
    instance.live.removeAll { $0.sightings.isEmpty }
    instances[sighting.instance] = instance
  }

  private mutating func tell(_ name: String) -> [Effect] {
    guard let instance = instances[name], let newest = instance.live.last, newest.data != instance.told,
      let text = RecordData.strings(ofText: newest.data)
    else { return [] }
    instances[name]?.told = newest.data
    return [.found(instance: name, text: text)]
  }

  /// Watches as many of an instance's sightings as there is room for, and at least one.
  private mutating func watchMore(_ name: String) -> [Effect] {
    var effects: [Effect] = []
    for (sighting, isWatched) in instances[name]?.sightings ?? [] where !isWatched {
      guard instances[name]?.unconfirmed.contains(sighting) != true else { continue }
      let isFirst = instances[name]?.sightings.contains { $0.isWatched } == false
      guard isFirst || watchCount < Self.textWatches else { break }
      setWatched(sighting, true)
      effects.append(.watch(sighting))
    }
    return effects
  }

  private mutating func setWatched(_ sighting: Sighting, _ isWatched: Bool) {
    guard let index = instances[sighting.instance]?.sightings.firstIndex(where: { $0.sighting == sighting }),
      instances[sighting.instance]?.sightings[index].isWatched != isWatched
    else { return }
    instances[sighting.instance]?.sightings[index].isWatched = isWatched
    watchCount += isWatched ? 1 : -1
  }
}

/// What is known of an instance, in ascending order of importance.
package enum InstanceRank: Int, Comparable, Sendable {
  case unknown
  /// Its advert is sealed with the key of one of our teams.
  case ours
  /// There was a session with its device.
  case proven

  package static func < (left: InstanceRank, right: InstanceRank) -> Bool { left.rawValue < right.rawValue }
}
