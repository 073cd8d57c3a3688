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
  typealias Entry = PortDecisions.Entry

  private let socket: String?
  private let store: PortStore
  private let notifier: PortNotifier?
  private let teams: TeamLookup
  private let log: Log
  private var memory: PortMemory
  private var questions: [Entry: (device: String, end: ContinuousClock.Instant)] = [:]
  private var served: [ObjectIdentifier: ServedLocalPage] = [:]
  private let continued: ContinuedLocalPages
  private var timer: EventLoop.Timer?
  private var isAway = false

  /// - Parameter notifier: Nil if nothing is shown.
  init(_ store: PortStore, _ notifier: PortNotifier?, socket: String?, log: Log) {
    (self.store, self.notifier, self.socket, self.log) = (store, notifier, socket, log)
    memory = store.read()
    teams = TeamLookup(socket: socket)
    continued = ContinuedLocalPages(socket: socket)
    timer = EventLoop.Timer { [weak self] in self?.wake() }
    notifier?.onAnswer = { [weak self] question, isAllowed in
      let completion: @Loop (ControlFailure?) -> Void = { failure in
        if let failure { self?.tell(localized("Port \(String(question.port))"), failure.message) }
      }
      if isAllowed {
        self?.allow(question, completion: completion)
      } else {
        self?.refuse(question, completion: completion)
      }
    }
  }

  /// The screen is locked, or the machine goes to sleep: all pages are closed.
  func set(isAway: Bool) {
    guard isAway != self.isAway else { return }
    self.isAway = isAway
    if isAway { closeAll() }
    log.info(
      isAway ? "Local pages are closed while this machine is locked or asleep" : "Local pages can be opened again"
    )
  }

  func stop(_ completion: @escaping @Loop () -> Void) {
    closeAll()
    for question in questions.keys { notifier?.withdraw(question) }
    notifier?.stop()
    timer = nil
    teams.stop()
    store.finish(completion)
  }

  private func closeAll() {
    for page in served.values { page.close() }
    served = [:]
    continued.close()
  }

  // MARK: Servers on this machine

  func serve(
    _ page: LocalPageActivity,
    _ stream: String,
    team: String,
    device: String
  ) throws(ControlFailure) {
    guard !isAway else { throw ControlFailure(.screenLocked) }
    guard !memory.labels.isOfMachine(page.address.host) else {
      throw ControlFailure(
        .notEligible,
        message: localized("The page's server runs on another machine. Open the page there.")
      )
    }
    guard served.count < LocalPageLimits.servedPages,
      served.values.count(where: { $0.device == device }) < LocalPageLimits.pages
    else {
      throw ControlFailure(.limitReached, message: localized("Too many local pages are open on other machines."))
    }
    do throws(ControlError) {
      let page = try ServedLocalPage(page, accepting: stream, team: team, device: device, socket: socket) {
        [weak self] in
        // An optional's nil would mean that it may.
        guard let self else { return .away }
        return refusal(of: $0, team, device)
      } onOver: { [weak self] in
        self?.served[ObjectIdentifier($0)] = nil
      }
      served[ObjectIdentifier(page)] = page
    } catch {
      throw ControlFailure(.streamNotFound, message: error.description)
    }
  }

  /// Returns why a port may not be used; nil if it may. Asks the user if that is not decided yet.
  private func refusal(of port: UInt16, _ team: String, _ device: String) -> ForwardingFailure? {
    let entry = Entry(port: port, team: team)
    if isAway { return .away }
    if continued.listens(at: port) { return .forwarded }
    if memory.decisions.allowed.contains(entry) { return nil }
    if memory.decisions.refused.contains(entry) { return .refused }
    wake()
    if questions[entry] != nil { return .asking }
    guard questions.count < LocalPageLimits.questions else { return .tooMany }
    questions[entry] = (device, Loop.now + LocalPageLimits.questionTime)
    schedule()
    ask(entry, device)
    return .asking
  }

  private func ask(_ entry: Entry, _ device: String) {
    log.info(
      "Asking whether another machine may use a port",
      ["port": "\(entry.port)", "device": Printable.text(device)]
    )
    guard let notifier else { return }
    teams.names { [weak self] names in
      guard self?.questions[entry] != nil else { return }
      notifier.ask(entry, device: device, team: names[entry.team] ?? entry.team)
    }
  }

  /// Forgets what is too old.
  private func wake() {
    for (entry, question) in questions where question.end <= Loop.now { answered(entry) }
    schedule()
  }

  private func schedule() { timer?.set(questions.values.map(\.end).min()) }

  // MARK: The user's decisions

  /// - Parameter completion: Called once. Its argument is nil if the decision is saved; otherwise it isn't made.
  func allow(_ entry: Entry, completion: @escaping @Loop (ControlFailure?) -> Void) {
    let before = memory.decisions
    guard memory.decisions.allow(entry) else {
      return completion(
        ControlFailure(.limitReached, message: localized("Too many ports are allowed. Forget some of them first."))
      )
    }
    answered(entry)
    save { [weak self] failure in
      guard failure != nil, let self else {
        self?.log.notice("Other machines may use a port", ["port": "\(entry.port)", "team": entry.team])
        return completion(nil)
      }
      // Only what was there before may be there again.
      if !before.allowed.contains(entry) {
        memory.decisions.forget(entry.port, team: entry.team)
        if before.refused.contains(entry) { memory.decisions.refuse(entry) }
        end(entry.port, team: entry.team)
      }
      completion(failure)
    }
  }

  /// - Parameter completion: Called once. Its argument is nil if the decision is saved; otherwise it is made until the
  ///   agent ends.
  func refuse(_ entry: Entry, completion: @escaping @Loop (ControlFailure?) -> Void) {
    memory.decisions.refuse(entry)
    answered(entry)
    end(entry.port, team: entry.team)
    save(completion)
  }

  /// - Parameter completion: As that of ``refuse(_:completion:)``.
  func forget(_ port: UInt16, team: String?, completion: @escaping @Loop (ControlFailure?) -> Void) {
    memory.decisions.forget(port, team: team)
    end(port, team: team)
    save(completion)
  }

  /// Ends the connections of machines that may use a port no longer.
  private func end(_ port: UInt16, team: String?) {
    for (key, page) in served where page.page.ports.contains(port) && (team == nil || page.team == team) {
      page.close()
      served[key] = nil
    }
  }

  private func answered(_ entry: Entry) {
    questions[entry] = nil
    notifier?.withdraw(entry)
  }

  private func save(_ completion: @escaping @Loop (ControlFailure?) -> Void) {
    store.save(memory) { error in
      guard let why = error?.description else { return completion(nil) }
      let message = localized("The answer couldn't be saved: \(why). Fix that, and try again.")
      completion(ControlFailure(.storageFailed, message: message))
    }
  }

  /// Finds the team that the user means: by its name or ID, or else that of the question about a port.
  ///
  /// - Parameter completion: Called once with the team's ID, unless the agent stops before.
  func findTeam(
    _ team: String?,
    for port: UInt16,
    completion: @escaping @Loop (Result<String, ControlFailure>) -> Void
  ) {
    let asked = Set(questions.keys.filter { $0.port == port }.map(\.team))
    if team == nil, asked.count == 1, let only = asked.first { return completion(.success(only)) }
    teams.find(team, completion: completion)
  }

  // MARK: Pages of other machines

  /// - Parameter completion: Called once with the address to show, unless all pages are closed before.
  func open(
    _ page: LocalPageActivity,
    _ id: ActivityID,
    deviceID: String,
    device: String,
    completion: @escaping @Loop (Result<String, ControlFailure>) -> Void
  ) {
    guard !isAway else { return completion(.failure(ControlFailure(.screenLocked))) }
    let before = memory.labels
    let host = memory.labels.host(device, deviceID)
    // If that fails, the name may be another machine's after the agent's end. The log says so.
    if memory.labels != before { store.save(memory) { _ in } }
    continued.open(page, id, deviceID: deviceID, device: device, host: host, completion: completion)
  }

  /// Shows the user that something has failed.
  func tell(_ summary: String, _ body: String) { notifier?.tell(summary, body) }

  // MARK: The list

  /// - Parameter completion: Called once, unless the agent stops before.
  func list(_ completion: @escaping @Loop (ListPorts.Reply) -> Void) {
    teams.names { [weak self] in
      guard let self else { return }
      completion(list(with: $0))
    }
  }

  private func list(with names: [String: String]) -> ListPorts.Reply {
    let ports = { (entries: [Entry]) in
      entries.map { ControlTeamPort(port: $0.port, team: $0.team, teamName: names[$0.team]) }
    }
    let asked = questions.map { entry, question in
      ControlPortQuestion(port: entry.port, team: entry.team, teamName: names[entry.team], device: question.device)
    }
    let here = served.values.map { page in
      ControlForwardedPage(
        origin: true,
        device: page.device,
        ports: page.page.ports.map { ForwardedPort(port: $0, address: nil) },
        connections: page.count
      )
    }
    return ListPorts.Reply(
      allowed: ports(memory.decisions.allowed),
      refused: ports(memory.decisions.refused),
      questions: asked.sorted { ($0.port, $0.team) < ($1.port, $1.team) },
      pages: (here + continued.listed).sorted {
        ($0.device, $0.ports.first?.port ?? 0) < ($1.device, $1.ports.first?.port ?? 0)
      }
    )
  }
}
