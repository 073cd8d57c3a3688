import Activity
import Continuation
import EventLoop
import Glibc
import PeerProtocol

/// One continuation stream on this side. It joins the app's socket to the peer's frames through a flow, on one session
/// after the other.
@Loop
final class StreamBridge {
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
  /// Nil while the stream waits for the next session.
  private weak var connection: PeerConnection?
  /// Whether the other side has not yet said how far it has come.
  private var isResuming = false
  private var flow: StreamFlow
  private var socket: Readiness?
  /// Reports each time that the app has read from its socket, or is gone. Set while that matters.
  private var watch: Readiness?
  /// The app's bytes that arrived together with its call.
  private var early: ArraySlice<UInt8> = []
  private var replay = ReplayBuffer()
  /// What arrived in this batch and has not been written yet: parts of the connection's buffer.
  private var arrived: [ArraySlice<UInt8>] = []
  /// What arrived and the app's socket has not taken: at most the window of the flow.
  private var held = HeldBytes()
  /// What the other side was told in this session.
  private var hasSentFinish = false
  private var hasAcknowledgedFinish = false
  /// Whether the end was written to the app's socket.
  private var hasDeliveredEnd = false
  private var isOver = false
  private var timer: Timer?
  /// Runs while the app, which told this daemon or the previous one that it awaits the end of the stream, has not asked
  /// yet.
  private var expectTimer: Timer?
  /// Runs after the app's socket was closed, while the call that awaits the end might be about to hang up as well.
  private var exitTimer: Timer?

  /// How many parts are written with one call. A batch of full frames has fewer, and the kernel takes 1,024 (IOV_MAX).
  private static let partsPerWrite = 64
  /// How many batches of the app's bytes are sent before others get their turn.
  private static let roundsPerEvent = 4

  /// - Parameter connection: Nil if the session has ended since both sides agreed on the stream.
  init(_ id: StreamID, sendLimit: UInt64, connection: PeerConnection?, table: StreamTable) {
    self.id = id
    self.table = table
    self.connection = connection
    flow = StreamFlow(sendLimit: sendLimit)
    timer = Timer { [weak self] in self?.abandon(.streamInterrupted) }
  }

  /// Continues a stream of the previous daemon. It waits for the next session.
  ///
  /// - Parameter descriptor: The app's socket. This object takes ownership.
  init(_ saved: SavedStream, socket descriptor: Int32, table: StreamTable) {
    id = saved.id
    token = saved.token
    self.table = table
    flow = saved.flow
    held = HeldBytes(saved.held)
    timer = Timer { [weak self] in self?.abandon(.streamInterrupted) }
    saved.replay.withUnsafeBytes { replay.keep($0, at: saved.flow.acknowledgedCount) }
    if saved.isAwaited { expectApp() }
    attach(descriptor, early: saved.early)
    suspend()
  }

  /// Expects the app to ask how the stream ends. Until then, the end of its socket does not count as intended.
  func expectApp() {
    expectTimer = Timer { [weak self] in self?.reset(.streamReset) }
    expectTimer?.set(Loop.now + Limits.streamReturnTime)
  }

  /// Called when the app has asked how the stream ends.
  func appAsked() {
    expectTimer = nil
    pump()
    deliver()
  }

  /// Called when a program that awaited the stream's end has hung up. The app's socket may end after it.
  func appLeft() {
    watchApp()
    lookAtApp()
  }

  /// Leaves the stream to the next daemon.
  ///
  /// - Returns: Nil if there is nothing to leave.
  func leave(user: UserID, isAwaited: Bool) -> (SavedStream, socket: Int32)? {
    deliver()
    guard !isOver, let socket else { return nil }
    let descriptor = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { return nil }
    let first = replay.bytes(at: flow.acknowledgedCount, Int(flow.sentCount - flow.acknowledgedCount))
    let rest = Int(flow.sentCount - flow.acknowledgedCount) - first.count
    let saved = SavedStream(
      id: id,
      token: token,
      user: user,
      isAwaited: isAwaited || expectTimer != nil,
      flow: flow,
      replay: Array(first) + Array(replay.bytes(at: flow.acknowledgedCount + UInt64(first.count), rest)),
      early: Array(early),
      held: held.all
    )
    isOver = true
    (timer, expectTimer, exitTimer, onEnd) = (nil, nil, nil, nil)
    watch?.close()
    socket.close()
    connection?.remove(self)
    return (saved, descriptor)
  }

  /// Joins the app's socket. What arrived earlier waits for it.
  ///
  /// - Parameters:
  ///   - descriptor: Non-blocking. This object takes ownership.
  ///   - early: The app's bytes that were already read.
  func attach(_ descriptor: Int32, early: [UInt8]) {
    let socket = Readiness(owning: descriptor)
    guard !isOver else { return socket.close() }
    self.socket = socket
    self.early = early[...]
    socket.onReadable = { [weak self] in self?.pump() }
    socket.onWritable = { [weak self] in self?.deliver() }
    pump()
    deliver()
  }

