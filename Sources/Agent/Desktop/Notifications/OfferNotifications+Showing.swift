// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides what is withdrawn and what is shown next.
extension OfferNotifications {
  /// The time from the end of an offer until its notification is withdrawn. A session that breaks is back sooner.
  static let offerReturnTime = Duration.seconds(3)

  /// Withdraws notifications that no longer have a place.
  mutating func withdraw(_ now: Instant) {
    for offer in entries.keys.sorted(by: <) {
      guard let entry = entries[offer] else { continue }
      let isGone = entry.isGone(at: now)
      switch entry.phase {
      case .shown(let id, let content):
        if content.failure != nil {
          guard let until = entry.failureUntil, until <= now else { continue }
          effects.append(.close(id))
          entries[offer]?.phase = .over(nil, isExpired: false)
          entries[offer]?.endFailure()
        } else if isGone || entry.isKnown {
          effects.append(.close(id))
          entries[offer]?.phase = .waiting
        } else if let rank = entry.rank, rank >= habits.places {
          effects.append(.close(id))
          entries[offer]?.phase = entry.notice.asks ? .waiting : .over(nil, isExpired: false)
        }
      case .over: if isGone { withdrawExpired(offer) }
      case .waiting:
        // It came and went without being shown.
        if isGone, !entry.wasShown, entry.failure == nil { entries[offer] = nil }
      case .sending: break
      }
    }
  }

  /// Lets the first question that is shown say how many have no room.
  mutating func countWaiting() {
    let questions = entries.filter { $0.value.notice.asks && $0.value.rank != nil && $0.value.failure == nil }
    let waiting = questions.count { $0.value.phase == .waiting && ($0.value.rank ?? 0) >= habits.places }
    let first = questions.filter(\.value.takesPlace).min { ($0.value.rank ?? 0) < ($1.value.rank ?? 0) }?.key
    for id in questions.keys { entries[id]?.more = id == first ? waiting : 0 }
  }

  /// Shows at most one notification.
  mutating func showNext(_ now: Instant) {
    if dialogue.giveUp(at: now) { effects.append(.silent) }
    guard !dialogue.isAwaitingReply, !isLocked, let offer = next(at: now), var entry = entries[offer] else { return }
    guard isReady(at: now), (lastShow.map { $0 + Limits.notificationInterval } ?? now) <= now else { return }
    guard entry.takesPlace || makeRoom(now) else { return }
    let request = dialogue.send(at: now)
    var replaced: NotificationID?
    var previous: NotificationContent?
    if case .shown(let id, let content) = entry.phase { (replaced, previous) = (id, content) }
    let isUrgent = entry.failure != nil || entry.isAskedAgain
    let isQuiet =
      !isUrgent && (entry.wasShown || !entry.notice.asks && !allowance(of: offer).isAloud(at: now))
    let sending = Sending(
      request: request,
      content: entry.content,
      isQuiet: isQuiet,
      replaced: replaced,
      previous: previous
    )
    effects.append(.show(request, entry.content, replacing: replaced, isQuiet: isQuiet))
    entry.phase = .sending(sending)
    entry.lastSent = now
    entry.steadyFrom = nil
    entries[offer] = entry
    lastShow = now
  }

  /// Whether something can be sent now. Asks for a server if it is not known whether there is one.
  private mutating func isReady(at now: Instant) -> Bool {
    let readiness = dialogue.readiness(at: now)
    if readiness == .asks { effects.append(.ask) }
    return readiness == .ready
  }

  /// The offer to show next. Failures come first, because a person waits for them; then new offers, the newest first;
  /// then the change that has waited longest.
  private func next(at now: Instant) -> OfferNotice.ID? {
    func order(_ entry: Entry) -> (Int, Duration, Int)? {
      switch entry.phase {
      case .waiting where entry.failure != nil: return (0, .zero, 0)
      case .waiting where entry.isKnown: return nil
      case .waiting where entry.isAskedAgain: return entry.rank.map { (0, .zero, $0) }
      case .waiting:
        guard let rank = entry.rank, rank < habits.places, (entry.steadyFrom ?? now) <= now else { return nil }
        // It would be a popup as if it were new.
        guard !habits.forgets || !entry.wasShown || entry.notice.asks else { return nil }
        return (1, .zero, rank)
      case .shown(_, let content):
        guard let rank = entry.rank, content != entry.content else { return nil }
        return (2, entry.lastSent.map { $0 - now } ?? .zero, rank)
      case .sending, .over: return nil
      }
    }
    return entries.compactMap { offer, entry in
      mayShow(offer, entry, now) <= now ? order(entry).map { (offer, $0) } : nil
    }.min { $0.1 < $1.1 }?.0
  }

  func allowance(of offer: OfferNotice.ID) -> NotificationAllowance {
    allowances[offer.deviceID] ?? NotificationAllowance()
  }

