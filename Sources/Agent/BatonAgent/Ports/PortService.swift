// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import JSONCoding
import Localization
import Systemd
import VarlinkClient

/// The local pages that are open, in both directions, and the user's decisions about ports.
@Loop
final class PortService {
  typealias Entry = AllowedPorts.Entry

  private let socket: String?
  private let store: PortStore
  private let notifier: PortNotifier
  private let log: Log
  private var allowed: AllowedPorts
  private var questions: [Entry: (device: String, end: ContinuousClock.Instant)] = [:]
  /// What the user has refused lately, so that the question does not come back at once.
  private var refused: [Entry: ContinuousClock.Instant] = [:]
  private var served: [ObjectIdentifier: ServedLocalPage] = [:]
  private var continued: [ObjectIdentifier: ContinuedLocalPage] = [:]
  /// The machine that has each label.
  private var labels: [String: String] = [:]
  private var calls: [UInt64: ControlCall<ListTeams>] = [:]
  private var lastCall: UInt64 = 0
  private var timer: EventLoop.Timer?
  private var isAway = false

  /// The maximum number of labels that are kept for machines that have no page open.
  private static let labels = 1024

  init(_ store: PortStore, socket: String?, log: Log) {
    (self.store, self.socket, self.log) = (store, socket, log)
    allowed = store.read()
    notifier = PortNotifier(log: log)
    timer = EventLoop.Timer { [weak self] in self?.wake() }
    notifier.onAnswer = { [weak self] question, isAllowed in
      if isAllowed { self?.allow(question) { _ in } } else { self?.refuse(question) }
    }
  }

  /// The screen is locked, or the machine goes to sleep: all pages are closed.
  func set(isAway: Bool) {
    self.isAway = isAway
    if isAway { closeAll() }
  }

  func stop(_ completion: @escaping @Loop () -> Void) {
    closeAll()
    for question in questions.keys { notifier.withdraw(question) }
    notifier.stop()
    timer = nil
    calls = [:]
    store.finish(completion)
  }

  private func closeAll() {
    for page in served.values { page.close() }
    for page in continued.values { page.close() }
    (served, continued) = ([:], [:])
  }

  // MARK: Servers on this machine

  func serve(
    _ page: LocalPageActivity,
    _ stream: String,
    team: String,
    device: String
  ) throws(ControlFailure) {
    guard !isAway else { throw ControlFailure(.screenLocked) }
    guard served.count < LocalPageLimits.pages else {
      throw ControlFailure(.limitReached, message: localized("Too many local pages are open on other machines."))
    }
    do throws(ControlError) {
      let page = try ServedLocalPage(page, accepting: stream, team: team, device: device, socket: socket) {
        [weak self] in
        // An optional's nil would mean that it may.
        guard let self else { return .away }
        return permission($0, team, device)
      } onOver: { [weak self] in
        self?.served[ObjectIdentifier($0)] = nil
      }
      served[ObjectIdentifier(page)] = page
    } catch {
      throw ControlFailure(.streamNotFound, message: error.description)
    }
  }

  /// Returns why a port may not be used; nil if it may. Asks the user if that is not decided yet.
  private func permission(_ port: UInt16, _ team: String, _ device: String) -> ForwardingFailure? {
    let entry = Entry(port: port, team: team)
    if isAway { return .away }
    if allowed.contains(entry) { return nil }
    wake()
    if refused[entry] != nil { return .refused }
    if questions[entry] != nil { return .asking }
    guard questions.count < LocalPageLimits.questions else { return .tooMany }
    questions[entry] = (device, Loop.now + LocalPageLimits.questionTime)
    schedule()
    log.info("Asking whether another machine may use a port", ["port": "\(port)", "device": Printable.text(device)])
    notifier.ask(entry, device: device)
    return .asking
  }

  /// Forgets what is too old.
  private func wake() {
    let now = Loop.now
    for (entry, question) in questions where question.end <= now {
      questions[entry] = nil
      notifier.withdraw(entry)
    }
    refused = refused.filter { $0.value > now }
    schedule()
  }

  private func schedule() { timer?.set((questions.values.map(\.end) + refused.values).min()) }

  // MARK: The user's decisions

  /// - Parameter completion: Called once. Its argument is nil if the decision is saved.
  func allow(_ entry: Entry, completion: @escaping @Loop (ControlFailure?) -> Void) {
    guard allowed.allow(entry) else {
      return completion(
        ControlFailure(.limitReached, message: localized("Too many ports are allowed. Forget some of them first."))
      )
    }
    answered(entry)
    refused[entry] = nil
    log.notice("Other machines may use a port", ["port": "\(entry.port)", "team": entry.team])
    store.save(allowed) { _ in completion(nil) }
  }

  private func refuse(_ entry: Entry) {
    answered(entry)
    // At most one for each question that was asked.
    refused[entry] = Loop.now + LocalPageLimits.questionTime
    schedule()
  }

