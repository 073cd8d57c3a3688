// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Handoff
import TLS

/// A TCP connection, the TLS session on it, and the frames that come out of it.
@Loop
final class TLSConnection {
  /// The time from the start of a connection to the end of the TLS handshake. A local network answers in milliseconds.
  nonisolated static let handshakeTime = Duration.seconds(5)
  /// The number of bytes of ciphertext that may wait before the peer counts as stalled and the session ends. Control
  /// messages may exceed the limit above.
  private static let peerSendQueueMaximum = 4 * 1024 * 1024

  private enum Phase { case handshaking, established, closing, closed }

  let tls: TLSEngine
  let address: SocketAddress?
  /// Whether it goes through a relay. The address is the relay's.
  let isRelayed: Bool
  private var onEvent: @Loop (Event) -> Void
  /// Called when the descriptor is closed.
  private var whenClosed: [@Loop () -> Void] = []
  private let readiness: Readiness
  private var decoder = FrameDecoder()
  private var phase = Phase.handshaking
  private var deadline: Timer?
  private var isFull = false
  private var path: PathControl
  /// Whether what arrived is being handled. What is sent in the meantime goes out at the end.
  private var isReadingTurn = false
  private var turnStart = ContinuousClock.now
  private var isTurnOver: Bool { ContinuousClock.now - turnStart > Self.timePerTurn }
  /// What was sent goes out at the end of this turn of the loop.
  private var isFlushing = false
  /// Writing failed, and the connection ends in the next turn of the loop.
  private var isEnding = false
  /// Nothing is read while it runs.
  private var pauseTimer: Timer?
  /// Whether many bytes may be read at a time. Only streams need that.
  var isForStreams = false
  /// Whether what arrives belongs to several streams.
  var receivesForSeveral = false
  /// Whether what is sent belongs to several streams.
  var sendsForSeveral: Bool {
    get { path.isShared }
    set { path.isShared = newValue }
  }
  /// Whether the path is long, as far as it is known.
  var isLong: Bool { path.isLong }
  /// How many bytes are read at a time: more while much arrives, few while a session only waits.
  private var batchLength = smallBatch
  /// How often in a row little arrived.
  private var quietTurns = 0

  private static let smallBatch = 16 * 1024
  /// One stream's bytes are still in the processor's cache when they are written to its app. Those of several streams
  /// are written in larger pieces instead, because each piece wakes an app.
  private static let largeBatch = 128 * 1024
  private static let sharedBatch = 512 * 1024
  /// The number of quiet turns after which the memory for large batches is freed.
  private static let quietTurnsKept = 16
  /// How long the other side may take to read the last message and end its side. The time starts again while its kernel
  /// takes what is left. It never exceeds the longest time, which only a side that has proved its identity gets.
  private static let lingerTime = Duration.seconds(1)
  private static let longestLingerTime = Duration.seconds(3)
  /// How many bytes are read, and how long what they say is handled, before other connections get their turn.
  private static let lengthPerEvent = 512 * 1024
  private static let timePerTurn = Duration.milliseconds(5)
  /// The number of frames after which it looks at the time.
  private static let framesPerLook = 32
  private static let discardLength = 64 * 1024
  /// Keeps this object alive while it closes, even if nobody else holds it.
  private var selfWhileClosing: TLSConnection?
  /// The latest time at which a closing connection is closed, and what the other side had not taken at the last check.
  private var lastMoment = Loop.now
  private var untaken = 0

  /// - Parameters:
  ///   - descriptor: A connected, non-blocking socket. This object takes ownership.
  ///   - onEvent: Not called before ``start(received:)``.
  init(
    owning descriptor: Int32,
    address: SocketAddress?,
    isRelayed: Bool = false,
    tls: TLSEngine,
    onEvent: @escaping @Loop (Event) -> Void
  ) {
    self.isRelayed = isRelayed
    self.tls = tls
    self.address = address
    self.onEvent = onEvent
    readiness = Readiness(owning: descriptor)
    Sockets.configurePeerConnection(descriptor)
    path = PathControl(descriptor)
  }

  /// Tells another receiver what happens from now on.
  func handOver(to onEvent: @escaping @Loop (Event) -> Void) {
    if phase != .closing, phase != .closed { self.onEvent = onEvent }
  }

  /// Calls `body` once, when the descriptor is closed, whichever side ends the connection. `Event.ended` comes later.
  func whenClosed(_ body: @escaping @Loop () -> Void) {
    phase == .closed ? body() : whenClosed.append(body)
  }

