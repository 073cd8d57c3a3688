import Activity

/// What is offered.
extension OfferNotifications {
  mutating func take(_ notices: [OfferNotice], _ now: Instant) {
    var offered: Set<ActivityID> = []
    for notice in notices.prefix(Limits.notificationEntries) where offered.insert(notice.activity).inserted {
      let rank = offered.count - 1
      guard var entry = entries[notice.activity] else {
        entries[notice.activity] = Entry(notice: notice, rank: rank)
        // A person may have started a server since.
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
      entries[notice.activity] = entry
    }
    for activity in entries.keys where !offered.contains(activity) && entries[activity]?.rank != nil {
      entries[activity]?.rank = nil
      entries[activity]?.goneSince = now
    }
    forget(now)
  }

  /// Drops what nobody needs to be told again, and the oldest where there is too much of it.
  private mutating func forget(_ now: Instant) {
    let gone = entries.filter { $0.value.rank == nil && !$0.value.takesPlace && $0.value.isIdle }
    var kept: [(activity: ActivityID, since: Instant)] = []
    for (activity, entry) in gone {
      guard let since = entry.goneSince, entry.isRemembered, now - since <= Limits.notificationMemory else {
        // A list of old ones may have it.
        withdrawExpired(activity)
        entries[activity] = nil
        continue
      }
      kept.append((activity, since))
    }
    let excess = entries.count - Limits.notificationEntries
    guard excess > 0 else { return }
    for (activity, _) in kept.sorted(by: { $0.since < $1.since }).prefix(excess) {
      withdrawExpired(activity)
      entries[activity] = nil
    }
  }

  mutating func withdrawExpired(_ activity: ActivityID) {
    guard case .over(let id?, isExpired: true) = entries[activity]?.phase else { return }
    effects.append(.close(id))
    entries[activity]?.phase = .over(nil, isExpired: false)
  }
}

extension OfferNotifications.Entry {
  /// Nothing is under way with it.
  fileprivate var isIdle: Bool { !isOpening && failure == nil }

  /// A person was told of it.
  fileprivate var isRemembered: Bool { wasShown || phase != .waiting }
}
