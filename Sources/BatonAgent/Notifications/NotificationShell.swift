import Activity
import EventLoop
import Notifications
import Systemd

/// Carries out what `OfferNotifications` decides, and reports events to it.
@Loop
final class NotificationShell {
  /// Lets an app continue the activity, if it is still what was shown. The second argument is the token that lets the
  /// app take the focus. The third must be called with the result.
  typealias Opener = @Loop (OfferNotice, String?, @escaping @Loop (Opening) -> Void) -> Void

  enum Opening {
    case opened
    /// The offer is no longer what was shown.
    case changed
    /// The text is for people.
    case failed(String)
  }

  private var machine = OfferNotifications()
  private let server: NotificationServer
  private let open: Opener
  private let decline: @Loop (OfferNotice.ID) -> Void
  private let mute: @Loop (DeviceID, _ name: String) -> Void
  private let log: Log
  private var timer: Timer?
  private var isSilent = false
  /// Called once everything is withdrawn, or at the deadline.
  private var completion: (@Loop () -> Void)?
  private var deadline: Timer?

  /// - Parameters:
  ///   - decline: Called when the user does not want files that a machine sends.
  ///   - mute: Called when the user no longer wants to hear of a machine.
  init(
    log: Log,
    open: @escaping Opener,
    decline: @escaping @Loop (OfferNotice.ID) -> Void,
    mute: @escaping @Loop (DeviceID, _ name: String) -> Void
  ) {
    self.log = log
    self.open = open
    self.decline = decline
    self.mute = mute
    server = NotificationServer(log: log)
    timer = Timer { [weak self] in self?.handle(.wake) }
    server.onEvent = { [weak self] in
      if let event = OfferNotifications.Event($0) { self?.handle(event) }
    }
  }

  func start() { server.start() }

  /// Withdraws everything.
  ///
  /// - Parameter completion: Called when that is done, but after `Limits.notificationStopTime` at the latest; perhaps
  ///   before this returns.
  func stop(completion: @escaping @Loop () -> Void) {
    self.completion = completion
    deadline = Timer { [weak self] in self?.end() }
    deadline?.set(Loop.now + Limits.notificationStopTime)
    handle(.stopped)
  }

  /// - Parameter notices: What is offered and may be shown, the newest first.
  func offersChanged(_ notices: [OfferNotice]) { handle(.offersChanged(notices)) }

  /// Passes on whether the screen is locked. Nothing is shown on a locked screen.
  func screenChanged(isLocked: Bool) { handle(.locked(isLocked)) }

  private func handle(_ event: OfferNotifications.Event) {
    switch event {
    case .shown, .serverChanged: isSilent = false
    default: break
    }
    for effect in machine.handle(event, at: Loop.now) { perform(effect) }
    endIfSettled()
  }

  private func perform(_ effect: OfferNotifications.Effect) {
    switch effect {
    case .ask: server.ask()
    case .show(let request, let content, let replaced, let isQuiet):
      let text = NotificationText(content, capabilities: server.capabilities, server.habits)
      let manner = NotificationManner(content.kind, isQuiet: isQuiet, isChange: replaced != nil, server.habits)
      let category = content.failure == nil ? "x-baton.offer" : "x-baton.failure"
      server.show(
        request,
        ShownNotification(
          summary: text.summary,
          body: text.body,
          actions: server.habits.actions(text.actions),
          category: category,
          manner: manner
        ),
        replacing: replaced
      )
    case .close(let id): server.close(id) { [weak self] in self?.endIfSettled() }
    case .open(let notice, let token):
      let offer = notice.id
      log.info("The user continues an activity from a notification", ["activity": offer.activity.description])
      open(notice, token) { [weak self] opening in
        switch opening {
        case .opened: self?.handle(.opened(offer))
        case .changed: self?.handle(.offerChanged(offer))
        case .failed(let why): self?.handle(.openFailed(offer, why: why))
        }
      }
    case .decline(let offer): decline(offer)
    case .mute(let device, let name): mute(device, name)
    case .silent:
      if !isSilent { log.notice("The notification server does not answer") }
      isSilent = true
    case .wake(let instant): timer?.set(instant)
    }
  }

  private func endIfSettled() { if completion != nil, machine.isSettled, server.closing == 0 { end() } }

  private func end() {
    deadline?.set(nil)
    server.stop()
    let completion = completion
    self.completion = nil
    completion?()
  }
}

extension OfferNotifications.Event {
  /// - Returns: Nil if it means nothing here.
  fileprivate init?(_ event: NotificationServer.Event) {
    switch event {
    case .serverChanged: self = .serverChanged
    case .serverLost: self = .serverLost
    case .serverReady: self = .serverReady
    case .serverIs(let habits): self = .serverIs(habits)
    case .serverMissing: self = .serverMissing
    case .shown(let request, let id): self = .shown(request, id)
    case .refused(let request): self = .refused(request)
    case .closed(let id, let isExpired): self = .closed(id, isExpired: isExpired)
    case .tokenGiven(let id, let token): self = .tokenGiven(id, token)
    case .invoked(let id, let key):
      switch key {
      case NotificationText.muteKey: self = .muted(id)
      case NotificationText.declineKey: self = .declined(id)
      case NotificationText.clickKey: self = .clicked(id)
      case NotificationText.continueKey: self = .invoked(id)
      default: return nil
      }
    }
  }
}
