// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides which notifications are shown: one for each offer, replaced in place, withdrawn with the offer, and not too
/// many in total or per second.
///
/// - An offer that is gone counts as offered for another `offerReturnTime`, because sessions break and come back. An
///   offer that returns later must stay for `offerSteadyTime` before it is shown again, quietly.
/// - A notification that a person dismissed, that expired or that was opened is not shown again while its offer lasts,
///   nor for `notificationMemory` afterwards. That is so even if the activity was continued and comes back,
///   because apps often make an activity current again as soon as another machine has it, and nobody wants to be asked
///   about what they have just opened.
/// - An activity that is published anew under another ID is the same to people (``OfferNotice/Subject``). So it takes
///   the place of the one that is gone. It is announced once in `notificationMemory`, and quietly after that,
///   however often people go from one window to another at the other machine.
/// - What the user has here or has just handed over (``OfferNotice/isHere``) is not shown until it is something else.
/// - At most `ServerHabits.notifications` are shown at the same time: those of the newest offers. One that newer offers
///   displaced does not come back, either. The newest offer of each machine comes before the second of any, so that no
///   machine keeps another out.
/// - A machine that has shown many shows the next ones quietly, and even those not too often; see
/// `NotificationAllowance`.
///
/// What asks (``OfferNotice/asks``) comes first among the offers of its machine, and is not given up until a person has
/// answered or dismissed it: if the server drops it or others take its place, it is shown again. While there is no room
/// for it, one that is shown says how many more wait.
///
/// While the screen is locked, nothing is shown. Notifications are withdrawn, and shown again when the screen is
/// unlocked.
///
/// A click is for what was shown. If the offer is something else by now, or has only just become what is shown, the
/// person is asked again.
///
/// A notification's number means nothing to another server. So all numbers are forgotten when the server changes.
package struct OfferNotifications: Sendable {
  package typealias NotificationID = ServerDialogue.NotificationID
  /// Identifies one ``Effect/show(_:_:replacing:isQuiet:)``.
  package typealias Request = ServerDialogue.Request

  package enum Event: Equatable, Sendable {
    /// All that is offered now and may be shown, the newest first.
    case offersChanged([OfferNotice])
    /// What ``Effect/open(_:token:)`` asked for has failed.
    case openFailed(OfferNotice.ID, why: String)
    /// What ``Effect/open(_:token:)`` asked for has succeeded.
    case opened(OfferNotice.ID)
    /// What ``Effect/open(_:token:)`` asked for was refused, because the offer is no longer what was shown.
    case offerChanged(OfferNotice.ID)

    // From the server.
    /// There is a server, and it is not the previous one.
    case serverChanged
    /// There is no longer a server.
    case serverLost
    /// The replies to ``Effect/ask``.
    case serverReady
    case serverMissing
    /// What the server is like; before `serverReady`.
    case serverIs(ServerHabits)
    /// The replies to ``Effect/show(_:_:replacing:isQuiet:)``.
    case shown(Request, NotificationID)
    case refused(Request)

    // From people.
    /// The notification is no longer shown.
    /// - Parameter isExpired: Nobody dismissed it, and a list of old notifications may still have it.
    case closed(NotificationID, isExpired: Bool)
    /// A token for the app that the next ``invoked(_:)`` starts.
    case tokenGiven(NotificationID, String)
    case invoked(NotificationID)
    /// A click on the notification itself, not on a button.
    case clicked(NotificationID)
    /// The user does not want the files.
    case declined(NotificationID)
    /// The user wants no more notifications of its machine.
    case muted(NotificationID)

    /// The screen was locked or unlocked. Nothing is shown on a locked screen.
    case locked(Bool)
    /// Everything shown is withdrawn, and nothing more is shown.
    case stopped
    case wake
  }

  package enum Effect: Equatable, Sendable {
    /// Find out whether there is a server, and allow it to be started.
    case ask
    /// - Parameters:
    ///   - replacing: The notification that is shown and changes; nil for a new one.
    ///   - isQuiet: Whether to show it without disturbing anyone.
    case show(Request, NotificationContent, replacing: NotificationID?, isQuiet: Bool)
    case close(NotificationID)
    /// Open the offer, if it is still what the person was shown.
    case open(OfferNotice, token: String?)
    /// Tell the origin that the user does not want the files.
    case decline(OfferNotice.ID)
    /// Remember that the machine is muted. From then on, `offersChanged` has none of its offers.
    case mute(DeviceID, name: String)
    /// The server has not replied for `ServerDialogue.notificationReplyTime`.
    case silent
    /// Send `.wake` at this instant, and not at an instant that was given before. Nil: do not send it at all.
    case wake(at: ContinuousClock.Instant?)
  }

  typealias Instant = ContinuousClock.Instant

  /// A notification that was sent and not yet replied to.
  struct Sending: Equatable, Sendable {
    let request: Request
    var content: NotificationContent
    let isQuiet: Bool
    var replaced: NotificationID?
    /// What was shown before.
    var previous: NotificationContent?
    /// Whether the reply comes too late, because the user is done with it.
    var isOver = false
  }

  enum Phase: Equatable, Sendable {
    case waiting
    case sending(Sending)
    case shown(NotificationID, NotificationContent)
    /// Not shown again. The server may still report something about the notification, or list it among old ones.
    case over(NotificationID?, isExpired: Bool)
  }

  struct Entry: Equatable, Sendable {
    var notice: OfferNotice
    /// What the user has here or has just handed over, if that is what is offered.
    var known: OfferNotice.Subject?
    /// What people were done with when it had another ID.
    var inherited: OfferNotice.Subject?
    /// Its place among the offers; nil if it is not offered.
    var rank: Int?
    var phase = Phase.waiting
    /// Since when it is no longer offered.
    var goneSince: Instant?
    /// It is not shown before this instant.
    var steadyFrom: Instant?
    var lastSent: Instant?
    /// What the server showed last. Nil if it has not shown anything yet.
    var shown: OfferNotice?
    /// When that took the place of something else.
    var changedAt: Instant?
    /// Whether a person wanted something that is no longer offered, and is asked again.
    var isAskedAgain = false
    var wasShown = false
    var token: String?
    /// Whether it is being opened.
    var isOpening = false
    var failure: String?
    /// When the notification of the failure must be withdrawn.
    var failureUntil: Instant?
    /// How often the server has dropped it while it asked.
    var drops = 0
    /// The number that it had then. Servers also do that before they say what a person clicked on.
    var dropped: NotificationID?
    /// See ``NotificationContent/more``.
    var more = 0
    /// See ``NotificationContent/isRead``.
    var isRead = false

    var content: NotificationContent {
      var content = NotificationContent(notice, failure: failure)
      if failure == nil, notice.asks { (content.more, content.isRead) = (more, isRead) }
      return content
    }

    /// Whether nobody needs to be told of it as it is.
    var isKnown: Bool { known == notice.subject && !notice.asks }

    var isSending: Bool { if case .sending = phase { true } else { false } }

    /// Whether the server has it or might have it.
    var takesPlace: Bool {
      switch phase {
      case .sending, .shown: true
      case .waiting, .over: false
      }
    }
  }

  var entries: [OfferNotice.ID: Entry] = [:]
  /// What was shown, and when last.
  var told: [OfferNotice.Subject: Instant] = [:]
  /// The allowances of machines that have used some of theirs.
  var allowances: [DeviceID: NotificationAllowance] = [:]
  var dialogue = ServerDialogue()
  var habits: ServerHabits { dialogue.habits }
  var lastShow: Instant?
  var isLocked = false
  var isStopped = false
  var effects: [Effect] = []

  package init() {}

  /// Returns what to do, in order. The last effect tells when to wake.
  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    effects = []
    switch event {
    case .offersChanged(let notices): if !isStopped { take(notices, now) }
    case .openFailed(let offer, let why): openFailed(offer, why)
    case .opened(let offer): entries[offer]?.isOpening = false
    case .offerChanged(let offer): offerChanged(offer)
    case .serverChanged: forgetServer(.unknown)
    case .serverLost: forgetServer(.missing)
    case .serverReady: dialogue.isReady()
    case .serverIs(let habits): dialogue.isLike(habits)
    case .serverMissing: dialogue.isMissing(now)
    case .shown(let request, let id): shown(request, id, now)
    case .refused(let request): refused(request, now)
    case .closed(let id, let isExpired): closed(id, isExpired, now)
    case .tokenGiven(let id, let token):
      if let offer = offer(of: id), token.utf8.count <= Limits.activationTokenLength {
        entries[offer]?.token = token
      }
    case .invoked(let id): invoked(id, now)
    case .clicked(let id): clicked(id, now)
    case .declined(let id): declined(id)
    case .muted(let id): muted(id)
    case .locked(let isLocked): lock(isLocked)
    case .stopped: stop()
    case .wake: break
    }
    if !isStopped {
      withdraw(now)
      countWaiting()
      showNext(now)
    }
    effects.append(.wake(at: isStopped ? nil : nextDeadline(now)))
    defer { effects = [] }
    return effects
  }

  /// Whether no reply is awaited that could require a withdrawal.
  package var isSettled: Bool { !entries.values.contains(where: \.isSending) }
}
