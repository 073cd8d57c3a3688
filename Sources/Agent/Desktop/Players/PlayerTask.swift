// SPDX-License-Identifier: Apache-2.0

/// Decides how something is opened in a player and moved to a position.
///
/// The first player is told to open it if it runs, or else started; if it cannot, the next one. Then the task waits
/// until a player says that it plays what was opened, and moves it. A player that never says so was opened at the
/// start.
package struct PlayerTask: Sendable {
  /// The time from starting a player until it plays and can be controlled over D-Bus. Without an answer it was opened
  /// at the start.
  package static let playerStartTime = Duration.seconds(12)
  /// The time from asking a player for a position until it has it.
  package static let playerSeekTime = Duration.seconds(5)
  /// The time after which a player that is not there is asked once more. Some drop what they are told while they load.
  package static let playerMoveInterval = Duration.milliseconds(300)
  /// How near a player must be to the position, in milliseconds. Some go to the nearest picture that is whole.
  private static let playbackPrecision = 2_000

  package typealias Instant = ContinuousClock.Instant

  package enum Event: Equatable, Sendable {
    /// The running players are known.
    /// - Parameter running: Their names, by the IDs of their desktop entries.
    case ready(running: [String: String])
    /// The answer to ``Effect/openIn(_:)``.
    case opened(isDone: Bool)
    /// The answer to ``Effect/start(_:)``. A player that ends with an error soon after its start sends a second one.
    case started(isStarted: Bool)
    case changed(String, PlayerState)
    case left(String)
    case wake
  }

  package enum Effect: Equatable, Sendable {
    case openIn(String)
    /// Start the player with this index.
    case start(Int)
    case play(String)
    case move(String, track: String)
    /// Ask the player for its state.
    case ask(String)
    case wake(Instant)
    case finish(Result)
  }

  package enum Result: Equatable, Sendable {
    case moved(String)
    /// It plays, and did not go to the position.
    case notMoved(String)
    /// It was started, and no player says that it plays it.
    case notControlled
    case failed
  }

  private enum State: Equatable {
    case begin
    /// Waiting for a player to open it.
    case asking(Int)
    case starting(Int)
    /// Waiting for a player that plays it.
    case waiting(Int, until: Instant)
    case moving(String, until: Instant)
    case over
  }

  private let url: String
  private let position: Int
  private let players: [String]
  private var running: [String: String] = [:]
  private var state = State.begin
  private var lastMove: Instant?
  /// Where the player first said that it is there.
  private var arrival: (place: Int, instant: Instant)?

  /// - Parameters:
  ///   - position: In milliseconds.
  ///   - players: The IDs of the desktop entries of those that could open it.
  package init(_ url: String, position: Int, players: [String]) {
    (self.url, self.position, self.players) = (url, position, players)
  }

  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    switch (event, state) {
    case (.ready(let running), .begin):
      self.running = running
      return open(0)
    case (.opened(let isDone), .asking(let index)): return isDone ? wait(index, now) : start(index)
    case (.started(let isStarted), .starting(let index)): return isStarted ? wait(index, now) : open(index + 1)
    case (.started(isStarted: false), .waiting(let index, _)): return open(index + 1)
    case (.changed(let name, let player), .waiting): return waiting(name, player, now)
    case (.changed(let name, let player), .moving(let moved, let end)):
      return name == moved ? moving(name, player, end, now) : []
    case (.left(let name), .moving(let moved, _)): return name == moved ? finish(.failed) : []
    case (.wake, .waiting(_, let end)):
      return now < end ? [.wake(end)] : finish(.notControlled)
    case (.wake, .moving(let name, let end)):
      return now < end ? [.ask(name), .wake(next(now, end))] : finish(.notMoved(name))
    default: return []
    }
  }

  private mutating func finish(_ result: Result) -> [Effect] {
    state = .over
    return [.finish(result)]
  }

  // MARK: Opening

  private mutating func open(_ index: Int) -> [Effect] {
    guard index < players.count else { return finish(.failed) }
    guard let name = running[players[index]] else { return start(index) }
    state = .asking(index)
    return [.openIn(name)]
  }

  private mutating func start(_ index: Int) -> [Effect] {
    state = .starting(index)
    return [.start(index)]
  }

  private mutating func wait(_ index: Int, _ now: Instant) -> [Effect] {
    let end = now + Self.playerStartTime
    state = .waiting(index, until: end)
    // One that runs may have answered before it had opened it.
    return running.values.sorted().map(Effect.ask) + [.wake(end)]
  }

  // MARK: Moving

  private mutating func waiting(_ name: String, _ player: PlayerState, _ now: Instant) -> [Effect] {
    guard player.url.map({ PlayedTrack.isSame($0, as: url) }) == true, player.status != .stopped else { return [] }
    // It has begun to load.
    guard player.canSeek, player.trackID != nil, player.position != nil else { return [] }
    let end = now + Self.playerSeekTime
    state = .moving(name, until: end)
    return (player.status == .paused ? [.play(name)] : []) + moving(name, player, end, now)
  }

  private mutating func moving(_ name: String, _ player: PlayerState, _ end: Instant, _ now: Instant) -> [Effect] {
    guard player.url.map({ PlayedTrack.isSame($0, as: url) }) == true, let track = player.trackID else {
      return finish(.notMoved(name))
    }
    if let place = player.position {
      let passed = lastMove.map { Int(max(0, (now - $0) / .milliseconds(1)) * player.rate) } ?? 0
      // Checked: both are at most 7 days.
      let range = (position - Self.playbackPrecision)...(position + Self.playbackPrecision + passed)
      if lastMove == nil, range.contains(place), position <= Self.playbackPrecision { return finish(.moved(name)) }
      if lastMove != nil, range.contains(place) { return arrived(name, place, player.status, end, now) }
      arrival = nil
    }
    if let lastMove, now < lastMove + Self.playerMoveInterval { return [.wake(next(now, end))] }
    lastMove = now
    return [.move(name, track: track), .wake(next(now, end))]
  }

  /// VLC says that it is where it was told to go, and then begins at the start if it was still loading. So it must go
  /// on from there.
  private mutating func arrived(
    _ name: String,
    _ place: Int,
    _ status: PlayerState.Status,
    _ end: Instant,
    _ now: Instant
  ) -> [Effect] {
    guard let first = arrival, status == .playing, now >= first.instant + Self.playerMoveInterval else {
      arrival = arrival ?? (place, now)
      return [.wake(next(now, end))]
    }
    return place > first.place ? finish(.moved(name)) : [.wake(next(now, end))]
  }

  private func next(_ now: Instant, _ end: Instant) -> Instant { min(end, now + Self.playerMoveInterval) }
}
