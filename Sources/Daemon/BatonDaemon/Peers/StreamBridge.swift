// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// One continuation stream on this side. It joins the app's socket to the peer's frames, on one session after the
/// other: it carries out what `StreamEndpoint` decides, and reports events to it.
@Loop
final class StreamBridge {
  /// The time after which a sender is told what the app has taken (`StreamFlow.streamQuietLength`).
  private static let streamQuietTime = Duration.milliseconds(2)

  let id: StreamID
  /// The stream is over. The reason is nil if both directions are complete. Called once.
  var onEnd: (@Loop (Reason?) -> Void)?
  /// Whether a program waits for the end of the stream.
  var isAwaited: (@Loop () -> Bool)?
  /// Whether the app is gone, although its socket looks as if it had only finished writing.
  var isAbandoned: (@Loop () -> Bool)?
  /// The name under which programs ask how the stream ended.
  var token = ""

  private unowned let table: StreamTable
  private let account: StreamMemory.Account
  /// Nil while the stream waits for the next session.
  private weak var connection: PeerConnection?
  private var endpoint: StreamEndpoint
  private var socket: AppSocket?
  private var outgoing: OutgoingBytes
  private var incoming: IncomingBytes
  /// How many of the peer's bytes the daemon's counters have.
  private var countedCount: UInt64
  private var timer: Timer?
  /// Fires when the peer has not been told for a while what the app has taken.
  private var quietTimer: Timer?

  /// - Parameters:
  ///   - user: Whose app has the stream.
  ///   - connection: Nil if the session has ended since both sides agreed on the stream.
  /// - Returns: Nil if there is no memory for what the peer may send.
  init?(_ id: StreamID, of user: UserID, _ limits: FirstLimits, connection: PeerConnection?, table: StreamTable) {
    let account = table.memory.account(peer: id.peer, user: user)
    let more = Int(limits.receiving - Limits.streamFirstWindow)
    guard more == 0 || account.take(more, atLeast: more) > 0 else {
      account.close()
      return nil
    }
    self.id = id
    self.table = table
    self.connection = connection
    self.account = account
    endpoint = StreamEndpoint(
      number: id.number,
      flow: StreamFlow(window: limits.receiving, sendLimit: limits.sending)
    )
    countedCount = 0
    outgoing = OutgoingBytes(stream: id.number, account: account)
    incoming = IncomingBytes()
    start()
    // The peer must hear first that the stream is accepted.
    Task { @Loop [weak self] in
      let growth = UInt64(table.memory.budget.openingGrowth)
      self?.widen(by: min(growth, Limits.streamWindow - limits.receiving))
    }
  }

  /// Continues a stream of the previous daemon. It waits for the next session, and for the app's socket.
  init(_ saved: SavedStream, table: StreamTable) {
    id = saved.id
    token = saved.token
    self.table = table
    account = table.memory.account(peer: id.peer, user: saved.user)
    endpoint = StreamEndpoint(number: id.number, flow: saved.flow)
    countedCount = saved.flow.receivedCount
    outgoing = OutgoingBytes(stream: id.number, account: account)
    incoming = IncomingBytes(held: saved.held)
    outgoing.restore(saved)
    account.force(Int(saved.flow.window - Limits.streamFirstWindow))
    start()
    if saved.isAwaited { expectApp() }
  }

  private func start() {
    timer = Timer { [weak self] in self?.handle(.wake) }
    quietTimer = Timer { [weak self] in self?.handle(.quiet) }
    if connection == nil { handle(.sessionLost) }
  }

  // MARK: The app

  /// Joins the app's socket. What arrived earlier waits for it.
  ///
  /// - Parameters:
  ///   - descriptor: Non-blocking. This object takes ownership.
  ///   - early: The app's bytes that were already read.
  func attach(_ descriptor: Int32, early: [UInt8]) {
    guard !endpoint.isOver else { return Sockets.close(descriptor) }
    socket = AppSocket(owning: descriptor) { [weak self] in
      self?.pump()
    } onWritable: { [weak self] in
      self?.deliver()
      self?.settle()
    }
    outgoing.begin(with: early)
    handle(.attached)
  }

  /// Expects the app to ask how the stream ends. Until then, the end of its socket does not count as intended.
  func expectApp() { handle(.appExpected) }

  /// Called when the app has asked how the stream ends.
  func appAsked() { handle(.appAsked) }

  /// Called when a program that awaited the stream's end has hung up. The app's socket may end after it.
  func appLeft() { handle(.waiterLeft) }

  private func condition(of socket: AppSocket) -> StreamEndpoint.AppCondition {
    StreamEndpoint.AppCondition(
      hasHungUp: socket.hasHungUp,
      isAwaited: isAwaited?() == true,
      isAbandoned: isAbandoned?() == true
    )
  }

  // MARK: The session and the daemon

  /// Called when the session is gone. The stream waits for the next one.
  func suspend() {
    deliver()
    let wasRelayed = connection?.isRelayed == true
    connection = nil
    handle(wasRelayed ? .relayedSessionLost : .sessionLost)
  }

  /// Tells the other side, on a new session, how far this side has come.
  func resume(on connection: PeerConnection) {
    self.connection = connection
    handle(.sessionBegan)
  }

  /// Called when the stream is over and was not complete: the other side gave it up, or no session came.
  func abandon(_ reason: Reason) { handle(.abandon(reason)) }

  /// Gives the stream up on this side.
  func reset(_ reason: Reason) { handle(.giveUp(reason)) }