  // MARK: Sessions

  /// Called when the session is gone. The stream waits for the next one.
  func suspend() {
    guard !isOver else { return }
    deliver()
    connection = nil
    guard !isOver else { return }
    socket?.isReading = false
    table.suspend(self)
    timer?.set(Loop.now + Limits.streamResumeTime)
  }

  /// Tells the other side, on a new session, how far this side has come.
  func resume(on connection: PeerConnection) {
    self.connection = connection
    isResuming = true
    hasSentFinish = false
    timer?.set(nil)
    let progress = flow.report()
    hasAcknowledgedFinish = progress.isFinished
    connection.send(.resume(Resume(stream: id.number, progress: progress)))
  }

  /// Called when the other side has said how far it has come. This side continues from there.
  func resumed(_ progress: StreamFlow.Progress) throws(Reason) {
    guard isResuming else { throw .protocolViolation }
    try flow.resumed(progress)
    isResuming = false
    table.counters.streamResumed(of: id.peer.team)
    pump()
    deliver()
    endIfComplete()
  }

  // MARK: From the app to the peer

  /// Sends what the peer did not receive and what the app has written, as far as the window and the connection allow.
  func pump() {
    guard let connection, !isOver, !isResuming, sendAgain(connection) else {
      socket?.isReading = false
      return
    }
    guard !flow.hasFinishedSending else { return sendFinish(connection) }
    guard let socket else { return }
    for _ in 0..<Self.roundsPerEvent {
      guard flow.sendable > 0, connection.hasSpace(for: self) else { return socket.isReading = false }
      let limit = Int(min(flow.sendable, UInt64(DataFrameBuffer.capacity)))
      let count = early.isEmpty ? DataFrameBuffer.fill(from: socket.descriptor, limit) : takeEarly(limit)
      if count > 0 {
        send(count, connection)
        guard !isOver, self.connection != nil else { return }
      } else if count == 0 {
        guard isAppKnown else { return socket.isReading = false }
        return isAbandoned?() == true ? reset(.streamReset) : finishSending(connection)
      } else if errno == EAGAIN || errno == EINTR {
        break
      } else {
        return reset(.streamReset)
      }
    }
    socket.isReading = flow.sendable > 0
  }

  private func takeEarly(_ limit: Int) -> Int {
    let count = early.prefix(limit).withUnsafeBytes { DataFrameBuffer.fill($0) }
    early = early.dropFirst(count)
    return count
  }

  /// Sends bytes that the frame buffer holds, and keeps them until they are acknowledged.
  private func send(_ count: Int, _ connection: PeerConnection) {
    let offset = flow.sentCount
    var place = offset
    DataFrameBuffer.forEachPart(count) { part in
      replay.keep(part, at: place)
      place += UInt64(part.count)
    }
    flow.sent(UInt64(count))
    table.counters.streamMoved(in: 0, out: UInt64(count), of: id.peer.team)
    connection.send(DataFrameBuffer.frames(stream: id.number, offset: offset, count: count))
  }

  /// - Returns: Whether everything that must be sent again has been sent.
  private func sendAgain(_ connection: PeerConnection) -> Bool {
    while flow.repeatable > 0 {
      guard connection.hasSpace(for: self) else { return false }
      let length = Int(min(flow.repeatable, UInt64(DataFrameBuffer.capacity)))
      let count = DataFrameBuffer.fill(replay.bytes(at: flow.repeatOffset, length))
      let frames = DataFrameBuffer.frames(stream: id.number, offset: flow.repeatOffset, count: count)
      flow.repeated(UInt64(count))
      connection.send(frames)
      guard !isOver, self.connection != nil else { return false }
    }
    return true
  }

  private func finishSending(_ connection: PeerConnection) {
    flow.finishSending()
    sendFinish(connection)
  }

  private func sendFinish(_ connection: PeerConnection) {
    socket?.isReading = false
    guard !hasSentFinish else { return }
    hasSentFinish = true
    connection.send(.finish(Finish(stream: id.number, length: flow.sentCount)))
  }

  func receive(_ message: Acknowledge) throws(Reason) {
    try flow.acknowledged(message.progress)
    pump()
    endIfComplete()
  }

  // MARK: From the peer to the app

  /// Takes bytes of the peer. ``deliver()`` passes them to the app.
  func receive(_ frame: DataFrame) throws(Reason) {
    try flow.received(UInt64(frame.bytes.count), at: frame.offset)
    table.counters.streamMoved(in: UInt64(frame.bytes.count), out: 0, of: id.peer.team)
    arrived.append(frame.bytes)
    if arrived.count == Self.partsPerWrite { deliver() }
  }

