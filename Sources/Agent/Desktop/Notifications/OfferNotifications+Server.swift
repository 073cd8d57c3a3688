// SPDX-License-Identifier: Apache-2.0

import Activity

/// Handling of the server's replies and signals.
extension OfferNotifications {
  /// The first and the longest pause until a question that a server has dropped is shown again. The first time, that
  /// is immediately.
  private static let droppedQuestionPause = Duration.seconds(60)...Duration.seconds(16 * 60)
  /// How long something new must be shown in the place of something else before a click is for it. People do not read
  /// and click faster.
  static let notificationReadingTime = Duration.milliseconds(700)

  mutating func forgetServer(_ next: ServerDialogue.Server) {
    dialogue.forget(next)
    for (offer, entry) in entries {
      entries[offer]?.token = nil
      entries[offer]?.dropped = nil
      switch entry.phase {
      case .waiting: break
      case .over: entries[offer]?.phase = .over(nil, isExpired: false)
      case .sending(let sending) where sending.isOver: entries[offer]?.phase = .over(nil, isExpired: false)
      case .sending, .shown:
        let isFailure = entry.failure != nil
        entries[offer]?.phase = isFailure ? .over(nil, isExpired: false) : .waiting
        entries[offer]?.wasShown = true
        entries[offer]?.endFailure()
      }
    }
  }

  mutating func shown(_ request: Request, _ id: NotificationID, _ now: Instant) {
    dialogue.replied(to: request)
    guard let (offer, sending) = sending(request) else { return effects.append(.close(id)) }
    dialogue.succeeded()
    // A server that cannot replace notifications.
    if let replaced = sending.replaced, replaced != id { effects.append(.close(replaced)) }
    entries[offer]?.wasShown = true
    if sending.content.failure == nil {
      if sending.content.notice.title != nil { told[sending.content.notice.subject] = now }
      if sending.content.notice.asks, !sending.isQuiet {
        allowances[offer.deviceID, default: NotificationAllowance()].takeQuestion(now)
      } else {
        allowances[offer.deviceID, default: NotificationAllowance()].take(isQuiet: sending.isQuiet, now)
      }
    }
    guard !isStopped, !sending.isOver else {
      if !isStopped || sending.replaced != id { effects.append(.close(id)) }
      entries[offer]?.phase = .over(id, isExpired: false)
      return
    }
    guard !isLocked else {
      effects.append(.close(id))
      return withdrawAgain(offer)
    }
    guard id != 0 else {
      // It is no number, and so the notification can neither be changed nor clicked on.
      entries[offer]?.phase = .over(nil, isExpired: false)
      return
    }
    takeNumber(id, of: offer, now)
    entries[offer]?.phase = .shown(id, sending.content)
    if let before = entries[offer]?.shown, before != sending.content.notice { entries[offer]?.changedAt = now }
    entries[offer]?.shown = sending.content.notice
    entries[offer]?.isAskedAgain = false
    if sending.content.failure != nil { entries[offer]?.failureUntil = now + Limits.failureNotificationTime }
  }

  /// Makes sure that a click on a number is for one offer. Some servers show two notifications with the same text as
  /// one, and some give a number again that was another's.
  private mutating func takeNumber(_ id: NotificationID, of offer: OfferNotice.ID, _ now: Instant) {
    for (other, entry) in entries where other != offer {
      if entry.number == id {
        if case .over = entry.phase {
          entries[other]?.phase = .over(nil, isExpired: false)
        } else {
          drop(other, id, isExpired: true, now)
        }
      }
      if entries[other]?.dropped == id { entries[other]?.dropped = nil }
    }
  }

  mutating func refused(_ request: Request, _ now: Instant) {
    dialogue.replied(to: request)
    guard let (offer, sending) = sending(request) else { return }
    dialogue.pause(now)
    if sending.isOver {
      entries[offer]?.phase = .over(sending.replaced, isExpired: false)
    } else if let id = sending.replaced, let previous = sending.previous {
      entries[offer]?.phase = .shown(id, previous)
    } else {
      entries[offer]?.phase = .waiting
    }
  }

  mutating func closed(_ id: NotificationID, _ isExpired: Bool, _ now: Instant) {
    if let offer = offer(of: id) { drop(offer, id, isExpired: isExpired, now) }
  }

  private mutating func drop(_ offer: OfferNotice.ID, _ id: NotificationID, isExpired: Bool, _ now: Instant) {
    guard let entry = entries[offer] else { return }
    switch entry.phase {
    case .shown where isExpired && entry.notice.asks && entry.failure == nil:
      // Nobody has answered it. The server keeps only some, or has a time of its own.
      let pause = Self.droppedQuestionPause
      let longer = pause.lowerBound * (1 << min(max(0, entry.drops - 1), 8))
      entries[offer]?.steadyFrom = entry.drops == 0 ? nil : now + min(longer, pause.upperBound)
      entries[offer]?.drops = min(entry.drops + 1, 16)
      entries[offer]?.phase = .waiting
      entries[offer]?.dropped = id
    case .shown:
      entries[offer]?.phase = .over(id, isExpired: isExpired)
      entries[offer]?.endFailure()
    // Its replacement appears as a new notification.
    case .sending where isExpired && entry.notice.asks: break
    case .sending(var sending):
      // The replacement that was already sent will appear as a new notification.
      sending.isOver = true
      entries[offer]?.phase = .sending(sending)
    default: break
    }
  }

