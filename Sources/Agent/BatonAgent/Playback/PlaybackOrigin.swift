// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import Hosts
import JSONCoding
import Systemd
import VarlinkClient

/// Offers what is played on this machine, and pauses it when another machine continues it. ``OfferedPlayer`` decides
/// which player that is.
@Loop
final class PlaybackOrigin {
  /// The maximum number of activities that were continued elsewhere whose files are still served.
  private static let continuedPlaybacks = 4
  /// How often the same player is asked for its state in a row, and per second, whatever it signals. A player that is
  /// started says some things in a row.
  private static let playerQuestions = TokenBucket.Rate(perSecond: 1, burst: 4)

  private let socket: String?
  private let choice: TeamChoice
  private let log: Log
  private let documents: EditorDocuments
  private var machine = OfferedPlayer()
  private var bus: PlayerBus?
  private var timer: EventLoop.Timer?
  private var current: HeldPlayback?
  /// Those that were continued elsewhere, the last one last. Their files are still served.
  private var former: [HeldPlayback] = []
  private var teams: ControlCall<ListTeams>?
  private var retryTimer: EventLoop.Timer?
  private var backoff = Backoff(Limits.playbackBackoff)
  private var lastTrouble: String?

  /// - Parameters:
  ///   - socket: The daemon's; nil for the default one.
  ///   - choice: The teams whose machines see it; at least one.
  init(socket: String?, _ choice: TeamChoice, log: Log) {
    (self.socket, self.choice, self.log) = (socket, choice, log)
    documents = EditorDocuments(socket: socket)
    timer = EventLoop.Timer { [weak self] in self?.handle(.wake) }
    retryTimer = EventLoop.Timer { [weak self] in self?.offerCurrent() }
    bus = PlayerBus(Self.playerQuestions) {
      !IgnoredPlayers.contain($0)
    } onEvent: { [weak self] in
      self?.heard($0)
    }
  }

  func start() { bus?.start() }

  func stop() {
    bus?.stop()
    bus = nil
    timer?.set(nil)
    retryTimer?.set(nil)
    teams = nil
    current?.withdraw()
    (current, former) = (nil, [])
  }

  private func heard(_ event: PlayerBus.Event) {
    switch event {
    case .ready: lastTrouble = nil
    case .changed(let name, let state): handle(.changed(name, state))
    case .left(let name): handle(.left(name))
    case .lost(let why):
      complain("Playback can't be shared, because the user's D-Bus session bus isn't available: \(why)")
      handle(.lost)
    }
  }

  private func complain(_ trouble: String) {
    if trouble != lastTrouble { log.notice(trouble) }
    lastTrouble = trouble
  }

  private func handle(_ event: OfferedPlayer.Event) {
    for effect in machine.handle(event, at: Loop.now) { perform(effect) }
  }

  private func perform(_ effect: OfferedPlayer.Effect) {
    switch effect {
    case .offer(let name): offer(name)
    case .update: show()
    case .withdraw:
      current?.withdraw()
      current = nil
    case .wake(let instant): timer?.set(instant)
    }
  }

  // MARK: The activity

  private func offer(_ name: String) {
    guard let content = machine.content else { return }
    current?.withdraw()
    // What could not be opened elsewhere is the same offer as before.
    if let index = former.lastIndex(where: { $0.player == name }), machine.isOfferedAgain {
      current = former.remove(at: index)
    } else {
      current = HeldPlayback(name, content, socket: socket, documents: documents) { [weak self] in
        self?.bus?.desktopEntry(of: name)
      } askState: { [weak self] completion in
        guard let self else { return completion(nil) }
        self.askState(of: name, completion)
      } onEvent: { [weak self] playback, event in
        self?.happened(playback, event)
      }
    }
    log.debug("Offering a player", ["player": name])
    show()
    offerCurrent()
  }

  private func show() {
    guard let current, let content = machine.content else { return }
    current.show(content, position: machine.position(of: current.player, at: Loop.now) ?? 0)
  }

  /// - Parameter completion: Gets what the player last said, and where it would be, if it does not answer.
  private func askState(of name: String, _ completion: @escaping @Loop (PlayerState?) -> Void) {
    guard let bus else { return completion(nil) }
    bus.state(of: name) { [weak self] state in
      var known = self?.machine.state(of: name)
      known?.position = self?.machine.position(of: name, at: Loop.now)
      completion(state ?? known)
    }
  }

  /// Makes it current, in the teams that were chosen.
  private func offerCurrent() {
    guard let playback = current else { return }
    guard case .named = choice else { return playback.becomeCurrent() }
    teams = try? ControlCall(ListTeams.self, Nothing(), path: socket) { [weak self] result in
      guard let self, self.current === playback else { return }
      self.teams = nil
      guard case .success(let reply) = result else {
        self.retryTimer?.set(Loop.now + self.backoff.next())
        return
      }
      self.backoff.reset()
      let teams = reply.teams.map { (id: $0.id.description, name: $0.name) }
      switch PlaybackTeam(self.choice, among: teams, beside: reply.unusable.compactMap(\.name)) {
      case .all: playback.team = nil
      case .one(let id, let omitted):
        playback.team = id
        if omitted > 0 {
          self.complain("Playback is offered to only one team: the first one that [Playback] ShareWith= lists")
        }
      case .none: return self.complain("[Playback] ShareWith= doesn't match exactly one of your teams")
      }
      playback.becomeCurrent()
    }
    if teams == nil { retryTimer?.set(Loop.now + backoff.next()) }
  }

  private func happened(_ playback: HeldPlayback, _ event: HeldPlayback.Event) {
    switch event {
    case .continued(let device):
      log.info("Another machine is continuing playback", ["device": device ?? "", "player": playback.player])
      handOver(playback)
      bus?.order(playback.player, "Pause") { [weak self] isDone in
        if isDone { self?.handle(.pausedForOther(playback.player)) }
      }
    case .displaced: handOver(playback)
    case .offerAgain:
      guard former.contains(where: { $0 === playback }) else { return }
      log.notice("The other machine couldn't continue playback, so it's offered again", ["player": playback.player])
      handle(.offerAgain(playback.player))
    case .refused(let failure): log.warning("Can't offer playback: \(failure.message)")
    }
  }

  private func handOver(_ playback: HeldPlayback) {
    guard playback === current else { return }
    current = nil
    former.append(playback)
    if former.count > Self.continuedPlaybacks { former.removeFirst() }
    handle(.continued)
  }
}