  /// When the machine's allowance lets the offer, or a change of it, be shown; in the past if it does now. A failure
  /// need not wait, and neither need what is asked again, because a person waits for it.
  private func mayShow(_ offer: OfferNotice.ID, _ entry: Entry, _ now: Instant) -> Instant {
    guard entry.failure == nil, !entry.isAskedAgain else { return now }
    let allowance = allowance(of: offer)
    guard entry.wasShown else { return entry.notice.asks ? allowance.nextQuestion(now) : allowance.nextNew(now) }
    guard case .shown = entry.phase, let sent = entry.lastSent else { return allowance.nextQuiet(now) }
    return max(allowance.nextQuiet(now), sent + habits.popupTime)
  }

  /// - Returns: Whether there is room for one more notification.
  private mutating func makeRoom(_ now: Instant) -> Bool {
    let placed = entries.filter(\.value.takesPlace)
    guard placed.count >= habits.places else { return true }
    // A notification whose offer is gone would be withdrawn soon anyway, and a failure has been read.
    let shown = placed.compactMap { offer, entry -> (offer: OfferNotice.ID, id: NotificationID, since: Instant)? in
      guard case .shown(let id, _) = entry.phase, entry.rank == nil || entry.failure != nil else { return nil }
      return (offer, id, entry.goneSince ?? entry.lastSent ?? now)
    }
    guard let least = shown.min(by: { $0.since < $1.since }) else { return false }
    effects.append(.close(least.id))
    withdrawAgain(least.offer)
    return true
  }

  mutating func lock(_ isLocked: Bool) {
    guard isLocked != self.isLocked else { return }
    self.isLocked = isLocked
    guard isLocked else { return }
    for (offer, entry) in entries {
      switch entry.phase {
      case .shown(let id, _):
        effects.append(.close(id))
        withdrawAgain(offer)
      case .sending(var sending):
        // The reply tells what else must be closed.
        sending.replaced.map { effects.append(.close($0)) }
        sending.replaced = nil
        entries[offer]?.phase = .sending(sending)
      case .over: withdrawExpired(offer)
      case .waiting: break
      }
    }
  }

  /// Makes the offer wait to be shown again. A failure is not shown again, because it was read.
  mutating func withdrawAgain(_ offer: OfferNotice.ID) {
    let isFailure = entries[offer]?.failure != nil
    entries[offer]?.phase = isFailure ? .over(nil, isExpired: false) : .waiting
    entries[offer]?.endFailure()
  }

  mutating func stop() {
    guard !isStopped else { return }
    isStopped = true
    for (offer, entry) in entries {
      switch entry.phase {
      case .shown(let id, _): effects.append(.close(id))
      case .over: withdrawExpired(offer)
      case .waiting: break
      // The reply tells what else must be closed.
      case .sending(let sending):
        sending.replaced.map { effects.append(.close($0)) }
        continue
      }
      entries[offer] = nil
    }
  }

  /// Whether something about it has not been shown yet.
  private func wants(_ entry: Entry) -> Bool {
    switch entry.phase {
    case .waiting: !entry.isKnown && entry.rank.map { $0 < habits.places || entry.isAskedAgain } ?? false
    case .shown(_, let content): entry.rank != nil && content != entry.content
    case .sending, .over: false
    }
  }

  func nextDeadline(_ now: Instant) -> Instant? {
    var deadlines: [Instant] = []
    for (offer, entry) in entries {
      if wants(entry), !isLocked, dialogue.isPossible {
        deadlines.append(mayShow(offer, entry, now))
      }
      switch entry.phase {
      case .shown(_, let content):
        if content.failure != nil {
          entry.failureUntil.map { deadlines.append($0) }
        } else if let since = entry.goneSince {
          deadlines.append(since + Self.offerReturnTime)
        }
      case .over(.some, isExpired: true), .waiting:
        if let since = entry.goneSince { deadlines.append(since + Self.offerReturnTime) }
        if entry.rank != nil, let steady = entry.steadyFrom { deadlines.append(steady) }
      case .over, .sending: break
      }
    }
    deadlines = deadlines.filter { $0 > now }
    if let late = dialogue.replyDeadline {
      deadlines.append(late)
    } else if !isLocked, next(at: now) != nil, dialogue.isPossible {
      let interval = lastShow.map { $0 + Limits.notificationInterval }
      let earliest = [interval, dialogue.retryAt].compactMap(\.self).filter { $0 > now }.max()
      earliest.map { deadlines.append($0) }
    }
    return deadlines.min()
  }
}

extension OfferNotifications.Entry {
  func isGone(at now: ContinuousClock.Instant) -> Bool {
    goneSince.map { $0 + OfferNotifications.offerReturnTime <= now } ?? false
  }
}
