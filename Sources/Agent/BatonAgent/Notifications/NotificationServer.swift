// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc
import Systemd

/// The program that shows notifications, over the user's bus (Desktop Notifications Specification 1.2). Both can be
/// missing, go away and come back, and nothing here waits for them.
@Loop
final class NotificationServer {
  /// The maximum number of bytes that are read of a server's name or version.
  private static let notificationServerLength = 256
  /// The time from showing a notification until the server's answer is no longer awaited at all. Until then, a
  /// notification that a hanging server shows late is withdrawn.
  private static let lateNotificationReplyTime = Duration.seconds(10 * 60)
  /// The maximum number of bytes that are read of the names of a server's capabilities. Those of the specification have
  /// 120.
  private static let notificationCapabilitiesLength = 4096

  /// What the server reports. ``OfferNotifications/Event`` and ``TransferNotifications/Event`` explain it.
  enum Event {
    case serverChanged
    case serverLost
    case serverReady
    case serverMissing
    case serverIs(ServerHabits)
    case shown(Request, ID)
    case refused(Request)
    case closed(ID, isExpired: Bool)
    case tokenGiven(ID, String)
    /// - Parameter key: Of the action that a person chose.
    case invoked(ID, key: String)
  }

  typealias ID = ServerDialogue.NotificationID
  typealias Request = ServerDialogue.Request

  var onEvent: (@Loop (Event) -> Void)?
  /// As the server's `GetCapabilities` names them.
  private(set) var capabilities: Set<String> = []
  private(set) var habits = ServerHabits.unknown
  /// The priorities of what is shown, on a server that cannot change them.
  private var urgencies: [ID: UInt8] = [:]

  private let log: Log
  private let complains: Bool
  private var bus: MessageBus?
  private var backoff = Backoff(Limits.notificationBackoff)
  private var timer: Timer?
  /// The server's unique name on the bus, so that calls for it reach no other program.
  private var owner: String?
  /// Counts the servers, because what one of them said means nothing to the next.
  private var generation = 0
  private var lastTrouble: String?
  private var isStopped = false
  /// The number of withdrawals to which the server has not replied.
  private(set) var closing = 0

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  /// - Parameter complains: Whether the log says that there is no server. One of several should.
  init(log: Log, complains: Bool = true) {
    (self.log, self.complains) = (log, complains)
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

  /// Sends no event, because it may be called while an event is being handled.
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
    complain("Can't show notifications, because the user's D-Bus session bus isn't available: \(failure.description)")
    // If no address is known now, there will be none later.
    if failure.code != ENOMEDIUM { timer?.set(Loop.now + backoff.next()) }
  }

  private func listen(to bus: MessageBus) throws(MessageBus.Failure) {
    try bus.match(.ownerChanged(Self.name)) { [weak self] message in
      _ = (message.string(), message.string())
      self?.ownerChanged(to: message.string() ?? "")
    }
    try hear("NotificationClosed", bus) { [weak self] message in
      guard let id = message.number(), let reason = message.number() else { return nil }
      self?.urgencies[id] = nil
      // Only 2 means that a person dismissed it. Servers that make room for others give any of the other reasons.
      return .closed(id, isExpired: reason != 2)
    }
    try hear("ActivationToken", bus) { message in
      guard let id = message.number(), let token = message.string() else { return nil }
      return .tokenGiven(id, token)
    }
    try hear("ActionInvoked", bus) { message in
      guard let id = message.number(), let key = message.string() else { return nil }
      return .invoked(id, key: key)
    }
  }

  private func hear(
    _ signal: String,
    _ bus: MessageBus,
    _ event: @escaping @Loop (BusMessage) -> Event?
  ) throws(MessageBus.Failure) {
    try bus.match(BusSignal(from: Self.name, Self.name, signal, ["path": Self.path])) { [weak self] message in
      guard let self, message.sender == self.owner, let event = event(message) else { return }
      self.tell(event)
    }
  }

  private func ownerChanged(to name: String) {
    changeServer(to: nil)
    // The server's reply to the next question says which one it is and what it can do.
    tell(name.isEmpty ? .serverLost : .serverChanged)
  }

  private func changeServer(to owner: String?) {
    self.owner = owner
    generation += 1
    closing = 0
    urgencies = [:]
  }

  private func tell(_ event: Event) { onEvent?(event) }

  private func complain(_ trouble: String) {
    if trouble != lastTrouble, complains { log.notice(trouble) }
    lastTrouble = trouble
  }

  // MARK: Calls

  /// Asks for the server's capabilities, and lets the bus start a server. The reply is `serverReady` or
  /// `serverMissing`.
  func ask() {
    connect()
    changeServer(to: nil)
    var question = BusCall(Self.name, Self.path, Self.name, "GetCapabilities")
    question.startsService = true
    send(question) { [weak self] message in
      guard let self else { return }
      if let error = message.errorName { return self.missing(error) }
      self.capabilities = Set(message.strings(limit: Self.notificationCapabilitiesLength))
      self.owner = message.sender
      self.backoff.reset()
      self.lastTrouble = nil
      self.log.debug("Found a notification server", ["capabilities": self.capabilities.sorted().joined(separator: ",")])
      self.askName()
    } onFailure: { [weak self] in
      self?.tell(.serverMissing)
    }
  }

  /// Asks which server it is. One that does not say it is like any other.
  private func askName() {
    send(BusCall(owner ?? "", Self.path, Self.name, "GetServerInformation")) { [weak self] message in
      guard let self else { return }
      let limit = Self.notificationServerLength
      if message.errorName == nil, let name = message.string(limit: limit), message.string(limit: limit) != nil,
        let version = message.string(limit: limit)
      {
        self.habits = ServerHabits(name: name, version: version)
      } else {
        self.habits = .unknown
      }
      self.tell(.serverIs(self.habits))
      self.tell(.serverReady)
    } onFailure: { [weak self] in
      self?.tell(.serverMissing)
    }
  }

  private func missing(_ error: String) {
    complain("Can't show notifications, because no notification server is running: \(error)")
    tell(.serverMissing)
  }

  /// Shows a notification. The reply is `shown` or `refused`.
  ///
  /// - Parameter replaced: What it takes the place of. A server that cannot do that shows a new one; then whoever gets
  ///   its number closes the old one.
  func show(_ request: Request, _ notification: ShownNotification, replacing replaced: ID?) {
    let urgency = notification.manner.urgency
    let place = replaced.flatMap { habits.changesPriority || urgencies[$0] == urgency ? $0 : nil }
    let arguments = notification.arguments(replacing: place)
    var call = BusCall(owner ?? "", Self.path, Self.name, "Notify", arguments: arguments)
    call.replyTime = Self.lateNotificationReplyTime
    send(call) { [weak self] message in
      guard let self else { return }
      guard message.errorName == nil, let id = message.number() else {
        self.complain("A notification was refused: \(message.errorName ?? "the answer is invalid")")
        return self.tell(.refused(request))
      }
      if !self.habits.changesPriority { self.urgencies[id] = urgency }
      self.tell(.shown(request, id))
    } onFailure: { [weak self] in
      self?.tell(.refused(request))
    }
  }

  /// - Parameter completion: Called when the server has done it or cannot do it; not called if the server changes
  ///   first.
  func close(_ id: ID, completion: @escaping @Loop () -> Void) {
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
  ///   - reply: Called unless the server has changed by then.
  ///   - onFailure: Called if nothing could be sent, unless the server has changed by then; not before this returns.
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
      log.debug("Couldn't call the notification server: \(error.description)")
    }
    Task { @Loop [weak self] in
      if self?.generation == generation { onFailure() }
    }
  }
}
