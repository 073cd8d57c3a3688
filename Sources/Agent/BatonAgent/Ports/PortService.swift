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
  private var questions = PortQuestions()
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
    notifier?.onAnswer = { [weak self] in self?.answer($0, isAllowed: $1) }
  }

  /// The screen is locked, or the machine goes to sleep: all pages are closed.
  func set(isAway: Bool) {
    guard isAway != self.isAway else { return }
    self.isAway = isAway
    if isAway { closeAll(.away) }
    log.info(
      isAway ? "Local pages are closed while this machine is locked or asleep" : "Local pages can be opened again"
    )
  }

  func stop(_ completion: @escaping @Loop () -> Void) {
    closeAll(.noAgent)
    for question in questions.all.keys { notifier?.withdraw(question) }
    notifier?.stop()
    timer = nil
    teams.stop()
    store.finish(completion)
  }

  /// - Parameter failure: What the machines that show pages of this one are told.
  private func closeAll(_ failure: ForwardingFailure) {
    for page in served.values { page.close(failure) }
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
        self?.ask($0)
      } permission: { [weak self] in
        // An optional's nil would mean that it may.
        guard let self else { return .away }
        return refusal(of: $1, $0)
      } onOver: { [weak self] in
        self?.served[ObjectIdentifier($0)] = nil
      }
      served[ObjectIdentifier(page)] = page
    } catch {
      throw ControlFailure(.streamNotFound, message: error.description)
    }
  }

  /// Returns why a port may not be used; nil if it may. Asks the user if that is not decided yet.
  private func refusal(of port: UInt16, _ page: ServedLocalPage) -> ForwardingFailure? {
    let entry = Entry(port: port, team: page.team)
    if isAway { return .away }
    if continued.listens(at: port) { return .forwarded }
    if memory.decisions.allowed.contains(entry) { return nil }
    if memory.decisions.refused.contains(entry) { return .refused }
    wake()
    if !questions.contains(entry) { ask(page) }
    return questions.contains(entry) ? .asking : .tooMany
  }

  /// Asks the user once about all ports of a page that aren't decided yet, and have a server of this user.
  private func ask(_ page: ServedLocalPage) {
    let open = page.ports.filter { port in
      let entry = Entry(port: port, team: page.team)
      return !continued.listens(at: port) && !memory.decisions.allowed.contains(entry)
        && !memory.decisions.refused.contains(entry)
    }
    wake()
    guard let id = questions.ask(open, team: page.team, device: page.device, now: Loop.now) else { return }
    schedule()
    show(id)
  }

  private func show(_ id: PortQuestions.ID) {
    guard let question = questions.all[id] else { return }
    log.info(
      "Asking whether another machine may use ports",
      ["ports": PortList.text(question.ports), "device": Printable.text(question.device)]
    )
    guard let notifier else { return }
    teams.names { [weak self] names in
      guard let question = self?.questions.all[id] else { return }
      notifier.ask(id, question, team: names[question.team] ?? question.team)
    }
  }

  /// Forgets what is too old.
  private func wake() {
    for id in questions.expire(Loop.now) { notifier?.withdraw(id) }
    schedule()
  }

  private func schedule() { timer?.set(questions.end) }

  // MARK: The user's decisions

  /// The user has clicked an answer, which is for all ports that the question still names.
  private func answer(_ id: PortQuestions.ID, isAllowed: Bool) {
    guard let question = questions.all[id] else { return }
    let completion: @Loop (ControlFailure?) -> Void = { [weak self] failure in
      if let failure { self?.tell(PortList.title(question.ports), failure.message) }
    }
    if isAllowed {
      allow(question.entries, completion: completion)
    } else {
      refuse(question.entries, completion: completion)
    }
  }

  /// - Parameter completion: Called once. Its argument is nil if the decisions are saved; otherwise none is made.
  func allow(_ entries: [Entry], completion: @escaping @Loop (ControlFailure?) -> Void) {
    let before = memory.decisions
    guard entries.allSatisfy({ memory.decisions.allow($0) }) else {
      memory.decisions = before
      return completion(
        ControlFailure(.limitReached, message: localized("Too many ports are allowed. Forget some of them first."))
      )
    }
    answered(entries)
    save { [weak self] failure in
      guard let self else { return completion(failure) }
      guard failure != nil else {
        for entry in entries {
          log.notice("Other machines may use a port", ["port": "\(entry.port)", "team": entry.team])
        }
        return completion(nil)
      }
      let undone = memory.decisions.undo(entries, before)
      for entry in undone { end(entry.port, team: entry.team) }
      // It can be on the disk in spite of that, and so can what was decided later, which has it.
      if !undone.isEmpty { store.save(memory) { _ in } }
      completion(failure)
    }
  }

  /// - Parameter completion: Called once. Its argument is nil if the decisions are saved; otherwise they are made until
  ///   the agent ends.
  func refuse(_ entries: [Entry], completion: @escaping @Loop (ControlFailure?) -> Void) {
    for entry in entries { memory.decisions.refuse(entry) }
    answered(entries)
    for entry in entries { end(entry.port, team: entry.team) }
    save(completion)
  }

  /// - Parameter completion: As that of ``refuse(_:completion:)``.
  func forget(_ port: UInt16, team: String?, completion: @escaping @Loop (ControlFailure?) -> Void) {
    memory.decisions.forget(port, team: team)
    end(port, team: team)
    save(completion)
  }

  /// Ends the connections of machines that may use a port no longer. The page's others stay.
  private func end(_ port: UInt16, team: String?) {
    for page in served.values where team == nil || page.team == team { page.end(port) }
  }

  /// What is left of a question is asked under its own name.
  private func answered(_ entries: [Entry]) {
    for id in questions.answer(entries) {
      if questions.all[id] == nil { notifier?.withdraw(id) } else { show(id) }
    }
    schedule()
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
    let asked = Set(questions.all.values.filter { $0.ports.contains(port) }.map(\.team))
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
    continued.open(page, id, deviceID: deviceID, device: device, host: host) { [weak self] result in
      if case .success(let place) = result { self?.tell(place.movedPorts, of: device) }
      completion(result.map(\.address))
    }
  }

  /// The page's scripts would look for another program's server, and only the user can say why they fail.
  private func tell(_ movedPorts: [UInt16], of device: String) {
    guard !movedPorts.isEmpty else { return }
    let ports = PortList.title(movedPorts)
    log.notice("Another program has ports that a page of another machine needs", ["ports": PortList.text(movedPorts)])
    let body = localized(
      "A page of \(Printable.text(device)) needs what isn't free on this machine. Parts of the page, such as hot reload, may fail. Stop the other program, close the page for a minute, and continue it again."
    )
    tell(ports, body)
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
    let asked = questions.all.values.flatMap { question in
      question.ports.map {
        ControlPortQuestion(port: $0, team: question.team, teamName: names[question.team], device: question.device)
      }
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