  /// Starts to wait for events.
  ///
  /// - Parameter received: What was already read from the connection.
  func start(received: [UInt8] = []) {
    deadline = Timer { [weak self] in self?.deadlinePassed() }
    deadline?.set(Loop.now + Self.handshakeTime)
    readiness.onReadable = { [weak self] in self?.readable() }
    readiness.onWritable = { [weak self] in self?.writable() }
    readiness.isReading = true
    do {
      if !received.isEmpty { try received.withUnsafeBytes { try tls.receive($0) } }
      try giveOut()
    } catch { return fail(error) }
    flush()
  }

  var isEstablished: Bool { phase == .established }

  /// How many bytes streams may add to the output now. If it is 0, `Event.space` follows.
  ///
  /// What waits in the kernel delays everything after it. So there is only as much as is sent in a few milliseconds.
  var space: Int {
    if isFlushing { flush() }
    guard tls.pendingOutput == 0 else {
      awaitSpace()
      return 0
    }
    let space = path.space
    if space == 0 { awaitSpace() }
    return space
  }

  /// Whether a stream may add a few bytes although there is no space, so that a keystroke need not wait.
  var hasUrgentSpace: Bool { phase == .established && tls.pendingOutput < UnsentLimit.lengths.lowerBound }

  /// Makes `Event.space` follow when there is space, even if there is some now.
  func awaitSpace() {
    guard phase == .established, !isEnding else { return }
    path.noteFull()
    isFull = true
    readiness.isWriting = true
  }

  /// Encrypts whole frames, which ``flush()`` sends.
  func add(_ frames: UnsafeRawBufferPointer) {
    guard phase == .established else { return }
    do {
      try tls.write(frames)
    } catch { endSoon(error.reason) }
  }

  /// Encrypts a frame, which is sent at the end of this turn of the loop, with others.
  func send(_ frame: [UInt8]) {
    frame.withUnsafeBytes { add($0) }
    guard !isReadingTurn, !isFlushing, phase == .established else { return }
    isFlushing = true
    Task { @Loop in
      isFlushing = false
      flush()
    }
  }

  /// Frees memory that is needed only while streams run.
  func trim() {
    batchLength = Self.smallBatch
    quietTurns = 0
    decoder.trim()
    tls.trim()
  }

  /// The time of a round trip, as the kernel has measured it.
  var roundTrip: Duration { path.roundTrip }

  /// Reads nothing until `instant`. What the other side sends waits, and eventually the other side has to wait, too.
  func pause(until instant: ContinuousClock.Instant) {
    guard phase == .established else { return }
    let timer = pauseTimer ?? Timer { [weak self] in self?.resume() }
    pauseTimer = timer
    timer.set(instant)
    readiness.isReading = false
  }

  private var isPaused: Bool { pauseTimer?.deadline != nil }

  /// Handles what arrived before the pause, and only then reads more. The decoder never holds more than one batch and a
  /// partial frame.
  private func resume() {
    guard phase == .established else { return }
    turnStart = .now
    do { try giveOut() } catch { return fail(error) }
    guard phase == .established, !isPaused else {
      onEvent(.turnEnd)
      return flush()
    }
    readiness.isReading = true
    readable()
  }

  /// Sends what is queued, says that nothing follows, and closes.
  func finish() {
    onEvent = { _ in }
    guard phase == .established || phase == .handshaking else { return }
    let wasEstablished = phase == .established
    phase = .closing
    isFull = false
    selfWhileClosing = self
    pauseTimer = nil
    readiness.isReading = true
    if wasEstablished { tls.close() }
    flush()
    guard phase == .closing else { return }
    untaken = untakenCount
    lastMoment = Loop.now + (wasEstablished ? Self.longestLingerTime : Self.lingerTime)
    deadline?.set(Loop.now + Self.lingerTime)
  }

  /// How many bytes the other side's kernel has not taken.
  var untakenCount: Int { tls.pendingOutput + Sockets.untakenCount(readiness.descriptor) }

  /// Continues closing if the other side takes what is left; otherwise stops waiting.
  private func lingerOn() {
    let left = untakenCount
    guard left > 0, left < untaken, Loop.now < lastMoment else { return close() }
    untaken = left
    deadline?.set(min(Loop.now + Self.lingerTime, lastMoment))
  }

  /// Closes immediately and without a message.
  func abandon() { close() }

  // MARK: Events

  private func deadlinePassed() {
    switch phase {
    case .handshaking: end(.handshakeTimedOut)
    case .closing: lingerOn()
    case .established, .closed: break
    }
  }

