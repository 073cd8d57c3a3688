// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Systemd

/// The players on the user's bus (MPRIS 2.2). Their signals only say that they must be asked, and a player is not asked
/// more often than a limit allows, whatever it signals. Nothing here blocks.
@Loop
final class PlayerBus {
  /// The time until a player says where it is: a part of `Limits.saveTime`.
  private static let playerPositionTime = Duration.seconds(1)
  /// The time until a player answers what it is asked. One that hangs must not keep another machine waiting.
  private static let playerReplyTime = Duration.seconds(2)

  enum Event {
    /// All players that were there have been asked who they are. Sent once.
    case ready
    case changed(String, PlayerState)
    case left(String)
    /// The bus is gone, or was not there. It is tried again.
    case lost(String)
  }

  nonisolated static let prefix = "org.mpris.MediaPlayer2"
  nonisolated static let path = "/org/mpris/MediaPlayer2"
  nonisolated static let player = "org.mpris.MediaPlayer2.Player"
  nonisolated private static let properties = "org.freedesktop.DBus.Properties"
  nonisolated private static let daemon = "org.freedesktop.DBus"

  private let questions: TokenBucket.Rate
  private let includes: @Sendable (String) -> Bool
  private let onEvent: @Loop (Event) -> Void
  private var bus: MessageBus?
  private var watched: [String: WatchedPlayer] = [:]
  /// Hears which programs have players' names.
  private var names: SignalGate?
  private var timer: Timer?
  private var backoff = Backoff(Limits.playbackBackoff)
  private var isStopped = false
  /// How many questions must be answered until ``Event/ready``. Nil after that.
  private var unanswered: Int? = 0

  /// - Parameters:
  ///   - questions: How often one player is asked.
  ///   - includes: Whether a player with this name counts.
  init(
    _ questions: TokenBucket.Rate,
    includes: @escaping @Sendable (String) -> Bool = { _ in true },
    onEvent: @escaping @Loop (Event) -> Void
  ) {
    (self.questions, self.includes, self.onEvent) = (questions, includes, onEvent)
    timer = Timer { [weak self] in self?.start() }
  }

  /// The names of the players.
  var players: [String] { watched.keys.sorted() }

  /// The ID of the desktop entry of a player, as far as it has said that.
  func desktopEntry(of name: String) -> String? { watched[name]?.desktopEntry }

  // MARK: The connection

  func start() {
    guard !isStopped, bus == nil else { return }
    do throws(MessageBus.Failure) {
      let bus = try MessageBus(.user) { [weak self] in self?.disconnected($0) }
      self.bus = bus
      let names = SignalGate(bus, [.ownerChanged(Self.prefix, "arg0namespace")]) { [weak self] message in
        guard let name = message.string(), message.string() != nil, let owner = message.string() else { return }
        self?.ownerChanged(name, to: owner)
      } onReopened: { [weak self] in
        self?.list()
      }
      try names.open()
      self.names = names
      list()
    } catch {
      disconnected(error)
    }
  }

  func stop() {
    isStopped = true
    timer?.set(nil)
    close()
  }

  private func close() {
    names?.close()
    names = nil
    for player in watched.values { player.close() }
    watched = [:]
    bus?.close()
    bus = nil
  }

  private func disconnected(_ failure: MessageBus.Failure) {
    close()
    timer?.set(Loop.now + backoff.next())
    onEvent(.lost(failure.description))
  }

  // MARK: Names

  private func list() {
    unanswered? += 1
    call(BusCall(Self.daemon, "/org/freedesktop/DBus", Self.daemon, "ListNames")) { [weak self] message in
      guard let self else { return }
      defer { self.answered() }
      guard let message, message.errorName == nil else { return }
      self.backoff.reset()
      let names = Set(message.strings(limit: Limits.varlinkMessageLength).filter(self.isPlayer))
      for name in self.watched.keys where !names.contains(name) { self.forget(name) }
      for name in names.sorted() { self.askOwner(of: name) }
    }
  }

  private func answered() {
    guard let count = unanswered else { return }
    unanswered = count > 1 ? count - 1 : nil
    if count <= 1 { onEvent(.ready) }
  }

  private func isPlayer(_ name: String) -> Bool { name.starts(withBytesOf: Self.prefix + ".") && includes(name) }

