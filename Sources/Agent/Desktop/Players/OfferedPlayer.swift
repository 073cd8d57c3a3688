// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides which player's track is offered to other machines, and when that changes.
///
/// It is the player that began to play last among those that play, or else the one that was paused last, if that is not
/// long ago. A player that was paused before it was seen is not offered: nobody knows how long ago that was.
package struct OfferedPlayer: Sendable {
  /// How long a player that was paused is still offered. Somebody who goes to another machine is there sooner.
  package static let pausedPlayerTime = Duration.seconds(10 * 60)
  /// How long a player may have nothing to offer before it is no longer offered. Some stop between two tracks.
  private static let playerGapTime = Duration.seconds(2)
  /// The minimum time between two changes of what is offered. A track that is skipped is offered to nobody.
  package static let playbackChangeInterval = Duration.seconds(1)

  package typealias Instant = ContinuousClock.Instant

  package enum Event: Equatable, Sendable {
    /// What a player says of itself now.
    case changed(String, PlayerState)
    /// The player that was handed over has paused, as it was told.
    case pausedForOther(String)
    case left(String)
    /// Nothing is known of any player any more.
    case lost
    /// Another machine continues what was offered.
    case continued
    /// It could not, so it is offered again.
    case offerAgain(String)
    case wake
  }

  package enum Effect: Equatable, Sendable {
    /// Offer this player instead of any other.
    case offer(String)
    /// What is offered has changed.
    case update
    case withdraw
    /// Send `.wake` at this instant. Nil: not needed.
    case wake(Instant?)
  }

  /// What other machines are told, besides the position.
  package struct Content: Equatable, Sendable {
    package let track: PlayedTrack
    package let speedPercent: Int

    package init(track: PlayedTrack, speedPercent: Int) { (self.track, self.speedPercent) = (track, speedPercent) }
  }

  private struct Player {
    var state: PlayerState
    var since: Instant
    var playingSince: Instant?
    var pausedSince: Instant?
    /// Another machine continues it. It is offered again if it plays again.
    var isHandedOver = false
    var isReturned = false

    func isEligible(at now: Instant) -> Bool {
      guard state.isOfferable, !isHandedOver else { return false }
      switch state.status {
      case .playing: return true
      case .paused: return pausedSince.map { now < $0 + OfferedPlayer.pausedPlayerTime } ?? false
      case .stopped: return false
      }
    }
  }

  private var players: [String: Player] = [:]
  /// The player that is offered.
  package private(set) var offered: String?
  package private(set) var content: Content?
  /// Whether the offered player is the one that could not be opened elsewhere, with the same track.
  package private(set) var isOfferedAgain = false
  /// When the offered player had nothing to offer any more.
  private var gapSince: Instant?
  private var lastChange: Instant?

  package init() {}

  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    switch event {
    case .changed(let name, let state): change(name, state, now)
    case .pausedForOther(let name):
      // The person may let it play again before it is asked the next time.
      guard var player = players[name], player.isHandedOver, player.state.status == .playing else { break }
      player.state.position = player.state.position(after: now - player.since)
      (player.state.status, player.pausedSince, player.since) = (.paused, now, now)
      players[name] = player
    case .left(let name): players[name] = nil
    case .lost: players = [:]
    case .continued:
      if let offered {
        players[offered]?.isHandedOver = true
        (self.offered, content, gapSince) = (nil, nil, nil)
      }
    case .offerAgain(let name):
      guard players[name]?.isHandedOver == true else { break }
      players[name]?.isHandedOver = false
      players[name]?.isReturned = true
      if players[name]?.state.status == .paused { players[name]?.pausedSince = now }
    case .wake: break
    }
    return decide(now)
  }

  private mutating func change(_ name: String, _ state: PlayerState, _ now: Instant) {
    guard players[name] != nil || players.count < Limits.players else { return }
    var player = players[name] ?? Player(state: state, since: now)
    let before = players[name]?.state.status
    switch state.status {
    case .playing:
      if before != .playing { (player.playingSince, player.isHandedOver, player.isReturned) = (now, false, false) }
      player.pausedSince = nil
    case .paused: if before == .playing { player.pausedSince = now }
    case .stopped: player.pausedSince = nil
    }
    (player.state, player.since) = (state, now)
    players[name] = player
  }

  // MARK: The choice

  private mutating func decide(_ now: Instant) -> [Effect] {
    let next = choice(now)
    if let next { return offer(next, now) }
    guard let offered else { return [.wake(nil)] }
    // A player between two tracks.
    if let player = players[offered], !player.isHandedOver, player.pausedSince == nil {
      let begin = gapSince ?? now
      gapSince = begin
      if now < begin + Self.playerGapTime { return [.wake(begin + Self.playerGapTime)] }
    }
    (self.offered, content, gapSince) = (nil, nil, nil)
    return [.withdraw, .wake(nil)]
  }

  private func choice(_ now: Instant) -> String? {
    func rank(_ player: Player) -> (Int, Instant) {
      player.state.status == .playing ? (1, player.playingSince ?? now) : (0, player.pausedSince ?? now)
    }
    let eligible = players.filter { $0.value.isEligible(at: now) }
    // The name decides among those that began at the same instant, so that the choice stays.
    return eligible.max { left, right in
      let (first, second) = (rank(left.value), rank(right.value))
      return first != second ? first < second : left.key < right.key
    }?.key
  }

  private mutating func offer(_ name: String, _ now: Instant) -> [Effect] {
    guard let player = players[name], let track = player.state.track else { return [] }
    gapSince = nil
    let new = Content(track: track, speedPercent: player.state.speedPercent)
    let end = player.pausedSince.map { $0 + Self.pausedPlayerTime }
    guard name != offered || new != content else { return [.wake(end)] }
    if let lastChange, now < lastChange + Self.playbackChangeInterval {
      return [.wake(lastChange + Self.playbackChangeInterval)]
    }
    lastChange = now
    let isNew = name != offered
    if isNew { isOfferedAgain = player.isReturned }
    players[name]?.isReturned = false
    (offered, content) = (name, new)
    return [isNew ? .offer(name) : .update, .wake(end)]
  }

  // MARK: The position

  /// How far the player's track was played, in milliseconds.
  package func position(of name: String, at now: Instant) -> Int? {
    guard let player = players[name], player.state.position != nil else { return nil }
    return player.state.position(after: now - player.since)
  }

  package func state(of name: String) -> PlayerState? { players[name]?.state }
}