  private func readable() {
    guard phase != .closing else { return discard() }
    let descriptor = readiness.descriptor
    isReadingTurn = true
    turnStart = .now
    defer { isReadingTurn = false }
    var total = 0
    while total < Self.lengthPerEvent {
      var isOver = false
      let length = batchLength
      var count = 0
      do {
        try tls.receive(upTo: length) { space in
          count = read(descriptor, space.baseAddress, space.count)
          isOver = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
          return max(0, count)
        }
        try giveOut()
      } catch { return fail(error) }
      if isOver { return phase == .closing ? close() : end(.peerUnreachable) }
      adaptBatch(to: count)
      total += count
      guard count == length, phase == .established || phase == .handshaking, !isPaused, !isTurnOver else { break }
    }
    onEvent(.turnEnd)
    flush()
  }

  private func adaptBatch(to count: Int) {
    if count >= Self.smallBatch {
      quietTurns = 0
      if isForStreams { batchLength = receivesForSeveral ? Self.sharedBatch : Self.largeBatch }
    } else if batchLength > Self.smallBatch {
      quietTurns += 1
      if quietTurns > Self.quietTurnsKept { trim() }
    }
  }

  private func fail(_ error: any Error) {
    if phase == .established, let reason = error as? Reason {
      onEvent(.violation(reason))
      guard phase == .established else { return }
    }
    // The alert that tells the other side is sent first.
    flush()
    phase == .closing ? close() : end((error as? TLSError)?.reason ?? error as? Reason ?? .protocolViolation)
  }

  /// Discards what the other side still sends, until it ends, too.
  private func discard() {
    withUnsafeTemporaryAllocation(byteCount: Self.discardLength, alignment: 1) { space in
      for _ in 0..<Self.lengthPerEvent / Self.discardLength {
        let count = read(readiness.descriptor, space.baseAddress, space.count)
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { return close() }
        if count < space.count { return }
      }
    }
  }

  private func giveOut() throws {
    guard tls.isEstablished else { return }
    if phase == .handshaking {
      phase = .established
      deadline?.set(nil)
      onEvent(.established)
    }
    var count = 0
    while phase == .established, !isPaused {
      while phase == .established, !isPaused, let frame = try decoder.next() {
        onEvent(.frame(frame))
        count += 1
        // Small messages take much longer than their bytes say.
        if count % Self.framesPerLook == 0, !isPaused, isTurnOver {
          pause(until: Loop.now)
        }
      }
      onEvent(.batchEnd)
      guard phase == .established, !isPaused else { break }
      let count = try decoder.receive(upTo: batchLength) { buffer, space throws(TLSError) in
        try buffer.withUnsafeMutableBytes { bytes throws(TLSError) in
          try tls.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[space]))
        }
      }
      guard count > 0 else { break }
    }
    if !isForStreams { decoder.trim() }
    if tls.isEnded, phase == .established, !isPaused { end(.peerUnreachable) }
  }

  private func writable() {
    path.adapt()
    flush()
    guard isFull, phase == .established, tls.pendingOutput == 0 else { return }
    isFull = false
    onEvent(.space)
    readiness.isWriting = tls.pendingOutput > 0 || isFull
  }

  /// Writes encrypted bytes, as far as the kernel takes them.
  func flush() {
    guard phase != .closed, !isEnding else { return }
    if tls.pendingOutput > 0 { path.noteSending() }
    var failed = false
    while tls.pendingOutput > 0, !failed {
      var taken = 0
      tls.withOutput { bytes in
        let count = write(readiness.descriptor, bytes.baseAddress, bytes.count)
        if count < 0, errno != EAGAIN, errno != EINTR { failed = true }
        taken = max(0, count)
        return taken
      }
      if taken == 0 { break }
    }
    if failed { return endSoon(.peerUnreachable) }
    readiness.isWriting = tls.pendingOutput > 0 || isFull
    if phase == .closing, tls.pendingOutput == 0 { shutdown(readiness.descriptor, Int32(SHUT_WR)) }
    if tls.pendingOutput > Self.peerSendQueueMaximum { return endSoon(.peerTimedOut) }
  }

  /// Ends the connection in the next turn of the loop. A session must not end within a call that sends something on it.
  private func endSoon(_ reason: Reason) {
    guard !isEnding else { return }
    isEnding = true
    readiness.isWriting = false
    Task { @Loop in end(reason) }
  }

  private func end(_ reason: Reason) {
    guard phase != .closed else { return }
    let onEvent = onEvent
    close()
    onEvent(.ended(reason))
  }

  private func close() {
    phase = .closed
    deadline = nil
    pauseTimer = nil
    selfWhileClosing = nil
    readiness.close()
    onEvent = { _ in }
    let bodies = whenClosed
    whenClosed = []
    for body in bodies { body() }
  }
}