  private func askOwner(of name: String) {
    guard watched.count < Limits.players || watched[name] != nil else { return }
    let question = BusCall(Self.daemon, "/org/freedesktop/DBus", Self.daemon, "GetNameOwner", name)
    unanswered? += 1
    call(question) { [weak self] message in
      if let message, message.errorName == nil, let owner = message.string() { self?.ownerChanged(name, to: owner) }
      self?.answered()
    }
  }

  private func ownerChanged(_ name: String, to owner: String) {
    guard isPlayer(name), watched[name]?.owner != owner else { return }
    forget(name)
    guard !owner.isEmpty, watched.count < Limits.players, let bus else { return }
    let player = WatchedPlayer(name, owner: owner, questions) { [weak self] in self?.ask(name, owner) }
    watched[name] = player
    player.watch(bus)
    askDesktopEntry(name, owner)
    player.changed()
  }

  private func forget(_ name: String) {
    guard let player = watched.removeValue(forKey: name) else { return }
    player.close()
    onEvent(.left(name))
    // There is room for one that was left out.
    if watched.count == Limits.players - 1 { list() }
  }

  // MARK: Questions

  private func askDesktopEntry(_ name: String, _ owner: String) {
    unanswered? += 1
    call(BusCall(owner, Self.path, Self.properties, "Get", Self.prefix, "DesktopEntry")) { [weak self] message in
      if let player = self?.watched[name], player.owner == owner, let message, message.errorName == nil {
        player.desktopEntry = PlayerValue.variant(message)?.text
      }
      self?.answered()
    }
  }

  private func ask(_ name: String, _ owner: String) {
    call(BusCall(owner, Self.path, Self.properties, "GetAll", Self.player)) { [weak self] message in
      guard let self, let player = self.watched[name], player.owner == owner else { return }
      player.wasAnswered()
      // Its next signal, if it is busy.
      guard let message else { return }
      let values = message.errorName == nil ? PlayerValue.properties(message) : nil
      let state = values.flatMap(PlayerState.init) ?? PlayerState(status: .stopped, track: nil, position: nil)
      self.onEvent(.changed(name, state))
    }
  }

  /// Asks a player what and where it is now, at any time.
  ///
  /// - Parameter completion: Called once, with nil if it does not say.
  func state(of name: String, completion: @escaping @Loop (PlayerState?) -> Void) {
    guard let owner = watched[name]?.owner else { return completion(nil) }
    var question = BusCall(owner, Self.path, Self.properties, "GetAll", Self.player)
    question.replyTime = Self.playerPositionTime
    call(question) { message in
      guard let message, message.errorName == nil else { return completion(nil) }
      completion(PlayerValue.properties(message).flatMap(PlayerState.init))
    }
  }

  /// Asks a player for its state, without waiting for a signal.
  func ask(_ name: String) { watched[name]?.changed() }

  // MARK: Orders

  /// Calls a method of the player.
  ///
  /// - Parameter completion: Called once, with whether the player did it.
  func order(
    _ name: String,
    _ method: String,
    _ arguments: [BusArgument] = [],
    completion: @escaping @Loop (Bool) -> Void = { _ in }
  ) {
    guard let owner = watched[name]?.owner else { return completion(false) }
    call(BusCall(owner, Self.path, Self.player, method, arguments: arguments)) { message in
      completion(message.map { $0.errorName == nil } ?? false)
    }
  }

  /// - Parameter completion: Called once.
  func setRate(_ name: String, _ rate: Double, completion: @escaping @Loop () -> Void) {
    guard let owner = watched[name]?.owner else { return completion() }
    let arguments = [BusArgument.string(Self.player), .string("Rate"), .variant(.double(rate))]
    call(BusCall(owner, Self.path, Self.properties, "Set", arguments: arguments)) { _ in completion() }
  }

  /// - Parameter reply: Called once; with nil if nothing was sent. Then it is called before this returns.
  private func call(_ call: BusCall, reply: @escaping @Loop (BusMessage?) -> Void) {
    var call = call
    call.replyTime = call.replyTime ?? Self.playerReplyTime
    do throws(MessageBus.Failure) {
      guard let bus else { return reply(nil) }
      try bus.call(call) { reply($0) }
    } catch {
      reply(nil)
    }
  }
}
