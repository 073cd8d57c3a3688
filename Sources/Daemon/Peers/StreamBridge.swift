import Activity
import Continuation
import EventLoop
import Glibc
import PeerProtocol

/// One continuation stream on this side: the app's socket, and the flow that joins it to the peer's frames, on one
/// session after the other.
@Loop
final class StreamBridge {
  let id: StreamID
  /// The stream is over: nil where both directions are whole. Called once.
  var onEnd: (@Loop (Reason?) -> Void)?
  /// Whether the app is gone although its socket looks as if it had only finished writing.
  var isAbandoned: (@Loop () -> Bool)?
  /// The name under which programs ask how the stream ended.
  var token = ""

  private unowned let table: StreamTable
  /// Nil while the stream waits for the next session.
  private weak var connection: PeerConnection?
  /// The other side has not said yet how far it has come.
  private var isResuming = false
  private var flow: StreamFlow
  private var socket: Readiness?
  /// Bytes of the app that came together with its call.
  private var early: ArraySlice<UInt8> = []
  private var replay = ReplayBuffer()
  /// What came in this batch and was not written yet: parts of the connection's buffer.
  private var arrived: [ArraySlice<UInt8>] = []
  /// What came and the app has not taken: at most the window of the flow.
  private var held: [UInt8] = []
  private var heldStart = 0
  /// What the other side was told in this session.
  private var hasSentFinish = false
  private var hasAcknowledgedFinish = false
  private var isOver = false
  private var timer: Timer?
  /// The app awaited the end of the stream before this daemon came, and has not asked again.
  private var returnTimer: Timer?

  /// Parts that are written at once: a batch of full frames is fewer, and the kernel takes 1,024 (IOV_MAX).
  private static let partsPerWrite = 64
  /// Batches of the app's bytes before others get their turn.
  private static let roundsPerEvent = 4

  /// - Parameter connection: Nil where the session ended since the stream was agreed on.
  init(_ id: StreamID, sendLimit: UInt64, connection: PeerConnection?, table: StreamTable) {
    self.id = id
    self.table = table
    self.connection = connection
    flow = StreamFlow(sendLimit: sendLimit)
    timer = Timer { [weak self] in self?.abandon(.streamInterrupted) }
  }

  /// Goes on with a stream of the daemon before this one; it waits for the next session.
  ///
  /// - Parameter descriptor: The app's socket; owned from here on.
  init(_ saved: SavedStream, socket descriptor: Int32, table: StreamTable) {
    id = saved.id
    token = saved.token
    self.table = table
    flow = saved.flow
    held = saved.held
    timer = Timer { [weak self] in self?.abandon(.streamInterrupted) }
    saved.replay.withUnsafeBytes { replay.keep($0, at: saved.flow.acknowledgedCount) }
    if saved.isAwaited {
      returnTimer = Timer { [weak self] in self?.reset(.streamReset) }
      returnTimer?.set(Loop.now + Limits.streamReturnTime)
    }
    attach(descriptor, early: saved.early)
    suspend()
  }

  /// The app has asked again how the stream ends.
  func appReturned() {
    returnTimer = nil
    pump()
  }

