// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides what is shown of transfers: the progress of those that take long, quietly and replaced in place, and how
/// each ended.
///
/// - The progress of a transfer is shown once it has taken `shownTransferTime`, and then at most once per
/// `Limits.notificationInterval`. If a person closes it, only the end is shown.
/// - That the other machine's user is asked is shown almost immediately, because the sender waits.
/// - At most `ServerHabits.transferPlaces` are shown at the same time. The next end takes the place of the oldest. A
/// machine whose transfers end one after the other is shown as rarely as one that makes offers; see
/// `NotificationAllowance`.
/// - On a locked screen, nothing is shown. What ended meanwhile is shown when it is unlocked, and what was shown before
/// comes back quietly.
package struct TransferNotifications: Sendable {
  /// How long the other machine's user is asked until that is shown. A machine that accepts by a rule is quicker.
  static let askedTransferTime = Duration.milliseconds(500)
  /// How long a transfer takes until its progress is shown.
  static let shownTransferTime = Duration.seconds(2)
  /// The maximum number of transfers that run or whose end is shown.
  private static let transferNotificationEntries = 64

  package typealias NotificationID = ServerDialogue.NotificationID
  package typealias Request = ServerDialogue.Request
  package typealias Instant = ContinuousClock.Instant

  package enum Event: Equatable, Sendable {
    /// A transfer runs, or is over.
    case changed(TransferNotice)
    /// A transfer neither runs nor is over any longer.
    case gone(ActivityID)

    // From the server.
    case serverChanged
    case serverLost
    case serverReady
    case serverMissing
    /// What the server is like; before `serverReady`.
    case serverIs(ServerHabits)
    case shown(Request, NotificationID)
    case refused(Request)

    // From people.
    /// - Parameter isExpired: Nobody dismissed it, and a list of old notifications may still have it.
    case closed(NotificationID, isExpired: Bool)
    case invoked(NotificationID, key: String)

    case locked(Bool)
    case stopped
    case wake
  }

  package enum Effect: Equatable, Sendable {
    /// Find out whether there is a server, and allow it to be started.
    case ask
    case show(Request, TransferNotice, replacing: NotificationID?, isQuiet: Bool)
    case close(NotificationID)
    /// End the transfer.
    case cancel(ActivityID)
    /// Show what has arrived.
    case open(ActivityID)
    /// Send `.wake` at this instant, and not at an instant that was given before. Nil: do not send it at all.
    case wake(at: Instant?)
  }

  private struct Entry {
    var notice: TransferNotice
    let since: Instant
    /// What is shown, and under which number.
    var shown: (id: NotificationID, notice: TransferNotice)?
    /// The number of what is no longer shown. A click on it can be on its way, or come from a list of old ones. Zero if
    /// it has none.
    var old: NotificationID?
    /// What was sent, until the server answers.
    var sending: (request: Request, notice: TransferNotice)?
    var lastSent: Instant?
    /// What was shown last, even if it was withdrawn.
    var seen: TransferNotice?
    /// A person does not want to see the progress.
    var isClosed = false
    /// It is taken away as soon as the server has said under which number it is.
    var isGone = false

    /// Whether nothing more is said about it.
    var isDone: Bool { old != nil && seen == notice && notice.state.isOver }
  }

  private var entries: [ActivityID: Entry] = [:]
  private var allowances: [DeviceID: NotificationAllowance] = [:]
  private var dialogue = ServerDialogue()
  private var habits: ServerHabits { dialogue.habits }
  private var isLocked = false
  private var isStopped = false
  private var effects: [Effect] = []

  package init() {}

  /// Returns what to do, in order. The last effect tells when to wake.
  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    effects = []
    switch event {
    case .changed(let notice): if !isStopped { change(notice, now) }
    case .gone(let id): remove(id)
    case .serverChanged: forgetServer(.unknown)
    case .serverLost: forgetServer(.missing)
    case .serverReady: dialogue.isReady()
    case .serverIs(let habits): dialogue.isLike(habits)
    case .serverMissing: dialogue.isMissing(now)
    case .shown(let request, let id): shown(request, id, now)
    case .refused(let request): refused(request, now)
    case .closed(let id, let isExpired): closed(id, isExpired)
    case .invoked(let id, let key): invoked(id, key)
    case .locked(let isLocked): lock(isLocked)
    case .stopped:
      isStopped = true
      for id in entries.keys { remove(id) }
    case .wake: break
    }
    showNext(now)
    effects.append(.wake(at: isStopped ? nil : deadline(now)))
    defer { effects = [] }
    return effects
  }

  /// Whether no reply is awaited that could require a withdrawal.
  package var isSettled: Bool { !entries.values.contains { $0.sending != nil } }

  // MARK: Transfers

  private mutating func change(_ notice: TransferNotice, _ now: Instant) {
    if entries[notice.id] == nil {
      guard makeRoom() else { return }
      entries[notice.id] = Entry(notice: notice, since: now)
    }
    entries[notice.id]?.notice = notice
    entries[notice.id]?.isGone = false
    if (dialogue.retryAt ?? now) <= now { dialogue.lookAgain() }
  }

  /// - Returns: Whether one more can be remembered. What ended first is forgotten.
  private mutating func makeRoom() -> Bool {
    guard entries.count >= Self.transferNotificationEntries else { return true }
    let over = entries.filter { $0.value.notice.state.isOver && $0.value.sending == nil }
    guard let oldest = over.min(by: { $0.value.since < $1.value.since })?.key else { return false }
    // Its notification stays.
    entries[oldest] = nil
    return true
  }

  private mutating func remove(_ id: ActivityID) {
    guard let entry = entries[id] else { return }
    if entry.sending != nil {
      entries[id]?.isGone = true
    } else {
      // How it ended is worth reading although it is no longer listed.
      if let shown = entry.shown, !shown.notice.state.isOver || isStopped { effects.append(.close(shown.id)) }
      entries[id] = nil
    }
  }

  // MARK: The server

  private mutating func forgetServer(_ next: ServerDialogue.Server) {
    dialogue.forget(next)
    for (id, entry) in entries {
      if entry.isGone || entry.shown?.notice.state.isOver == true || entry.isDone {
        entries[id] = nil
      } else {
        entries[id]?.shown = nil
        entries[id]?.old = nil
        entries[id]?.sending = nil
      }
    }
  }

  private mutating func shown(_ request: Request, _ id: NotificationID, _ now: Instant) {
    dialogue.replied(to: request)
    guard let (transfer, entry) = entries.first(where: { $0.value.sending?.request == request }),
      let sending = entry.sending
    else { return effects.append(.close(id)) }
    dialogue.succeeded()
    if let shown = entry.shown, shown.id != id { effects.append(.close(shown.id)) }
    takeNumber(id, of: transfer)
    // Zero is no number: such a notification can neither be changed nor clicked on.
    entries[transfer]?.shown = id == 0 ? nil : (id, sending.notice)
    entries[transfer]?.old = id == 0 ? 0 : nil
    entries[transfer]?.seen = sending.notice
    entries[transfer]?.sending = nil
    if entry.isGone {
      remove(transfer)
    } else if id != 0, isLocked || entry.isClosed && !sending.notice.state.isOver {
      effects.append(.close(id))
      entries[transfer]?.shown = nil
      // It was on its way when the screen was locked.
      if isLocked, entry.shown?.notice != sending.notice { entries[transfer]?.seen = nil }
    }
  }

  /// Makes sure that a click on a number is for one transfer. See `OfferNotifications`.
  private mutating func takeNumber(_ id: NotificationID, of transfer: ActivityID) {
    for (other, entry) in entries where other != transfer {
      if entry.shown?.id == id { entries[other]?.shown = nil }
      if entry.shown?.id == id || entry.old == id { entries[other]?.old = 0 }
    }
  }

  private mutating func refused(_ request: Request, _ now: Instant) {
    dialogue.replied(to: request)
    dialogue.pause(now)
    guard let id = entries.first(where: { $0.value.sending?.request == request })?.key else { return }
    entries[id]?.sending = nil
    if entries[id]?.isGone == true { remove(id) }
  }

  private mutating func closed(_ number: NotificationID, _ isExpired: Bool) {
    guard let id = entries.first(where: { $0.value.shown?.id == number })?.key else { return }
    entries[id]?.shown = nil
    entries[id]?.old = number
    if !isExpired { entries[id]?.isClosed = true }
  }

  private mutating func invoked(_ number: NotificationID, _ key: String) {
    guard number != 0, !isStopped,
      let (id, entry) = entries.first(where: { $0.value.shown?.id == number || $0.value.old == number })
    else { return }
    switch (key, entry.notice.state) {
    case (TransferNotificationText.cancelKey, .running), (TransferNotificationText.cancelKey, .asking):
      effects.append(.cancel(id))
    case (TransferNotificationText.openKey, .done), (NotificationText.clickKey, .done):
      if !entry.notice.isSending { effects.append(.open(id)) }
      finish(id, number)
    case (NotificationText.clickKey, _): finish(id, number)
    default: break
    }
  }

  /// A person is done with a notification, which some servers leave where it is.
  private mutating func finish(_ id: ActivityID, _ number: NotificationID) {
    effects.append(.close(number))
    entries[id]?.shown = nil
    entries[id]?.isClosed = true
    // It was read.
    if entries[id]?.notice.state.isOver == true { entries[id] = nil }
  }

  // MARK: Showing

  private mutating func lock(_ isLocked: Bool) {
    guard isLocked != self.isLocked else { return }
    self.isLocked = isLocked
    guard isLocked else { return }
    for (id, entry) in entries {
      guard let shown = entry.shown else { continue }
      effects.append(.close(shown.id))
      entries[id]?.shown = nil
    }
  }

  /// Shows at most one notification.
  private mutating func showNext(_ now: Instant) {
    _ = dialogue.giveUp(at: now)
    guard !isStopped, !isLocked, !dialogue.isAwaitingReply else { return }
    let ready = entries.filter { due($0.value, now).map { $0 <= now } ?? false }
    // How a transfer ended comes before the progress of others, and the oldest first.
    let next = ready.min {
      ($0.value.notice.state.isOver ? 0 : 1, $0.value.lastSent ?? $0.value.since)
        < ($1.value.notice.state.isOver ? 0 : 1, $1.value.lastSent ?? $1.value.since)
    }
    guard let (id, entry) = next else { return }
    let readiness = dialogue.readiness(at: now)
    if readiness == .asks { effects.append(.ask) }
    guard readiness == .ready, entry.shown != nil || makePlace() else { return }
    var isQuiet = entry.seen == entry.notice
    if case .running = entry.notice.state { isQuiet = true }
    if !isQuiet {
      var allowance = allowances[entry.notice.deviceID] ?? NotificationAllowance()
      allowance.take(isQuiet: !allowance.isAloud(at: now), now)
      allowances = allowances.filter { !$0.value.isFull(at: now) }
      allowances[entry.notice.deviceID] = allowance
    }
    let request = dialogue.send(at: now)
    entries[id]?.sending = (request, entry.notice)
    entries[id]?.lastSent = now
    effects.append(.show(request, entry.notice, replacing: entry.shown?.id, isQuiet: isQuiet))
  }

  private var isFull: Bool {
    entries.values.count { $0.shown != nil || $0.sending != nil } >= habits.transferPlaces
  }

  /// Withdraws what ended first, or else some progress, if there is no place for one more.
  ///
  /// - Returns: Whether there is one.
  private mutating func makePlace() -> Bool {
    guard isFull else { return true }
    let shown = entries.filter { $0.value.shown != nil && $0.value.sending == nil }
    let least = shown.min {
      ($0.value.notice.state.isOver ? 0 : 1, $0.value.lastSent ?? $0.value.since)
        < ($1.value.notice.state.isOver ? 0 : 1, $1.value.lastSent ?? $1.value.since)
    }
    guard let (id, entry) = least, let number = entry.shown?.id else { return false }
    effects.append(.close(number))
    entries[id]?.shown = nil
    if entry.notice.state.isOver { entries[id] = nil }
    return true
  }

  /// When an entry can be shown; nil if there is nothing new to show, or no room for it.
  private func due(_ entry: Entry, _ now: Instant) -> Instant? {
    guard entry.sending == nil, !entry.isGone, entry.shown?.notice != entry.notice else { return nil }
    // It was closed, or has expired, and there is nothing new to say.
    if entry.old != nil, entry.seen == entry.notice { return nil }
    let isOver = entry.notice.state.isOver
    if entry.shown == nil, !isOver, isFull { return nil }
    // It would be a popup as if it were new.
    if habits.forgets, entry.seen == entry.notice { return nil }
    let next = entry.lastSent.map { $0 + Limits.notificationInterval }
    guard !isOver else {
      return (allowances[entry.notice.deviceID] ?? NotificationAllowance()).nextNew(now)
    }
    let delay = entry.notice.state == .asking ? Self.askedTransferTime : Self.shownTransferTime
    return entry.isClosed ? nil : max(entry.since + delay, next ?? now)
  }

  private func deadline(_ now: Instant) -> Instant? {
    if let late = dialogue.replyDeadline { return late }
    guard !isLocked, dialogue.isPossible || dialogue.retryAt != nil else { return nil }
    guard let next = entries.values.compactMap({ due($0, now) }).min() else { return nil }
    return [next, dialogue.retryAt].compactMap(\.self).filter { $0 > now }.max()
  }
}