  /// Leaves the stream to the next daemon.
  ///
  /// - Returns: Nil if there is nothing to leave.
  func leave(user: UserID, isAwaited: Bool) -> (SavedStream, socket: Int32)? {
    deliver()
    guard !endpoint.isOver, let socket, let descriptor = socket.duplicate() else { return nil }
    let saved = SavedStream(id, token: token, user: user, isAwaited: isAwaited, endpoint, outgoing, incoming)
    handle(.leave)
    (timer, quietTimer, onEnd) = (nil, nil, nil)
    outgoing.clear()
    account.close()
    socket.close()
    connection?.remove(self)
    return (saved, descriptor)
  }

  // MARK: The bytes

  /// Sends what the endpoint allows, as far as the app has written it and the connection takes it.
  func pump() {
    var isReading = false
    var moved: UInt64 = 0
    defer {
      socket?.isReading = isReading
      if moved > 0 {
        table.counters.streamMoved(in: 0, out: moved, of: id.peer.team)
        connection?.noteTurn(of: self, count: moved)
      }
    }
    var rounds = 0
    while let connection {
      switch endpoint.outgoing {
      case .nothing: return
      case .again:
        let space = connection.space(for: self, isFirst: rounds == 0)
        guard space > 0 else { return }
        rounds += 1
        handle(.readAgain(UInt64(outgoing.againCount(space))))
      case .new(let limit):
        guard let socket else { return }
        guard rounds < connection.batchesPerTurn else { return isReading = true }
        let space = connection.space(for: self, isFirst: rounds == 0)
        guard space > 0 else { return }
        rounds += 1
        switch outgoing.read(min(limit, UInt64(space)), at: endpoint.flow.sentCount, from: socket.descriptor) {
        case .bytes(let count):
          moved += UInt64(count)
          handle(.read(UInt64(count)))
        case .full: return
        case .nothing: return isReading = true
        case .end: return handle(.readEnd(condition(of: socket)))
        case .failed: return handle(.socketFailed)
        }
      }
    }
  }

  /// Takes bytes of the peer. ``deliver()`` passes them to the app.
  func receive(_ frame: DataFrame) throws(Reason) {
    guard !endpoint.isOver else { return }
    try endpoint.received(UInt64(frame.bytes.count), at: frame.offset)
    incoming.append(frame.bytes)
    if incoming.isFull { deliver() }
  }

  /// Writes what arrived to the app's socket, and keeps what the socket does not take.
  func deliver() {
    guard !endpoint.isOver else { return }
    guard let count = incoming.write(to: socket?.descriptor) else { return handle(.socketFailed) }
    socket?.isWriting = incoming.isHeld
    handle(.wrote(UInt64(count)))
    if quietTimer?.deadline == nil, endpoint.flow.isAcknowledgementDue {
      quietTimer?.set(Loop.now + Self.streamQuietTime)
    }
  }

  /// Called when everything that had arrived was delivered, as far as the app takes it.
  func settle() {
    guard !endpoint.isOver else { return }
    let count = endpoint.flow.receivedCount
    table.counters.streamMoved(in: count - countedCount, out: 0, of: id.peer.team)
    countedCount = count
    if let connection, let growth = endpoint.wantedGrowth(roundTrip: connection.roundTrip, at: Loop.now) {
      widen(by: growth)
    }
  }

  /// Allows the peer to send more bytes beyond those that the app has taken, if there is memory for them.
  private func widen(by wanted: UInt64) {
    guard !endpoint.isOver, wanted > 0 else { return }
    let count = account.take(Int(wanted))
    if count > 0 { handle(.widened(UInt64(count))) }
  }

  // MARK: Events and effects

  /// Takes a message about this stream.
  func receive(_ message: StreamMessage) throws(Reason) {
    let effects = try endpoint.receive(message)
    if !endpoint.isOver { outgoing.acknowledge(endpoint.flow.acknowledgedCount) }
    perform(effects)
  }

  private func handle(_ event: StreamEndpoint.Event) { perform(endpoint.handle(event, at: Loop.now)) }

  private func perform(_ effects: [StreamEndpoint.Effect]) {
    timer?.set(endpoint.deadline)
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: StreamEndpoint.Effect) {
    switch effect {
    case .send(let message): connection?.send(.stream(message))
    case .sendData(let count):
      outgoing.send(Int(count)) { connection?.add($0) }
      connection?.flush()
    case .pump: pump()
    case .deliver: deliver()
    case .suspend:
      socket?.isReading = false
      table.suspend(self)
    case .resumed:
      outgoing.rewind()
      table.counters.streamResumed(of: id.peer.team)
    case .endSocket: socket?.end()
    case .lookAtApp: if let socket { handle(.looked(condition(of: socket))) }
    case .checkDelivery:
      switch socket?.delivery {
      case .pending: handle(.unread)
      case .done: handle(.allRead)
      case .failed: handle(.socketFailed)
      case nil: break
      }
    case .watchApp(true):
      guard let socket else { return }
      if !socket.watch({ [weak self] in self?.handle(.appChanged) }) { handle(.giveUp(.internalFailure)) }
    case .watchApp(false): socket?.stopWatching()
    case .end(let reason, let answer): end(reason, answer)
    }
  }

  private func end(_ reason: Reason?, _ answer: StreamMessage) {
    (timer, quietTimer) = (nil, nil)
    incoming = IncomingBytes()
    outgoing.clear()
    account.close()
    socket?.close()
    table.ended(id, answer: answer)
    connection?.remove(self)
    onEnd?(reason)
    onEnd = nil
  }
}
