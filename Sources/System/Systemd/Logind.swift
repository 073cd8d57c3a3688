// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// systemd's login manager, over the system bus. Both can be missing, go away and come back.
///
/// It holds a lock that makes the machine's sleep wait for us, if logind provides one. It does not do so if only
/// screens matter.
@Loop
package final class Logind: LoginManager {
  /// The first and the longest pause between attempts to reach the system bus.
  private static let systemBusBackoff = Duration.milliseconds(250)...Duration.seconds(60)
  /// The maximum number of login sessions that are watched. Further ones withhold nothing.
  private static let loginSessions = 256

  package var onEvent: (@Loop (LoginEvent) -> Void)?
  /// Called once: after the locked screens were reported, or when nothing can report them.
  package var onKnown: (@Loop () -> Void)?

  private let screensOnly: Bool
  private let log: @Sendable (String) -> Void
  private var bus: MessageBus?
  private var backoff = Backoff(Logind.systemBusBackoff)
  private var timer: Timer?
  private var isStopped = false
  private var lastTrouble: String?
  /// The machine may sleep when this descriptor is closed.
  private var sleepLock: Int32?
  private var isAsleep = false
  private var sessions = LoginSessions()
  private var hasList = false
  private var lockedUsers: Set<UInt32> = []
  /// Sessions whose properties are being requested; true if they have changed since the request.
  private var asked: [String: Bool] = [:]

  private static let name = "org.freedesktop.login1"
  private static let hostNames = "org.freedesktop.hostname1"
  private static let hostNamesPath = "/org/freedesktop/hostname1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let session = "org.freedesktop.login1.Session"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let path = "/org/freedesktop/login1"

  /// - Parameters:
  ///   - screensOnly: For programs that show something: every locked screen counts, and sleep is not delayed.
  ///   - log: Receives one sentence for each change of state; called on the loop.
  package init(screensOnly: Bool = false, log: @escaping @Sendable (String) -> Void) {
    self.screensOnly = screensOnly
    self.log = log
  }

  isolated deinit { stop() }

  package func start() {
    guard bus == nil, !isStopped else { return }
    timer = Timer { [weak self] in self?.connect() }
    connect()
  }

  package func stop() {
    isStopped = true
    onEvent = nil
    onKnown = nil
    timer?.set(nil)
    bus?.close()
    bus = nil
    releaseLock()
  }

  package func allowSleep() { releaseLock() }

  // MARK: The bus

  private func connect() {
    guard !isStopped else { return }
    do throws(MessageBus.Failure) {
      let bus = try MessageBus { [weak self] failure in self?.lost(failure.description) }
      self.bus = bus
      try listen(to: bus)
      begin()
    } catch {
      lost(error.description)
    }
  }

  private func lost(_ trouble: String) {
    bus?.close()
    bus = nil
    asked = [:]
    guard !isStopped else { return }
    if trouble != lastTrouble { log("The system bus isn't available; trying again: \(trouble)") }
    lastTrouble = trouble
    // Nothing would report the end of a sleep. For screens, the last known state holds until there is a new one.
    woke()
    known()
    timer?.set(Loop.now + backoff.next())
  }

  private func listen(to bus: MessageBus) throws(MessageBus.Failure) {
    try bus.match(.ownerChanged(Self.name)) { [weak self] message in
      _ = (message.string(), message.string())
      message.string()?.isEmpty == false ? self?.begin() : self?.noLogind()
    }
    try bus.match(Self.signal(Self.manager, "PrepareForSleep")) { [weak self] in self?.prepare($0.boolean()) }
    try bus.match(Self.signal(Self.manager, "SessionNew")) { [weak self] in self?.ask(Self.sessionPath($0)) }
    try bus.match(Self.signal(Self.manager, "SessionRemoved")) { [weak self] in self?.remove(Self.sessionPath($0)) }
    let session = Self.signal(Self.properties, "PropertiesChanged", ["path_namespace": Self.path + "/session"])
    try bus.match(session) { [weak self] in self?.ask($0.path) }
    guard !screensOnly else { return }
    let hostName = BusSignal(from: Self.hostNames, Self.properties, "PropertiesChanged", ["path": Self.hostNamesPath])
    try bus.match(hostName) { [weak self] _ in self?.onEvent?(.hostNameChanged) }
  }

  private static func signal(
    _ interface: String,
    _ member: String,
    _ conditions: KeyValuePairs<String, String> = [:]
  ) -> BusSignal {
    BusSignal(from: name, interface, member, conditions)
  }

  /// Called when logind is there. Requests everything.
  private func begin() {
    takeLock()
    call(BusCall(Self.name, Self.path, Self.properties, "Get", Self.manager, "PreparingForSleep")) {
      [weak self] message in
      guard let self else { return }
      self.backoff.reset()
      self.lastTrouble = nil
      self.prepare(message.enter(.variant, "b") { message.boolean() } ?? nil)
    }
    call(BusCall(Self.name, Self.path, Self.manager, "ListSessions")) { [weak self] message in
      guard let self else { return }
      let paths = message.sessionPaths(limit: Self.loginSessions)
      self.sessions.all = self.sessions.all.filter { paths.contains($0.key) }
      self.tellLocked()
      for path in paths { self.ask(path) }
      self.hasList = true
      self.knownIfAll()
    }
  }

  private func noLogind() {
    backoff.reset()
    lastTrouble = nil
    asked = [:]
    sessions = LoginSessions()
    releaseLock()
    tellLocked()
    woke()
    known()
  }

  /// - Parameter reply: Called with a reply that is not an error.
  /// - Parameter onError: Called with the name of the error instead.
  private func call(
    _ call: BusCall,
    onError: (@Loop (String) -> Void)? = nil,
    reply: @escaping @Loop (BusMessage) -> Void
  ) {
    do throws(MessageBus.Failure) {
      try bus?.call(call) { [weak self] message in
        guard let self else { return }
        guard let error = message.errorName else { return reply(message) }
        self.failed(call, error)
        // A bus that is gone says nothing about what was requested.
        if self.bus != nil { onError?(error) }
      }
    } catch {
      // Later, because the caller may continue to use the bus.
      let trouble = error.description
      Task { @Loop [weak self, weak bus] in
        if let self, let bus, self.bus === bus { self.lost(trouble) }
      }
    }
  }

  private func failed(_ call: BusCall, _ error: String) {
    let prefix = "org.freedesktop.DBus.Error."
    switch error {
    case prefix + "NameHasNoOwner", prefix + "ServiceUnknown": noLogind()
    case prefix + "NoReply", prefix + "Timeout", prefix + "TimedOut", prefix + "Disconnected": lost(error)
    // A session that no longer exists.
    case prefix + "UnknownObject", prefix + "UnknownMethod": break
    default: log("logind refused \(call.member): \(error)")
    }
  }

  // MARK: Sleep

  private func takeLock() {
    guard !screensOnly else { return }
    let why = "Telling other machines that nothing is offered"
    call(BusCall(Self.name, Self.path, Self.manager, "Inhibit", "sleep", "batond", why, "delay")) {
      [weak self] message in
      guard let self, let descriptor = message.descriptor() else { return }
      self.releaseLock()
      // A lock that arrives while the machine is falling asleep is too late.
      if !self.isAsleep { self.sleepLock = fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    }
  }

  private func releaseLock() {
    if let sleepLock, sleepLock >= 0 { _ = Glibc.close(sleepLock) }
    sleepLock = nil
  }

  private func prepare(_ isPreparing: Bool?) {
    guard let isPreparing else { return }
    guard isPreparing else { return woke() }
    guard !isAsleep else { return }
    isAsleep = true
    onEvent?(.fallingAsleep)
  }

  private func woke() {
    guard isAsleep else { return }
    isAsleep = false
    if bus != nil { takeLock() }
    onEvent?(.awake)
  }

  // MARK: Sessions

  /// The path in a signal of the manager, which follows the session's name.
  private static func sessionPath(_ message: BusMessage) -> String? {
    _ = message.string()
    return message.string(.path)
  }

  private func ask(_ path: String?) {
    guard let path else { return }
    guard asked[path] == nil else { return asked[path] = true }
    guard sessions.all[path] != nil || sessions.all.count + asked.count < Self.loginSessions else { return }
    asked[path] = false
    call(
      BusCall(Self.name, path, Self.properties, "GetAll", Self.session),
      onError: { [weak self] _ in self?.answered(path, nil) },
      reply: { [weak self] message in self?.answered(path, message.loginSession()) }
    )
  }

  private func answered(_ path: String, _ session: LoginSession?) {
    let hasChanged = asked.removeValue(forKey: path) == true
    sessions.all[path] = session
    hasChanged ? ask(path) : tellLocked()
    knownIfAll()
  }

  private func remove(_ path: String?) {
    guard let path else { return }
    sessions.all[path] = nil
    tellLocked()
  }

  private func knownIfAll() { if hasList, asked.isEmpty { known() } }

  private func known() {
    let handler = onKnown
    onKnown = nil
    handler?()
  }

  private func tellLocked() {
    // An incomplete set of sessions could wrongly say that all of a user's are locked.
    let users = screensOnly ? sessions.usersWithLockedScreens : sessions.lockedUsers
    guard asked.isEmpty, users != lockedUsers else { return }
    lockedUsers = users
    onEvent?(.lockedUsers(lockedUsers))
  }
}
