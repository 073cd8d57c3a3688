import Activity
import ControlInterface
import Desktop
import EventLoop
import JSONCoding
import Search
import Systemd
import VarlinkClient

/// Shares the index with the agents of the user's other machines, through the daemons. ``Sharing`` decides what is said
/// and when.
@Loop
final class SearchSharing {
  private let socket: String?
  private let store: IndexStore
  private let service: SearchService
  private let log: Log
  private var settings = TeamChoice.none
  private var registration: StandingCall<RegisterIndex>?
  /// The teams for which the daemon lets this agent speak, by their IDs. Nil if it has not said so yet.
  private var teams: [String: IndexTeam]?
  /// The names of those that cannot be used.
  private var unusable: [String] = []
  /// Those with which it shares, with the devices that were removed from them.
  private var shared: [String: Set<String>] = [:]
  /// The names of the machines with a session.
  private var sessions: [SharingPeer: String] = [:]
  /// What these machines have sent while their positions are read.
  private var waiting: [SharingPeer: [SharingMessage]] = [:]
  private var sharing = Sharing()
  /// The machines whose positions could not be read.
  private var failed: Set<SharingPeer> = []
  /// The machines for which a page is read.
  private var answering: Set<SharingPeer> = []
  private var calls: [Int: (peer: SharingPeer, call: ControlCall<SendIndexMessage>)] = [:]
  private var lastCall = 0
  /// Whether the end of the log is being read, and whether it has changed since then.
  private var reading = (isReading: false, again: false)
  private var complaints: Set<String> = []
  private var timer: EventLoop.Timer?

  init(socket: String?, _ store: IndexStore, _ service: SearchService, log: Log) {
    self.socket = socket
    self.store = store
    self.service = service
    self.log = log
    timer = EventLoop.Timer { [weak self] in self?.handle(.timePassed) }
  }

  func start(_ settings: TeamChoice) {
    service.onChange = { [weak self] in self?.indexChanged() }
    self.settings = settings
    update()
    registration = StandingCall(RegisterIndex.self, Nothing(), path: socket) { [weak self] event in
      switch event {
      case .replied(let reply): self?.received(reply)
      case .lost: self?.lost()
      case .failed: break
      }
    }
    registration?.begin()
  }

  func stop() {
    service.onChange = nil
    registration = nil
    lost()
  }

  func apply(_ settings: TeamChoice) {
    guard settings != self.settings else { return }
    self.settings = settings
    update()
  }

  // MARK: The daemon

  private func received(_ reply: RegisterIndex.Reply) {
    switch reply.event {
    case .registered: break
    case .teams:
      teams = Dictionary((reply.teams ?? []).map { ($0.id, $0) }) { first, _ in first }
      unusable = reply.unusable ?? []
      update()
    case .peer:
      guard let team = reply.team, let device = reply.deviceID else { return }
      let peer = SharingPeer(device: device.text, team: team)
      let isConnected = reply.connected == true
      sessions[peer] = isConnected ? reply.device ?? "" : nil
      handle(.disconnected(peer))
      waiting[peer] = nil
      failed.remove(peer)
      if isConnected { connect(peer) }
    case .message:
      guard let team = reply.team, let device = reply.deviceID, let json = reply.message,
        let message = SharingMessage(json: json)
      else { return }
      let peer = SharingPeer(device: device.text, team: team)
      if let count = waiting[peer]?.count {
        if count < Limits.undeliveredIndexMessagesPerPeer { waiting[peer]?.append(message) }
      } else {
        handle(.received(message, from: peer))
      }
    }
  }

  private func lost() {
    for peer in sessions.keys { handle(.disconnected(peer)) }
    (sessions, waiting, failed, calls) = ([:], [:], [], [:])
  }

  private func send(_ message: SharingMessage, to peer: SharingPeer) {
    guard let device = DeviceID(text: peer.device), sessions[peer] != nil,
      calls.values.count(where: { $0.peer == peer }) < Limits.unsentIndexMessagesPerPeer
    else { return }
    lastCall += 1
    let number = lastCall
    let parameters = SendIndexMessage.Parameters(team: peer.team, deviceID: device, message: message.json)
    // Any message can be lost.
    let call = try? ControlCall(SendIndexMessage.self, parameters, path: socket) { [weak self] _ in
      self?.calls[number] = nil
    }
    calls[number] = call.map { (peer, $0) }
  }

  // MARK: Teams

