// SPDX-License-Identifier: Apache-2.0

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
  private var registration: StandingCall<RegisterIndex>?
  private var teams = SharedTeams()
  private var sharing = Sharing()
  private let runner = MachineRunner<Sharing.Event>()
  private var timer: EventLoop.Timer?
  private var calls: [Int: (peer: SharingPeer, call: ControlCall<SendIndexMessage>)] = [:]
  private var lastCall = 0

  init(socket: String?, _ store: IndexStore, _ service: SearchService, log: Log) {
    (self.socket, self.store, self.service, self.log) = (socket, store, service, log)
    timer = EventLoop.Timer { [weak self] in self?.handle(.timePassed) }
  }

  func start(_ choice: TeamChoice) {
    service.upkeep.onChange = { [weak self] in self?.handle(.indexChanged) }
    teams.choice = choice
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
    service.upkeep.onChange = nil
    registration = nil
    lost()
  }

  func apply(_ choice: TeamChoice) {
    guard choice != teams.choice else { return }
    teams.choice = choice
    update()
  }

  // MARK: Events

  private func received(_ reply: RegisterIndex.Reply) {
    switch reply.event {
    case .registered: break
    case .teams:
      teams.received(reply.teams ?? [], unusable: reply.unusable ?? [])
      update()
    case .peer:
      guard let peer = reply.peer else { return }
      handle(reply.connected == true ? .connected(peer, name: reply.device ?? "") : .disconnected(peer))
    case .message:
      guard let peer = reply.peer, let message = reply.message.flatMap(SharingMessage.init(json:)) else { return }
      handle(.received(message, from: peer))
    }
  }

  private func lost() {
    calls = [:]
    handle(.disconnectedAll)
  }

  private func update() {
    for (name, isAmbiguous) in teams.update() {
      log.warning(
        isAmbiguous
          ? "ShareWith= matches more than one team, so nothing is shared with any of them. Specify the Team ID"
          : "ShareWith= lists a team that this user isn't in",
        ["team": name]
      )
    }
    service.sharedTeams = teams.names
    if teams.isCertain { deleteOthers() }
    handle(.shares(teams.removed))
  }

  /// Deletes what is known of machines with which it does not share, or that were removed.
  private func deleteOthers() {
    let shared = teams.removed
    store.write { index throws(IndexError) in
      try index.deleteForeign { shared.contains($0) }
    } completion: { [log] result in
      if case .success(let count) = result, count > 0 {
        log.notice("Deleted entries that other machines had shared", ["entries": "\(count)"])
      }
    }
  }

  private func handle(_ event: Sharing.Event) {
    let isOver = runner.run(event) { event in
      for effect in sharing.handle(event, at: Loop.now) { perform(effect) }
    }
    if isOver { timer?.set(sharing.deadline) }
  }

  // MARK: Effects

  private func perform(_ effect: Sharing.Effect) {
    switch effect {
    case .send(let message, let peer): send(message, to: peer)
    case .readPosition(let peer):
      store.write { index throws(IndexError) in
        (own: try index.logEnd, known: try index.position(of: peer))
      } completion: { [weak self] result in
        self?.handle(.positionRead(peer, try? result.get()))
      }
    case .readPage(let peer, let position):
      store.write { index throws(IndexError) in
        try index.page(after: position, for: peer.team)
      } completion: { [weak self] result in
        self?.handle(.pageRead(peer, try? result.get()))
      }
    case .readEnd:
      store.write { index throws(IndexError) in
        try index.logEnd
      } completion: { [weak self] result in
        self?.handle(.endRead(try? result.get()))
      }
    case .apply(let page, let peer, let name): apply(page, of: peer, called: name)
    }
  }

  private func send(_ message: SharingMessage, to peer: SharingPeer) {
    guard let device = DeviceID(text: peer.device),
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

  private func apply(_ page: LogPage, of peer: SharingPeer, called name: String) {
    guard let device = teams.device(in: peer.team) else { return handle(.failed(peer)) }
    let now = Loop.clock.date
    store.write { index throws(IndexError) in
      try index.apply(page, of: peer, called: name, to: device, now: now)
    } completion: { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let applied):
        self.log.debug("Added entries that another machine shares", ["peer": name, "lines": "\(page.lines.count)"])
        self.handle(.applied(peer, applied.position, isComplete: applied.isComplete))
        self.service.upkeep.changed(
          erasingAfter: applied.hasRemoved ? Limits.sharedErasingTime : Limits.replacedTextTime
        )
      case .failure: self.handle(.failed(peer))
      }
    }
  }
}

extension RegisterIndex.Reply {
  fileprivate var peer: SharingPeer? {
    guard let team, let deviceID else { return nil }
    return SharingPeer(device: deviceID.text, team: team)
  }
}