  /// Leaves the stream to the daemon after this one.
  ///
  /// - Returns: Nil where there is nothing to leave.
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
      isAwaited: isAwaited || returnTimer != nil,
      flow: flow,
      replay: Array(first) + Array(replay.bytes(at: flow.acknowledgedCount + UInt64(first.count), rest)),
      early: Array(early),
      held: Array(held.dropFirst(heldStart))
    )
    isOver = true
    (timer, returnTimer, onEnd) = (nil, nil, nil)
    socket.close()
    connection?.remove(self)
    return (saved, descriptor)
  }

  /// Joins the app's socket. What came before waits for it.
  ///
  /// - Parameters:
  ///   - descriptor: Non-blocking; owned from here on.
  ///   - early: Bytes of the app that were read already.
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

  /// The session is gone; the next one is waited for.
  func suspend() {
    guard !isOver else { return }
    deliver()
    connection = nil
    guard !isOver else { return }
    socket?.isReading = false
    table.suspend(self)
    timer?.set(Loop.now + Limits.streamResumeTime)
  }

  /// Tells the other side, on a new session, how far this one has come.
  func resume(on connection: PeerConnection) {
    self.connection = connection
    isResuming = true
    hasSentFinish = false
    timer?.set(nil)
    let progress = flow.report()
    hasAcknowledgedFinish = progress.isFinished
    connection.send(.resume(Resume(stream: id.number, progress: progress)))
  }

  /// The other side says how far it has come: this one goes on from there.
  func resumed(_ progress: StreamFlow.Progress) throws(Reason) {
    guard isResuming else { throw .protocolViolation }
    try flow.resumed(progress)
    isResuming = false
    table.counters?.streamResumed(of: id.peer.team)
    pump()
    deliver()
    endIfComplete()
  }

  // MARK: From the app to the peer

  /// Sends what the peer did not get, and what the app has written, as far as the window and the connection allow.
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
        guard returnTimer == nil else { return socket.isReading = false }
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
    table.counters?.streamMoved(in: 0, out: UInt64(count), of: id.peer.team)
    connection.send(DataFrameBuffer.frames(stream: id.number, offset: offset, count: count))
  }

  /// - Returns: Whether everything that is to be sent again was.
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

  /// Takes bytes of the peer; they go to the app with ``deliver()``.
  func receive(_ frame: DataFrame) throws(Reason) {
    try flow.received(UInt64(frame.bytes.count), at: frame.offset)
    table.counters?.streamMoved(in: UInt64(frame.bytes.count), out: 0, of: id.peer.team)
    arrived.append(frame.bytes)
    if arrived.count == Self.partsPerWrite { deliver() }
  }

  func receive(_ message: Finish) throws(Reason) {
    try flow.receivedFinish(length: message.length)
    deliver()
  }

  /// Writes what came to the app's socket, and keeps what that does not take.
  func deliver() {
    guard !isOver else { return arrived.removeAll() }
    var taken = 0
    var isBlocked = socket == nil
    if let socket, heldCount > 0 {
      taken = held.withUnsafeBytes { write(socket.descriptor, $0.baseAddress?.advanced(by: heldStart), heldCount) }
      if taken < 0 {
        guard errno == EAGAIN || errno == EINTR else { return reset(.streamReset) }
        taken = 0
      }
      heldStart += taken
      isBlocked = heldCount > 0
    }
    if let socket, !isBlocked, !arrived.isEmpty {
      let count = ArraySlice.write(arrived, to: socket.descriptor)
      guard count >= 0 || errno == EAGAIN || errno == EINTR else { return reset(.streamReset) }
      taken += max(0, count)
      keep(arrived, after: max(0, count))
    } else {
      keep(arrived, after: 0)
    }
    arrived.removeAll(keepingCapacity: true)
    socket?.isWriting = heldCount > 0
    if let progress = flow.took(UInt64(taken)) {
      connection?.send(.acknowledge(Acknowledge(stream: id.number, progress: progress)))
    }
    if !isOver, flow.hasFinishedReceiving, flow.heldCount == 0 { deliverEnd() }
  }

  /// The app has everything: its socket ends, and the other side is told.
  private func deliverEnd() {
    guard let socket else { return }
    shutdown(socket.descriptor, Int32(SHUT_WR))
    if let connection, !hasAcknowledgedFinish {
      hasAcknowledgedFinish = true
      connection.send(.acknowledge(Acknowledge(stream: id.number, progress: flow.report())))
    }
    endIfComplete()
  }

  private var heldCount: Int { held.count - heldStart }

  private func keep(_ slices: [ArraySlice<UInt8>], after count: Int) {
    if heldCount == 0 {
      heldStart = 0
      held.removeAll()
    } else if heldStart > held.count / 2 {
      held.removeFirst(heldStart)
      heldStart = 0
    }
    var skipped = count
    for slice in slices {
      let part = slice.dropFirst(skipped)
      skipped = max(0, skipped - slice.count)
      held += part
    }
  }

  // MARK: The end

  /// The stream is over and was not whole: the other side gave it up, or no session came.
  func abandon(_ reason: Reason) { end(reason) }

  /// This side gives the stream up.
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
    (timer, returnTimer) = (nil, nil)
    arrived.removeAll()
    held = []
    replay.clear()
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

extension ArraySlice<UInt8> {
  /// Writes the slices as one.
  ///
  /// - Returns: How many bytes were taken; -1 with `errno`.
  fileprivate static func write(_ slices: [ArraySlice<UInt8>], to descriptor: Int32) -> Int {
    var vectors: [iovec] = []
    vectors.reserveCapacity(slices.count)
    return gather(slices[...], &vectors) { writev(descriptor, $0, Int32(clamping: $0.count)) }
  }

  /// Calls `body` with a vector for each slice, all of them pinned.
  private static func gather(
    _ slices: ArraySlice<ArraySlice<UInt8>>,
    _ vectors: inout [iovec],
    _ body: ([iovec]) -> Int
  ) -> Int {
    guard let slice = slices.first else { return body(vectors) }
    return slice.withUnsafeBytes { bytes in
      vectors.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
      return gather(slices.dropFirst(), &vectors, body)
    }
  }
}