  /// Shares with the teams that the configuration names and that the daemon lets this agent speak for, and with nobody
  /// else.
  private func update() {
    let before = shared
    let known = teams ?? [:]
    let chosen = settings.chosen(among: known.values.map { ($0.id, $0.name) }, beside: unusable)
    shared = known.filter { chosen.ids.contains($0.key) }.mapValues { Set($0.removed.map(\.text)) }
    service.sharedTeams = shared.keys.compactMap { known[$0]?.name }.sorted()
    if teams != nil { complain(chosen.unclear) }
    // What other machines shared before is not deleted only because the daemon has not answered yet.
    if teams != nil || settings == .none { deleteOthers() }
    for peer in sessions.keys where before.contains(peer) != shared.contains(peer) { connect(peer) }
  }

  private func complain(_ unclear: [String]) {
    for name in unclear where !complaints.contains(name) {
      let count = (teams ?? [:]).values.count { $0.name.hasBytes(of: name) }
      log.warning(
        count == 0
          ? "ShareWith names a team for which this agent does not speak"
          : "ShareWith names several teams, so none of them is shared with; give the Team ID",
        ["team": name]
      )
    }
    complaints = Set(unclear)
  }

  /// Deletes what is known of machines with which it does not share, or that were removed.
  private func deleteOthers() {
    let shared = shared
    store.write { index throws(IndexError) in
      try index.deleteForeign { shared.contains($0) }
    } completion: { [log] result in
      if case .success(let count) = result, count > 0 {
        log.notice("Deleted what other machines shared", ["entries": "\(count)"])
      }
    }
  }

  // MARK: The index

  /// Makes a machine with a session known to ``Sharing``. Its messages wait until then.
  private func connect(_ peer: SharingPeer) {
    guard shared.contains(peer) else {
      waiting[peer] = nil
      return handle(.connected(peer, nil))
    }
    waiting[peer] = waiting[peer] ?? []
    store.write { index throws(IndexError) in
      (generation: index.generation, last: try index.lastLine, position: try index.position(of: peer))
    } completion: { [weak self] result in
      guard let self, let messages = self.waiting.removeValue(forKey: peer) else { return }
      guard case .success(let known) = result else {
        self.failed.insert(peer)
        return
      }
      self.handle(.changed(generation: known.generation, last: known.last))
      self.handle(.connected(peer, known.position))
      for message in messages { self.handle(.received(message, from: peer)) }
    }
  }

  private func indexChanged() {
    guard !shared.isEmpty else { return }
    guard !reading.isReading else {
      reading.again = true
      return
    }
    reading = (true, false)
    store.write { index throws(IndexError) in
      (generation: index.generation, last: try index.lastLine)
    } completion: { [weak self] result in
      guard let self else { return }
      let again = self.reading.again
      self.reading = (false, false)
      if case .success(let log) = result {
        self.handle(.changed(generation: log.generation, last: log.last))
        let failed = self.failed
        self.failed = []
        for peer in failed { self.connect(peer) }
      }
      if again { self.indexChanged() }
    }
  }

  private func handle(_ event: Sharing.Event) {
    for effect in sharing.handle(event, at: Loop.now) { perform(effect) }
    timer?.set(sharing.deadline)
  }

  private func perform(_ effect: Sharing.Effect) {
    switch effect {
    case .send(let message, let peer): send(message, to: peer)
    case .answer(let peer, let position): answer(peer, position)
    case .apply(let page, let peer): apply(page, of: peer)
    }
  }

  private func answer(_ peer: SharingPeer, _ position: LogPosition) {
    guard answering.insert(peer).inserted else { return }
    store.write { index throws(IndexError) in
      try index.page(after: position, for: peer.team)
    } completion: { [weak self] result in
      guard let self else { return }
      self.answering.remove(peer)
      // It may have been turned off meanwhile.
      if case .success(let page) = result, self.shared.contains(peer) { self.send(.page(page), to: peer) }
    }
  }

  private func apply(_ page: LogPage, of peer: SharingPeer) {
    guard let name = sessions[peer], let device = teams?[peer.team]?.deviceID.text else {
      return handle(.failed(peer))
    }
    let now = Loop.clock.date
    store.write { index throws(IndexError) in
      try index.apply(page, of: peer, called: name, to: device, now: now)
    } completion: { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let applied):
        self.log.debug("Took over what another machine shares", ["peer": name, "lines": "\(page.lines.count)"])
        self.handle(.applied(peer, applied.position, isComplete: applied.isComplete))
        self.service.changed(erasingAfter: applied.hasRemoved ? Limits.sharedErasingTime : Limits.replacedTextTime)
      case .failure: self.handle(.failed(peer))
      }
    }
  }
}

extension [String: Set<String>] {
  fileprivate func contains(_ peer: SharingPeer) -> Bool { self[peer.team].map { !$0.contains(peer.device) } ?? false }
}