  private func answered(_ entry: Entry) {
    questions[entry] = nil
    notifier.withdraw(entry)
  }

  /// - Parameter completion: Called once, when the decision is saved.
  func forget(_ port: UInt16, team: String?, completion: @escaping @Loop () -> Void) {
    _ = allowed.forget(port, team: team)
    for entry in questions.keys where entry.port == port && (team == nil || entry.team == team) { refuse(entry) }
    for (key, page) in served where page.page.ports.contains(port) && (team == nil || page.team == team) {
      page.close()
      served[key] = nil
    }
    store.save(allowed) { _ in completion() }
  }

  /// Finds the team that the user means.
  ///
  /// - Parameters:
  ///   - team: The name or ID that the user gave.
  ///   - completion: Called once with the team's ID.
  func findTeam(
    _ team: String?,
    for port: UInt16,
    completion: @escaping @Loop (Result<String, ControlFailure>) -> Void
  ) {
    let asked = Set(questions.keys.filter { $0.port == port }.map(\.team))
    if team == nil, asked.count == 1, let only = asked.first { return completion(.success(only)) }
    lastCall += 1
    let number = lastCall
    let call = try? ControlCall(ListTeams.self, Nothing(), path: socket) { [weak self] result in
      self?.calls[number] = nil
      guard let reply = try? result.get() else { return completion(.failure(ControlFailure(.daemonUnreachable))) }
      let all = reply.teams.map { (id: $0.id.description, name: $0.name) }
      guard let team else {
        guard let only = all.first else { return completion(.failure(ControlFailure(.teamNotFound))) }
        return completion(all.count == 1 ? .success(only.id) : .failure(ControlFailure(.teamAmbiguous)))
      }
      let (ids, unclear) = TeamChoice.named([team]).chosen(among: all, beside: reply.unusable.compactMap(\.name))
      guard let id = ids.first, ids.count == 1 else {
        return completion(.failure(ControlFailure(unclear.isEmpty && ids.isEmpty ? .teamNotFound : .teamAmbiguous)))
      }
      completion(.success(id))
    }
    guard let call else { return completion(.failure(ControlFailure(.daemonUnreachable))) }
    calls[number] = call
  }

  // MARK: Pages of other machines

  /// - Parameter completion: Called once with the address to show.
  func open(
    _ page: LocalPageActivity,
    _ id: ActivityID,
    deviceID: String,
    device: String,
    completion: @escaping @Loop (Result<String, ControlFailure>) -> Void
  ) {
    guard !isAway else { return completion(.failure(ControlFailure(.screenLocked))) }
    for (key, other) in continued where other.deviceID.hasBytes(of: deviceID) {
      // The same ports are for the page that comes.
      guard other.isAway else { continue }
      other.close()
      continued[key] = nil
    }
    let others = continued.values.filter { $0.deviceID.hasBytes(of: deviceID) }
    if let address = others.lazy.compactMap({ $0.address(of: page) }).first { return completion(.success(address)) }
    guard continued.count < LocalPageLimits.pages else {
      return completion(.failure(ControlFailure(.limitReached)))
    }
    let host = MachineLabel.host(device, deviceID, known: labels)
    do throws(ControlError) {
      let page = try ContinuedLocalPage(
        page,
        opening: id,
        deviceID: deviceID,
        device: device,
        host: host,
        socket: socket
      ) { address in
        completion(address.map { .success($0) } ?? .failure(ControlFailure(.streamInterrupted)))
      } onOver: { [weak self] in
        self?.continued[ObjectIdentifier($0)] = nil
      }
      continued[ObjectIdentifier(page)] = page
      if labels.count >= Self.labels { labels = [:] }
      labels[String(host.start(beforeBytesOf: ".localhost") ?? host[...])] = deviceID
    } catch {
      completion(.failure(ControlFailure(.streamInterrupted, message: error.description)))
    }
  }

  var list: ListPorts.Reply {
    let entries = allowed.entries.map { ControlAllowedPort(port: $0.port, team: $0.team) }
    let asked = questions.map { ControlPortQuestion(port: $0.key.port, team: $0.key.team, device: $0.value.device) }
    let here = served.values.map { page in
      ControlForwardedPage(
        origin: true,
        device: page.device,
        ports: page.page.ports.map { ForwardedPort(port: $0, address: nil) },
        connections: page.count
      )
    }
    let there = continued.values.map { page in
      ControlForwardedPage(
        origin: false,
        device: page.device,
        ports: page.addresses.map { ForwardedPort(port: $0.port, address: $0.address) },
        connections: page.count
      )
    }
    return ListPorts.Reply(
      allowed: entries,
      questions: asked.sorted { ($0.port, $0.team) < ($1.port, $1.team) },
      pages: (here + there).sorted { ($0.device, $0.ports.first?.port ?? 0) < ($1.device, $1.ports.first?.port ?? 0) }
    )
  }
}
