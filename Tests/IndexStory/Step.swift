// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import JSONCoding
import Search
import SeededGenerator

/// One call of an app, a person or the agent, which only depends on the story's seed and its number.
package struct Step: Sendable {
  package enum Action: Sendable {
    case put([Int], isActivities: Bool, lifetime: Double?, related: Bool)
    /// An activity takes the place of others.
    case replace(Int, [Int])
    case delete(Selection)
    case forget(since: Double, until: Double)
    case forgetApplication
    case forgetAll
    case expire
    case eraseReplaced
    case wipeUses
  }

  package let number: Int
  package let application: String
  package let action: Action

  /// The identifiers of the entries are numbers.
  package static let names = 0..<14

  package init(seed: UInt64, number: Int) {
    self.number = number
    var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
    application = Bool.random(using: &random) ? "org.example.one" : "org.example.two"
    func names(_ maximum: Int) -> [Int] {
      Array(Step.names.shuffled(using: &random).prefix(Int.random(in: 1...maximum, using: &random)))
    }
    let isActivities = Bool.random(using: &random)
    let time = Self.time(number)
    action =
      switch Int.random(in: 0..<41, using: &random) {
      case 0..<18:
        .put(
          names(6),
          isActivities: isActivities,
          lifetime: Bool.random(using: &random) ? Double.random(in: -100...900, using: &random) : nil,
          related: Int.random(in: 0..<3, using: &random) == 0
        )
      case 18..<20: .replace(Int.random(in: Step.names, using: &random), names(3))
      case 20..<24: .delete(.items(names(3).map(String.init)))
      case 24..<28: .delete(.activities(names(3).map(String.init)))
      case 28..<30: .delete(.domains([["a", "a.b", "ab", "a.b.c"].randomElement(using: &random) ?? "a"]))
      case 30: .delete(.allItems)
      case 31: .delete(.allActivities)
      case 32: .forget(since: time - 300, until: time - 200)
      case 33: .forgetApplication
      case 34..<36: .expire
      case 36..<39: .eraseReplaced
      case 39: .forgetAll
      default: .wipeUses
      }
  }

  /// When it happens.
  package var time: Double { Self.time(number) }

  private static func time(_ number: Int) -> Double { 1e9 + Double(number) * 100 }

  /// A word that is nowhere else: in what this step makes of this name.
  package func secret(_ name: Int, isActivities: Bool) -> String {
    var random = SeededGenerator(seed: UInt64(number * 1000 + name * 2 + (isActivities ? 1 : 0)) &* 7919)
    return String((0..<14).map { _ in "bcdfghjklmnpqrstvwxz".randomElement(using: &random) ?? "b" })
  }

  /// Whether the activity of this name stays when its item is deleted.
  package func isWeaklyRelated(_ name: Int) -> Bool { (number + name) % 3 == 0 }

  package func domain(_ name: Int) -> String { ["a", "a.b", "a.b.c", "ab", "b"][name % 5] }

  package func entry(_ name: Int, isActivities: Bool, lifetime: Double?, related: Bool) throws -> SavedEntry {
    var random = SeededGenerator(seed: UInt64(number * 100 + name))
    let secret = secret(name, isActivities: isActivities)
    var entry = SavedEntry(identifier: String(name))
    entry.title = "Title \(secret)"
    entry.keywords = ["keyword-\(secret)"]
    entry.contentDescription = "Description \(secret)"
    let length = [1, 5, 40, 400].randomElement(using: &random) ?? 1
    entry.textContent = String(repeating: "\(secret) ", count: length)
    if Bool.random(using: &random) { entry.thumbnailData = String(repeating: "\(secret)+", count: length) }
    entry.domainIdentifier = domain(name)
    entry.expirationDate = lifetime.map { time + $0 }
    if isActivities {
      let id = ActivityID(randomBytes: (random.next(), random.next()))
      var activity = try ActivityRecord(id: id, activityType: "org.example.reading")
      activity.userInfo = try UserInfo(json: .object(["secret": .string(secret)]))
      entry.activity = activity
      entry.isEligibleForSearch = true
      entry.isEligibleForPrediction = Bool.random(using: &random)
      entry.isEligibleForPublicIndexing = Bool.random(using: &random)
      if related {
        entry.relatedIdentifier = String((name + 1) % Step.names.count)
        entry.isWeaklyRelated = isWeaklyRelated(name)
      }
    }
    return entry
  }

  package func run(_ index: SearchIndex) throws {
    switch action {
    case .put(let names, let isActivities, let lifetime, let related):
      let entries = try names.map { name in
        try entry(name, isActivities: isActivities, lifetime: lifetime, related: related)
      }
      try index.put(entries, application: application, now: time)
    case .replace(let name, let others):
      let entry = try entry(name, isActivities: true, lifetime: nil, related: false)
      try index.put([entry], application: application, replaces: others.map(String.init), now: time)
    case .delete(let selection): try index.delete(selection, application: application)
    case .forget(let since, let until):
      var forgotten = ForgottenEntries()
      (forgotten.since, forgotten.until) = (since, until)
      try index.forget(forgotten)
    case .forgetApplication:
      var forgotten = ForgottenEntries()
      forgotten.application = application
      try index.forget(forgotten)
    case .forgetAll:
      var forgotten = ForgottenEntries()
      forgotten.all = true
      try index.forget(forgotten)
    case .expire: try index.expire(now: time)
    case .eraseReplaced: try index.eraseReplaced()
    case .wipeUses: try index.wipeUses()
    }
  }
}