  /// Where the server's list has no buttons, a click is for reading, and accepts no files.
  mutating func clicked(_ id: NotificationID, _ now: Instant) {
    guard habits.clickReads, let offer = offer(of: id), let entry = entries[offer], !isStopped,
      entry.failure == nil, entry.notice.areFiles
    else { return invoked(id, now) }
    entries[offer]?.isRead = true
    askAgain(offer)
  }

  mutating func invoked(_ id: NotificationID, _ now: Instant) {
    guard let offer = offer(of: id), let entry = entries[offer], !isStopped else { return }
    if entry.failure == nil, !entry.isOpening {
      guard entry.isAsShown(at: now) else { return askAgain(offer) }
      effects.append(.open(entry.notice, token: entry.token))
      entries[offer]?.isOpening = true
    }
    entries[offer]?.token = nil
    switch entry.phase {
    case .shown(let id, _):
      effects.append(.close(id))
      entries[offer]?.phase = .over(nil, isExpired: false)
      entries[offer]?.endFailure()
    case .sending(var sending):
      sending.isOver = true
      entries[offer]?.phase = .sending(sending)
    case .over, .waiting: entries[offer]?.phase = .over(nil, isExpired: false)
    }
  }

  mutating func declined(_ id: NotificationID) {
    guard let offer = offer(of: id), entries[offer]?.failure == nil, !isStopped else { return }
    effects.append(.decline(offer))
    switch entries[offer]?.phase {
    case .shown(let id, _):
      effects.append(.close(id))
      entries[offer]?.phase = .over(nil, isExpired: false)
    case .sending(var sending):
      sending.isOver = true
      entries[offer]?.phase = .sending(sending)
    case .waiting: entries[offer]?.phase = .over(nil, isExpired: false)
    case .over, nil: break
    }
  }

  /// Withdraws all notifications of its machine, including those of failures.
  mutating func muted(_ id: NotificationID) {
    guard let device = offer(of: id)?.deviceID, !isStopped else { return }
    let name = entries.first { $0.key.deviceID == device }?.value.notice.device ?? ""
    effects.append(.mute(device, name: name))
    for (offer, entry) in entries where offer.deviceID == device {
      entries[offer]?.endFailure()
      switch entry.phase {
      case .shown(let id, _):
        effects.append(.close(id))
        entries[offer]?.phase = .over(nil, isExpired: false)
      case .sending(var sending):
        sending.isOver = true
        entries[offer]?.phase = .sending(sending)
      case .over: withdrawExpired(offer)
      case .waiting: entries[offer]?.phase = .over(nil, isExpired: false)
      }
    }
  }

  mutating func offerChanged(_ offer: OfferNotice.ID) {
    guard let entry = entries[offer], entry.isOpening else { return }
    entries[offer]?.isOpening = false
    if !entry.isSending { askAgain(offer) }
  }

  /// Shows the offer as it is now, if there still is one.
  private mutating func askAgain(_ offer: OfferNotice.ID) {
    entries[offer]?.token = nil
    // What is on its way to the server is what is offered now.
    guard let entry = entries[offer], !entry.isSending else { return }
    if let id = entry.number { effects.append(.close(id)) }
    entries[offer]?.phase = .waiting
    entries[offer]?.isAskedAgain = true
  }

  mutating func openFailed(_ offer: OfferNotice.ID, _ why: String) {
    guard let entry = entries[offer], entry.isOpening else { return }
    entries[offer]?.isOpening = false
    entries[offer]?.failure = why
    if !entry.isSending { entries[offer]?.phase = .waiting }
  }

  /// The offer whose notification has this number.
  func offer(of id: NotificationID) -> OfferNotice.ID? {
    entries.first { $0.value.number == id }?.key ?? entries.first { $0.value.dropped == id }?.key
  }

  private func sending(_ request: Request) -> (OfferNotice.ID, Sending)? {
    for (offer, entry) in entries {
      if case .sending(let sending) = entry.phase, sending.request == request { return (offer, sending) }
    }
    return nil
  }
}

extension OfferNotifications.Entry {
  /// Whether a click is for what is offered now. Someone who clicks just after a change has not read it.
  fileprivate func isAsShown(at now: ContinuousClock.Instant) -> Bool {
    notice == shown && !isSending && (changedAt.map { $0 + OfferNotifications.notificationReadingTime <= now } ?? true)
  }

  /// The number of its notification, also if that is only in a list of old ones.
  fileprivate var number: OfferNotifications.NotificationID? {
    switch phase {
    case .shown(let number, _): number
    case .over(let number, _): number
    case .sending(let sending): sending.replaced
    case .waiting: nil
    }
  }

  mutating func endFailure() {
    failure = nil
    failureUntil = nil
  }
}
