import Activity
import EventLoop
import Glibc
import Notifications
import Systemd

/// The program that shows notifications, over the user's bus (Desktop Notifications Specification 1.2): both may be missing,
/// go and come back, and nothing here waits for them.
@Loop
final class NotificationServer {
  /// What it tells; see ``OfferNotifications/Event``.
  var onEvent: (@Loop (OfferNotifications.Event) -> Void)?
  /// As its `GetCapabilities` names them.
  private(set) var capabilities: Set<String> = []

  private let log: Log
  private var bus: MessageBus?
  private var backoff = Backoff(Limits.notificationBackoff)
  private var timer: Timer?
  /// The server's unique name on the bus: what is meant for it goes to no other.
  private var owner: String?
  /// Counts servers: what one said is nothing to the next.
  private var generation = 0
  private var lastTrouble: String?
  private var isStopped = false
  /// Withdrawals that the server has not answered.
  private(set) var closing = 0

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  init(log: Log) {
    self.log = log
    timer = Timer { [weak self] in self?.reconnect() }
  }

  func start() { connect() }

  func stop() {
    isStopped = true
    onEvent = nil
    timer?.set(nil)
    bus?.close()
    bus = nil
  }

  // MARK: The bus

  /// Tells nothing: it may be called from within what is done about an event.
  @discardableResult private func connect() -> Bool {
    guard !isStopped else { return false }
    guard bus == nil else { return true }
    do throws(MessageBus.Failure) {
      let bus = try MessageBus(.user) { [weak self] failure in
        self?.disconnected(failure)
        self?.tell(.serverLost)
      }
      self.bus = bus
      try listen(to: bus)
      timer?.set(nil)
      return true
    } catch {
      disconnected(error)
      return false
    }
  }

  private func reconnect() { if connect() { tell(.serverChanged) } }

  private func disconnected(_ failure: MessageBus.Failure) {
    bus?.close()
    bus = nil
    changeServer(to: nil)
    complain("No notifications are shown, the user's bus is not there: \(failure.description)")
    // Where no address is known, none will be.
    if failure.code != ENOMEDIUM { timer?.set(Loop.now + backoff.next()) }
  }

  private func listen(to bus: MessageBus) throws(MessageBus.Failure) {
    let owner = "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged'"
    try bus.match("\(owner),arg0='\(Self.name)'") { [weak self] message in
      _ = (message.string(), message.string())
      self?.ownerChanged(to: message.string() ?? "")
    }
    try hear("NotificationClosed", bus) { message in
      guard let id = message.number(), let reason = message.number() else { return nil }
      return .closed(id, isExpired: reason == 1)
    }
    try hear("ActivationToken", bus) { message in
      guard let id = message.number(), let token = message.string() else { return nil }
      return .tokenGiven(id, token)
    }
    try hear("ActionInvoked", bus) { message in
      guard let id = message.number(), let key = message.string() else { return nil }
      if key == NotificationText.muteKey { return .muted(id) }
      return NotificationText.continueKeys.contains(key) ? .invoked(id) : nil
    }
  }

  private func hear(
    _ signal: String,
    _ bus: MessageBus,
    _ event: @escaping @Loop (BusMessage) -> OfferNotifications.Event?
  ) throws(MessageBus.Failure) {
    let rule = "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.name)',member='\(signal)'"
    try bus.match(rule) { [weak self] message in
      guard let self, message.sender == self.owner, let event = event(message) else { return }
      self.tell(event)
    }
  }

  private func ownerChanged(to name: String) {
    changeServer(to: nil)
    // Which server this is, and what it can, its answer to the next question says.
    tell(name.isEmpty ? .serverLost : .serverChanged)
  }

  private func changeServer(to owner: String?) {
    self.owner = owner
    generation += 1
    closing = 0
  }

  private func tell(_ event: OfferNotifications.Event) { onEvent?(event) }

  private func complain(_ trouble: String) {
    if trouble != lastTrouble { log.notice(trouble) }
    lastTrouble = trouble
  }

  // MARK: Calls

  /// Asks what the server can, and lets the bus start one. The answer is `serverReady` or `serverMissing`.
  func ask() {
    connect()
    changeServer(to: nil)
    var question = BusCall(Self.name, Self.path, Self.name, "GetCapabilities")
    question.startsService = true
    send(question) { [weak self] message in
      guard let self else { return }
      if let error = message.errorName { return self.missing(error) }
      self.capabilities = Set(message.strings(limit: Limits.notificationCapabilitiesLength))
      self.owner = message.sender
      self.backoff.reset()
      self.lastTrouble = nil
      self.log.debug("There is a notification server", ["can": self.capabilities.sorted().joined(separator: ",")])
      self.tell(.serverReady)
    } onFailure: { [weak self] in
      self?.tell(.serverMissing)
    }
  }

  private func missing(_ error: String) {
    complain("No notifications are shown, no program shows them: \(error)")
    tell(.serverMissing)
  }

  /// The answer is `shown` or `refused`.
  func show(_ request: OfferNotifications.Request, _ arguments: [BusArgument]) {
    var call = BusCall(owner ?? "", Self.path, Self.name, "Notify", arguments: arguments)
    call.replyTime = Limits.lateNotificationReplyTime
    send(call) { [weak self] message in
      guard let self else { return }
      guard message.errorName == nil, let id = message.number() else {
        self.complain("A notification was refused: \(message.errorName ?? "the answer cannot be understood")")
        return self.tell(.refused(request))
      }
      self.tell(.shown(request, id))
    } onFailure: { [weak self] in
      self?.tell(.refused(request))
    }
  }

  /// - Parameter completion: Called when the server has done it, or cannot.
  func close(_ id: OfferNotifications.NotificationID, completion: @escaping @Loop () -> Void) {
    let call = BusCall(owner ?? "", Self.path, Self.name, "CloseNotification", arguments: [.number(id)])
    closing += 1
    send(call) { [weak self] _ in
      self?.closing -= 1
      completion()
    } onFailure: { [weak self] in
      self?.closing -= 1
      completion()
    }
  }

  /// - Parameters:
  ///   - reply: Called unless there is another server by then.
  ///   - onFailure: Called where nothing could be sent; not before this returns.
  private func send(
    _ call: BusCall,
    reply: @escaping @Loop (BusMessage) -> Void,
    onFailure: @escaping @Loop () -> Void
  ) {
    let generation = generation
    do throws(MessageBus.Failure) {
      if let bus, !call.destination.isEmpty {
        return try bus.call(call) { [weak self] message in
          if self?.generation == generation { reply(message) }
        }
      }
    } catch {
      log.debug("A call to the notification server could not be sent: \(error.description)")
    }
    Task { @Loop [weak self] in
      if self?.generation == generation { onFailure() }
    }
  }
}
