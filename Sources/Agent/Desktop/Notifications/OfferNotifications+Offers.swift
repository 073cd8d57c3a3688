// SPDX-License-Identifier: Apache-2.0

import Activity

/// Handling of offers.
extension OfferNotifications {
  /// How long an offer that was gone for longer than `offerReturnTime` must be there before it is shown again.
  static let offerSteadyTime = Duration.seconds(30)
  /// How long an offer that is gone is remembered. So an offer that a person dismissed is not shown again when its
  /// machine comes back.
  static let notificationMemory = Duration.seconds(10 * 60)

  /// The maximum number of offers whose notifications are remembered, including offers that are gone. It covers all
  /// that a few peers can offer.
  static let notificationEntries = 256

  mutating func take(_ notices: [OfferNotice], _ now: Instant) {
    let all = Set(notices.map(\.id))
    for notice in notices where entries[notice.id] == nil { takePlace(by: notice, unless: all, now) }
    var offered: Set<OfferNotice.ID> = []
    for var notice in inTurn(notices).prefix(Self.notificationEntries) where offered.insert(notice.id).inserted {
      let rank = offered.count - 1
      let known = notice.isHere ? notice.subject : entries[notice.id]?.known
      notice.isHere = false
      if let inherited = entries[notice.id]?.inherited, inherited != notice.subject {
        withdrawExpired(notice.id)
        entries[notice.id] = nil
      }
      guard var entry = entries[notice.id] else {
        var entry = Entry(notice: notice, known: known, rank: rank)
        entry.wasShown = wasTold(of: notice, now)
        entries[notice.id] = entry
        dialogue.lookAgain()
        continue
      }
      if entry.rank == nil, let goneSince = entry.goneSince {
        if now - goneSince > Self.notificationMemory, !entry.takesPlace {
          entry = Entry(notice: notice, known: known)
        } else if entry.phase == .waiting, entry.wasShown {
          entry.steadyFrom = now + Self.offerSteadyTime
        }
      }
      entry.goneSince = nil
      entry.rank = rank
      (entry.notice, entry.known) = (notice, known)
      entries[notice.id] = entry
    }
    for id in entries.keys where !offered.contains(id) && entries[id]?.rank != nil {
      entries[id]?.rank = nil
      entries[id]?.goneSince = now
    }
    forget(now)
  }

  /// Gives an activity the entry of the same one that was published under another ID and is gone.
  private mutating func takePlace(by notice: OfferNotice, unless offered: Set<OfferNotice.ID>, _ now: Instant) {
    guard !notice.asks, notice.title != nil else { return }
    let earlier = entries.filter { id, entry in
      entry.notice.subject == notice.subject && !entry.notice.asks && entry.isIdle && !offered.contains(id)
    }
    let last = earlier.keys.max { (entries[$0]?.goneSince ?? now) < (entries[$1]?.goneSince ?? now) }
    guard let last, var entry = entries.removeValue(forKey: last) else { return }
    entry.change(to: notice.id)
    entries[notice.id] = entry
  }

  /// Whether people have been told of the same not long ago.
  private func wasTold(of notice: OfferNotice, _ now: Instant) -> Bool {
    !notice.asks && told[notice.subject].map { now - $0 <= Self.notificationMemory } == true
  }

  /// Returns the first offer of each machine, then the second of each, and so on. The first of a machine are those that
  /// ask, and then the newest ones. After all, there is what nobody needs to be told of.
  private func inTurn(_ all: [OfferNotice]) -> [OfferNotice] {
    let known = all.filter { !$0.asks && ($0.isHere || entries[$0.id]?.known == $0.subject) }
    let news = all.filter { notice in !known.contains(notice) }
    let notices = news.filter(\.asks) + news.filter { !$0.asks }
    var counts: [DeviceID: Int] = [:]
    let turns = notices.map { notice in
      counts[notice.id.deviceID, default: 0] += 1
      return counts[notice.id.deviceID, default: 0]
    }
    let order = notices.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }
    return order.map { notices[$0] } + known
  }

  /// Drops entries that need not be remembered, and the oldest ones if there are too many.
  private mutating func forget(_ now: Instant) {
    allowances = allowances.filter { !$0.value.isFull(at: now) }
    told = told.filter { now - $0.value <= Self.notificationMemory }
    if told.count > Self.notificationEntries, let oldest = told.min(by: { $0.value < $1.value }) {
      told[oldest.key] = nil
    }
    let gone = entries.filter { $0.value.rank == nil && !$0.value.takesPlace && $0.value.isIdle }
    var kept: [(id: OfferNotice.ID, since: Instant)] = []
    for (id, entry) in gone {
      guard let since = entry.goneSince, entry.isRemembered, now - since <= Self.notificationMemory else {
        // The server may still list it among old notifications.
        withdrawExpired(id)
        entries[id] = nil
        continue
      }
      kept.append((id, since))
    }
    let excess = entries.count - Self.notificationEntries
    guard excess > 0 else { return }
    for (id, _) in kept.sorted(by: { $0.since < $1.since }).prefix(excess) {
      withdrawExpired(id)
      entries[id] = nil
    }
  }

  mutating func withdrawExpired(_ offer: OfferNotice.ID) {
    guard case .over(let id?, isExpired: true) = entries[offer]?.phase else { return }
    effects.append(.close(id))
    entries[offer]?.phase = .over(nil, isExpired: false)
  }
}

extension OfferNotifications.Entry {
  /// Whether it is neither being opened nor failed.
  fileprivate var isIdle: Bool { !isOpening && failure == nil }

  /// Makes it that of the same activity under another ID.
  fileprivate mutating func change(to id: OfferNotice.ID) {
    notice.id = id
    shown?.id = id
    switch phase {
    case .shown(let number, var content):
      content.notice.id = id
      phase = .shown(number, content)
    case .sending(var sending):
      sending.content.notice.id = id
      sending.previous?.notice.id = id
      phase = .sending(sending)
    case .over: inherited = notice.subject
    case .waiting: break
    }
  }

  /// Whether a person was told about it.
  fileprivate var isRemembered: Bool { wasShown || phase != .waiting }
}
