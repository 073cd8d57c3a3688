// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent

/// What an index must have after some steps.
package struct Model: Equatable, Sendable {
  package struct Key: Hashable, Sendable {
    let application: String
    let isActivities: Bool
    let name: Int
  }

  struct Entry: Equatable, Sendable {
    var secret: String
    var used: Double
    var expires: Double
    var domain: String?
    /// The item with which it is deleted.
    var related: Int?
    /// The order in which entries were made.
    var order: Int
  }

  private(set) var entries: [Key: Entry] = [:]
  private var made = 0
  /// The secrets of what was deleted and must be overwritten, and of what was replaced and may still be there.
  package private(set) var erased: Set<String> = []
  package private(set) var replaced: Set<String> = []
  private let entriesPerApplication: Int

  package init(entriesPerApplication: Int) { self.entriesPerApplication = entriesPerApplication }

  /// The titles, in order.
  package var titles: [String] { entries.values.map { "Title \($0.secret)" }.sorted() }

  package var secrets: Set<String> { Set(entries.values.map(\.secret)) }

  package mutating func run(_ step: Step) {
    let application = step.application
    switch step.action {
    case .put(let names, let isActivities, let lifetime, let related):
      for name in names {
        let key = Key(application: application, isActivities: isActivities, name: name)
        if let lifetime, lifetime <= 0 { remove(key) } else { put(key, step, lifetime, related && isActivities) }
      }
      makeRoom(application)
    case .replace(let name, let others):
      put(Key(application: application, isActivities: true, name: name), step, nil, false)
      for other in others where other != name {
        remove(Key(application: application, isActivities: true, name: other))
      }
      makeRoom(application)
    case .delete(let selection): erase(entries.keys.filter { $0.application == application && meets(selection, $0) })
    case .forget(let since, let until):
      erase(entries.filter { ($0.value.used >= since) && ($0.value.used <= until) }.map(\.key))
    case .forgetApplication: erase(entries.keys.filter { $0.application == application })
    case .forgetAll: erase(Array(entries.keys))
    case .expire: for (key, entry) in entries where entry.expires <= step.time { remove(key) }
    case .eraseReplaced:
      erased.formUnion(replaced)
      replaced = []
    case .wipeUses:
      erased.formUnion(replaced)
      replaced = []
    }
  }

  private func meets(_ selection: Selection, _ key: Key) -> Bool {
    switch selection {
    case .items(let names):
      names.contains(key.isActivities ? entries[key]?.related.map(String.init) ?? "" : String(key.name))
    case .activities(let names): key.isActivities && names.contains(String(key.name))
    case .allItems: !key.isActivities || entries[key]?.related != nil
    case .allActivities: key.isActivities
    case .domains(let domains):
      domains.contains { domain in entries[key]?.domain.map { $0 == domain || $0.hasPrefix(domain + ".") } ?? false }
    }
  }

  private mutating func put(_ key: Key, _ step: Step, _ lifetime: Double?, _ related: Bool) {
    let old = entries[key]
    if let old { replaced.insert(old.secret) }
    made += 1
    entries[key] = Entry(
      secret: step.secret(key.name, isActivities: key.isActivities),
      used: step.time,
      expires: lifetime.map { step.time + $0 } ?? step.time + Limits.entryAge,
      domain: step.domain(key.name),
      related: related && !step.isWeaklyRelated(key.name) ? (key.name + 1) % Step.names.count : nil,
      order: old?.order ?? made
    )
  }

  private mutating func remove(_ key: Key) {
    if let old = entries.removeValue(forKey: key) { replaced.insert(old.secret) }
  }

  /// Deletes entries, and the activities that show one of them.
  private mutating func erase(_ keys: [Key]) {
    let related = keys.filter { !$0.isActivities }.flatMap { item in
      entries.filter { $0.key.isActivities && $0.key.application == item.application && $0.value.related == item.name }
        .map(\.key)
    }
    for key in keys + related { if let old = entries.removeValue(forKey: key) { erased.insert(old.secret) } }
    // Erasing takes everything, even if there was nothing to delete.
    erased.formUnion(replaced)
    replaced = []
  }

  private mutating func makeRoom(_ application: String) {
    let own = entries.filter { $0.key.application == application }
    let surplus = own.count - entriesPerApplication
    guard surplus > 0 else { return }
    let oldest = own.sorted { ($0.value.used, $0.value.order) < ($1.value.used, $1.value.order) }
    for (key, _) in oldest.prefix(surplus) { remove(key) }
  }
}
