import Activity

/// Handling of offers.
extension OfferNotifications {
  mutating func take(_ notices: [OfferNotice], _ now: Instant) {
    var offered: Set<OfferNotice.ID> = []
    for notice in Self.inTurn(notices).prefix(Limits.notificationEntries) where offered.insert(notice.id).inserted {
      let rank = offered.count - 1
      guard var entry = entries[notice.id] else {
        entries[notice.id] = Entry(notice: notice, rank: rank)
        // Someone may have started a server in the meantime.
        if server == .missing { server = .unknown }
        continue
      }
      if entry.rank == nil, let goneSince = entry.goneSince {
        if now - goneSince > Limits.notificationMemory, !entry.takesPlace {
          entry = Entry(notice: notice)
        } else if entry.phase == .waiting, entry.wasShown {
          entry.steadyFrom = now + Limits.offerSteadyTime
        }
      }
      entry.goneSince = nil
      entry.rank = rank
      entry.notice = notice
      entries[notice.id] = entry
    }
    for id in entries.keys where !offered.contains(id) && entries[id]?.rank != nil {
      entries[id]?.rank = nil
      entries[id]?.goneSince = now
    }
    forget(now)
  }

  /// Returns the first offer of each machine, then the second of each, and so on. The first of a machine are those that
  /// ask, and then the newest ones.
  private static func inTurn(_ all: [OfferNotice]) -> [OfferNotice] {
    let notices = all.filter(\.asks) + all.filter { !$0.asks }
    var counts: [DeviceID: Int] = [:]
    let turns = notices.map { notice in
      counts[notice.id.deviceID, default: 0] += 1
      return counts[notice.id.deviceID, default: 0]
    }
    let order = notices.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }
    return order.map { notices[$0] }
  }

  /// Drops entries that need not be remembered, and the oldest ones if there are too many.
  private mutating func forget(_ now: Instant) {
    allowances = allowances.filter { !$0.value.isFull(at: now) }
    let gone = entries.filter { $0.value.rank == nil && !$0.value.takesPlace && $0.value.isIdle }
    var kept: [(id: OfferNotice.ID, since: Instant)] = []
    for (id, entry) in gone {
      guard let since = entry.goneSince, entry.isRemembered, now - since <= Limits.notificationMemory else {
        // The server may still list it among old notifications.
        withdrawExpired(id)
        entries[id] = nil
        continue
      }
      kept.append((id, since))
    }
    let excess = entries.count - Limits.notificationEntries
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

  /// Whether a person was told about it.
  fileprivate var isRemembered: Bool { wasShown || phase != .waiting }
}
