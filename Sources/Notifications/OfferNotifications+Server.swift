import Activity

/// What the server answers and tells.
extension OfferNotifications {
  mutating func forgetServer(_ server: Server) {
    self.server = server
    backoff.reset()
    retryAt = nil
    awaited = nil
    for (activity, entry) in entries {
      entries[activity]?.token = nil
      switch entry.phase {
      case .waiting: break
      case .over: entries[activity]?.phase = .over(nil, isExpired: false)
      case .sending(let sending) where sending.isOver: entries[activity]?.phase = .over(nil, isExpired: false)
      case .sending, .shown:
        let isFailure = entry.failure != nil
        entries[activity]?.phase = isFailure ? .over(nil, isExpired: false) : .waiting
        entries[activity]?.wasShown = true
        entries[activity]?.endFailure()
      }
    }
  }

  mutating func shown(_ request: Request, _ id: NotificationID, _ now: Instant) {
    if awaited?.request == request { awaited = nil }
    guard let (activity, sending) = sending(request) else { return effects.append(.close(id)) }
    backoff.reset()
    retryAt = nil
    // A server that cannot replace.
    if let replaced = sending.replaced, replaced != id { effects.append(.close(replaced)) }
    entries[activity]?.wasShown = true
    guard !isStopped, !sending.isOver else {
      if !isStopped || sending.replaced != id { effects.append(.close(id)) }
      entries[activity]?.phase = .over(id, isExpired: false)
      return
    }
    entries[activity]?.phase = .shown(id, sending.content)
    if sending.content.failure != nil { entries[activity]?.failureUntil = now + Limits.failureNotificationTime }
  }

  mutating func refused(_ request: Request, _ now: Instant) {
    if awaited?.request == request { awaited = nil }
    guard let (activity, sending) = sending(request) else { return }
    retryAt = now + backoff.next(jitter: 1)
    if sending.isOver {
      entries[activity]?.phase = .over(sending.replaced, isExpired: false)
    } else if let id = sending.replaced, let previous = sending.previous {
      entries[activity]?.phase = .shown(id, previous)
    } else {
      entries[activity]?.phase = .waiting
    }
  }

  mutating func closed(_ id: NotificationID, _ isExpired: Bool) {
    guard let activity = activity(of: id) else { return }
    switch entries[activity]?.phase {
    case .shown:
      entries[activity]?.phase = .over(id, isExpired: isExpired)
      entries[activity]?.endFailure()
    case .sending(var sending):
      // The change that is on its way makes a new one of it.
      sending.isOver = true
      entries[activity]?.phase = .sending(sending)
    default: break
    }
  }

  mutating func invoked(_ id: NotificationID) {
    guard let activity = activity(of: id), let entry = entries[activity], !isStopped else { return }
    if entry.failure == nil, !entry.isOpening {
      effects.append(.open(activity, token: entry.token))
      entries[activity]?.isOpening = true
    }
    entries[activity]?.token = nil
    switch entry.phase {
    case .shown:
      effects.append(.close(id))
      entries[activity]?.phase = .over(nil, isExpired: false)
      entries[activity]?.endFailure()
    case .sending(var sending):
      sending.isOver = true
      entries[activity]?.phase = .sending(sending)
    case .over: entries[activity]?.phase = .over(nil, isExpired: false)
    case .waiting: break
    }
  }

  mutating func openFailed(_ activity: ActivityID, _ why: String) {
    guard let entry = entries[activity], entry.isOpening else { return }
    entries[activity]?.isOpening = false
    entries[activity]?.failure = why
    if !entry.isSending { entries[activity]?.phase = .waiting }
  }

  /// The activity whose notification has the number.
  func activity(of id: NotificationID) -> ActivityID? {
    entries.first { _, entry in
      switch entry.phase {
      case .shown(let number, _), .over(.some(let number), _): number == id
      case .sending(let sending): sending.replaced == id
      case .waiting, .over(nil, _): false
      }
    }?.key
  }

  private func sending(_ request: Request) -> (ActivityID, Sending)? {
    for (activity, entry) in entries {
      if case .sending(let sending) = entry.phase, sending.request == request { return (activity, sending) }
    }
    return nil
  }
}

extension OfferNotifications.Entry {
  mutating func endFailure() {
    failure = nil
    failureUntil = nil
  }
}
