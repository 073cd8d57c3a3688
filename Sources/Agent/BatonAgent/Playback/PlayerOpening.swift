// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Localization
import Systemd

/// Opens something in a player, and moves the player to the position as soon as it plays. ``PlayerTask`` decides.
@Loop
final class PlayerOpening {
  /// How often the same player is asked for its state in a row, and per second, while it is opened, because a person
  /// waits for it.
  private static let openingQuestions = TokenBucket.Rate(perSecond: 10, burst: 4)

  struct Request {
    /// What is opened: the URL of a file of this machine, or `http` or `https`.
    let url: String
    /// The path of the file.
    let path: String?
    /// In milliseconds.
    let position: Int
    let speedPercent: Int
  }

  private let request: Request
  private let players: [DesktopEntry]
  private let launching: LaunchService
  private let launch: Launch
  private let log: Log
  private let completion: @Loop (String?) -> Void
  private var machine: PlayerTask
  private var bus: PlayerBus?
  private var timer: Timer?
  private var isOver = false

  /// - Parameters:
  ///   - players: Those that could open it, the preferred one first.
  ///   - completion: Called once; with why nothing plays, or nil if it was opened.
  init(
    _ request: Request,
    _ players: [DesktopEntry],
    _ launching: LaunchService,
    _ launch: Launch,
    log: Log,
    completion: @escaping @Loop (String?) -> Void
  ) {
    (self.request, self.players, self.launching, self.launch) = (request, players, launching, launch)
    (self.log, self.completion) = (log, completion)
    machine = PlayerTask(request.url, position: request.position, players: players.map(\.id))
    timer = Timer { [weak self] in self?.handle(.wake) }
  }

  isolated deinit { bus?.stop() }

  func begin() {
    let bus = PlayerBus(Self.openingQuestions) {
      !IgnoredPlayers.contain($0)
    } onEvent: { [weak self] in
      self?.heard($0)
    }
    self.bus = bus
    bus.start()
  }

  private func heard(_ event: PlayerBus.Event) {
    switch event {
    case .ready: handle(.ready(running: running))
    case .changed(let name, let state): handle(.changed(name, state))
    case .left(let name): handle(.left(name))
    // Without a bus, players can be started, and not moved.
    case .lost: handle(.ready(running: [:]))
    }
  }

  /// The running players, by the IDs of their desktop entries.
  private var running: [String: String] {
    guard let bus else { return [:] }
    let pairs = bus.players.compactMap { name in bus.desktopEntry(of: name).map { ($0, name) } }
    return Dictionary(pairs) { first, _ in first }
  }

  private func handle(_ event: PlayerTask.Event) {
    guard !isOver else { return }
    for effect in machine.handle(event, at: Loop.now) { perform(effect) }
  }

  private func perform(_ effect: PlayerTask.Effect) {
    switch effect {
    case .openIn(let name):
      bus?.order(name, "OpenUri", [.string(request.url)]) { [weak self] isDone in
        self?.handle(.opened(isDone: isDone))
      }
    case .start(let index): start(players[index])
    case .play(let name): bus?.order(name, "Play")
    case .move(let name, let track):
      let position = BusArgument.longInteger(Int64(request.position) * 1000)
      // What the player says next shows whether it did it.
      bus?.order(name, "SetPosition", [.path(track), position]) { [weak self] _ in self?.bus?.ask(name) }
    case .ask(let name): bus?.ask(name)
    case .wake(let instant): timer?.set(instant)
    case .finish(let result): finish(result)
    }
  }

  private func start(_ player: DesktopEntry) {
    let target = player.takesURL ? request.url : request.path
    guard let target else { return handle(.started(isStarted: false)) }
    launching.start(ApplicationCommand(player, targets: [target]), launch) { [weak self] result in
      switch result {
      case .started: self?.handle(.started(isStarted: true))
      case .impossible, .ended: self?.handle(.started(isStarted: false))
      }
    }
  }

  private func finish(_ result: PlayerTask.Result) {
    guard !isOver else { return }
    isOver = true
    timer?.set(nil)
    switch result {
    case .moved(let name):
      log.info("Continued playback from another machine", ["player": name])
      setSpeed(name)
    case .notMoved(let name):
      log.notice("A player didn't jump to the position", ["player": name])
      setSpeed(name)
    case .notControlled:
      log.notice("A player can't be controlled over D-Bus (MPRIS), so it started from the beginning")
      completion(nil)
    case .failed: completion(localized("no player could open it"))
    }
  }

  private func setSpeed(_ player: String) {
    guard request.speedPercent != 100, let bus else { return completion(nil) }
    bus.setRate(player, Double(request.speedPercent) / 100) { [completion] in completion(nil) }
  }
}
