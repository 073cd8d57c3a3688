import Activity

/// Which notifications are shown: one for each offer, replaced in place, withdrawn with the offer, and not too many in all
/// or in a second.
///
/// - An offer that is gone counts as offered for `Limits.offerReturnTime` more: sessions break and are back. One that comes
///   back later must stay for `Limits.offerSteadyTime` before it is shown again, quietly.
/// - What a person dismissed, what expired and what was opened is not shown again while it is offered, nor for
///   `Limits.notificationMemory` after.
/// - At most `Limits.notifications` are shown at once, those of the newest offers; one that made place stays away, too. The
///   newest of each machine come before the second ones, so that none keeps another out.
/// - A machine that has shown many shows the next ones quietly, and those not too often, either; see `Allowance`.
///
/// While the screen is locked nothing is shown: what is there is withdrawn, and shown again when it is unlocked.
///
/// The number that a server gives to a notification means nothing to the next server: all of them are forgotten then.
package struct OfferNotifications: Sendable {
  /// The number that a server gives to a notification.
  package typealias NotificationID = UInt32
  /// Names one ``Effect/show(_:_:replacing:isQuiet:)``, to tell what became of it.
  package typealias Request = UInt64

  package enum Event: Equatable, Sendable {
    /// All that is offered now and may be shown, the newest first.
    case offersChanged([OfferNotice])
    /// What was asked for with ``Effect/open(_:token:)`` failed.
    case openFailed(OfferNotice.ID, why: String)
    /// It did not fail.
    case opened(OfferNotice.ID)

    // The server.
    /// There is a server, other than before.
    case serverChanged
    /// There is none any more.
    case serverLost
    /// The answers to ``Effect/ask``.
    case serverReady
    case serverMissing
    /// The answers to ``Effect/show(_:_:replacing:isQuiet:)``.
    case shown(Request, NotificationID)
    case refused(Request)

    // What people do.
    /// The notification is not shown any more.
    /// - Parameter isExpired: By itself, and a list of old ones may still have it.
    case closed(NotificationID, isExpired: Bool)
    /// A token for the app that the next ``invoked(_:)`` starts.
    case tokenGiven(NotificationID, String)
    case invoked(NotificationID)
    /// They want nothing of its machine any more.
    case muted(NotificationID)

    /// The screen is locked, or not any more: nothing is shown on a locked one.
    case locked(Bool)
    /// All that is shown is withdrawn, and nothing shown any more.
    case stopped
    case wake
  }

  package enum Effect: Equatable, Sendable {
    /// Find out whether there is a server, and let it start.
    case ask
    /// - Parameters:
    ///   - replacing: The notification that is shown and changes; nil for a new one.
    ///   - isQuiet: People were told of it before.
    case show(Request, NotificationContent, replacing: NotificationID?, isQuiet: Bool)
    case close(NotificationID)
    case open(OfferNotice.ID, token: String?)
    /// Remember that the machine is muted: `offersChanged` has none of it from here on.
    case mute(DeviceID, name: String)
    /// The server has not answered for `Limits.notificationReplyTime`.
    case silent
    /// Send `.wake` at this instant, and not at one that was named before. Nil: not at all.
    case wake(at: ContinuousClock.Instant?)
  }

  typealias Instant = ContinuousClock.Instant

  enum Server: Equatable, Sendable {
    /// Nothing is known of it.
    case unknown
    case asked
    case ready
    /// Asked again when there is a new offer, or a sign of a server.
    case missing
  }

  /// What was sent and not answered.
  struct Sending: Equatable, Sendable {
    let request: Request
    let content: NotificationContent
    let isQuiet: Bool
    var replaced: NotificationID?
    /// What was shown before.
    let previous: NotificationContent?
    /// The answer comes too late: people are done with it.
    var isOver = false
  }

  enum Phase: Equatable, Sendable {
    case waiting
    case sending(Sending)
    case shown(NotificationID, NotificationContent)
    /// Not shown again. The notification may still have something to say, or be in a list of old ones.
    case over(NotificationID?, isExpired: Bool)
  }

  struct Entry: Equatable, Sendable {
    var notice: OfferNotice
    /// Its place among the offers; nil where it is not offered.
    var rank: Int?
    var phase = Phase.waiting
    /// Since when it is not offered.
    var goneSince: Instant?
    /// Not to be shown before.
    var steadyFrom: Instant?
    var lastSent: Instant?
    var wasShown = false
    var token: String?
    /// It is being opened.
    var isOpening = false
    var failure: String?
    /// The failure was shown until then.
    var failureUntil: Instant?

    var content: NotificationContent { NotificationContent(notice, failure: failure) }

    var isSending: Bool { if case .sending = phase { true } else { false } }

    /// Whether the server has it, or may have it.
    var takesPlace: Bool {
      switch phase {
      case .sending, .shown: true
      case .waiting, .over: false
      }
    }
  }

  var entries: [OfferNotice.ID: Entry] = [:]
  /// Of machines that are not at the begin of it.
  var allowances: [DeviceID: Allowance] = [:]
  var server = Server.unknown
  var backoff = Backoff(Limits.notificationBackoff)
  /// Nothing is asked or sent before.
  var retryAt: Instant?
  var lastShow: Instant?
  /// The one whose answer is awaited before another is sent, and since when.
  var awaited: (request: Request, since: Instant)?
  var lastRequest: Request = 0
  var isLocked = false
  var isStopped = false
  var effects: [Effect] = []

  package init() {}

  /// What is to be done, in order; the last is when to wake.
  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    effects = []
    switch event {
    case .offersChanged(let notices): if !isStopped { take(notices, now) }
    case .openFailed(let offer, let why): openFailed(offer, why)
    case .opened(let offer): entries[offer]?.isOpening = false
    case .serverChanged: forgetServer(.unknown)
    case .serverLost: forgetServer(.missing)
    case .serverReady: if server == .asked { server = .ready }
    case .serverMissing:
      guard server == .asked else { break }
      server = .missing
      retryAt = now + backoff.next(jitter: 1)
    case .shown(let request, let id): shown(request, id, now)
    case .refused(let request): refused(request, now)
    case .closed(let id, let isExpired): closed(id, isExpired)
    case .tokenGiven(let id, let token):
      if let offer = offer(of: id), token.utf8.count <= Limits.activationTokenLength {
        entries[offer]?.token = token
      }
    case .invoked(let id): invoked(id)
    case .muted(let id): muted(id)
    case .locked(let isLocked): lock(isLocked)
    case .stopped: stop()
    case .wake: break
    }
    if !isStopped {
      withdraw(now)
      showNext(now)
    }
    effects.append(.wake(at: isStopped ? nil : nextDeadline(now)))
    defer { effects = [] }
    return effects
  }

  /// Whether no answer is awaited by which something would have to be withdrawn.
  package var isSettled: Bool { !entries.values.contains(where: \.isSending) }
}