  func receive(_ message: Finish) throws(Reason) {
    try flow.receivedFinish(length: message.length)
    deliver()
  }

  /// Writes what arrived to the app's socket, and keeps what the socket does not take.
  func deliver() {
    guard !isOver else { return arrived.removeAll() }
    var taken = 0
    if let socket {
      taken = max(0, held.write(to: socket.descriptor))
      guard taken > 0 || held.isEmpty || errno == EAGAIN || errno == EINTR else { return reset(.streamReset) }
    }
    if let socket, held.isEmpty, !arrived.isEmpty {
      let count = ArraySlice.write(arrived, to: socket.descriptor)
      guard count >= 0 || errno == EAGAIN || errno == EINTR else { return reset(.streamReset) }
      taken += max(0, count)
      held.append(arrived, after: max(0, count))
    } else {
      held.append(arrived, after: 0)
    }
    arrived.removeAll(keepingCapacity: true)
    socket?.isWriting = !held.isEmpty
    if let progress = flow.took(UInt64(taken)) {
      connection?.send(.acknowledge(Acknowledge(stream: id.number, progress: progress)))
    }
    if !isOver, flow.hasFinishedReceiving, flow.heldCount == 0 { deliverEnd() }
  }

  /// Ends the app's socket, which has everything. When the app has read all of it, the other side is told.
  private func deliverEnd() {
    guard let socket else { return }
    if !hasDeliveredEnd {
      // Nobody is left to read the end.
      if Sockets.hasHungUp(socket.descriptor) {
        guard isAppKnown else { return }
        guard isAbandoned?() != true else { return reset(.streamReset) }
      }
      hasDeliveredEnd = true
      shutdown(socket.descriptor, Int32(SHUT_WR))
    }
    if !flow.isDelivered {
      switch Sockets.delivery(of: socket.descriptor) {
      case .pending: return watchApp()
      case .failed: return reset(.streamReset)
      case .done: flow.delivered()
      }
    }
    watch?.close()
    if let connection, !hasAcknowledgedFinish {
      hasAcknowledgedFinish = true
      connection.send(.acknowledge(Acknowledge(stream: id.number, progress: flow.report())))
    }
    endIfComplete()
  }

  // MARK: Whether the app is there

  /// Calls ``lookAtApp()`` for the present state, and again whenever the app has read or is gone.
  private func watchApp() {
    guard watch == nil, !isOver, let socket else { return }
    let copy = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return reset(.internalFailure) }
    let watch = Readiness(owning: copy, tellsChanges: true)
    watch.onWritable = { [weak self] in self?.lookAtApp() }
    watch.isWriting = true
    self.watch = watch
  }

  private func lookAtApp() {
    guard !isOver, let socket else { return }
    if flow.hasFinishedReceiving, flow.heldCount == 0 { return deliverEnd() }
    if Sockets.hasHungUp(socket.descriptor), isAbandoned?() == true { reset(.streamReset) }
  }

  /// Whether it is known if the app closed its socket itself or was killed. If not, that will be known in a moment, and
  /// both directions are then checked again.
  private var isAppKnown: Bool {
    guard expectTimer == nil else { return false }
    guard let socket, !hasDeliveredEnd, Sockets.hasHungUp(socket.descriptor), isAwaited?() == true,
      isAbandoned?() != true
    else { return true }
    if exitTimer == nil {
      exitTimer = Timer { [weak self] in
        self?.pump()
        self?.deliver()
      }
      exitTimer?.set(Loop.now + Limits.appExitTime)
    }
    return exitTimer?.deadline == nil
  }

  // MARK: The end

  /// Called when the stream is over and was not complete: the other side gave it up, or no session came.
  func abandon(_ reason: Reason) { end(reason) }

  /// Gives the stream up on this side.
  func reset(_ reason: Reason) {
    guard !isOver else { return }
    connection?.send(.reset(Reset(stream: id.number, reason: reason)))
    end(reason)
  }

  private func endIfComplete() {
    if flow.isComplete { end(nil) }
  }

  private func end(_ reason: Reason?) {
    guard !isOver else { return }
    isOver = true
    (timer, expectTimer, exitTimer) = (nil, nil, nil)
    arrived.removeAll()
    held = HeldBytes()
    replay.clear()
    watch?.close()
    socket?.close()
    let answer: Message =
      if let reason {
        .reset(Reset(stream: id.number, reason: reason))
      } else {
        .resume(Resume(stream: id.number, progress: flow.report()))
      }
    table.ended(id, answer: answer)
    connection?.remove(self)
    onEnd?(reason)
    onEnd = nil
  }
}
