// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS

/// A connection with a peer, and what it carries: what both sides say in their session, and its streams.
@Loop
final class PeerConnection {
  /// The time after which it is looked again whether the session has something else to send.
  nonisolated static let indexMessageRetryTime = Duration.milliseconds(50)

  /// How many bytes a stream may send although the connection takes no more, if it has sent all it had before. More is
  /// no keystroke.
  private static let urgentLength = 1024

  enum Event {
    /// Both sides have accepted the session.
    case ready(Hello)
    /// A message has arrived, which is not the session's own, and belongs to no open stream.
    case message(Message)
    /// The session is over, and its streams were suspended or ended. This is the last event.
    case ended(Reason)
  }

  let peer: PeerID
  /// Whether this side dialled.
  let isDialler: Bool
  private(set) var hello: Hello?
  /// What both sides know about each other's revocation lists; nil before it is ready.
  var revocations: RevocationExchange?
  /// What both sides know about certificates and the team's key.
  var administration = AdministrationExchange()
  /// How far the peer's clock was ahead of this machine's at its hello, in seconds; nil if it has not said.
  private(set) var clockSkew: Double?
  /// When the session became ready.
  private(set) var readySince: ContinuousClock.Instant?
  /// When something other than signs of life and index messages was last exchanged.
  private(set) var lastUse = Loop.now
  private var onEvent: @Loop (PeerConnection, Event) -> Void
  private let connection: TLSConnection
  private var session: PeerSession
  private var streams: [UInt32: StreamBridge] = [:]
  /// Streams that wait until the connection takes more, the longest waiting first.
  private var waiting: [StreamBridge] = []
  private var timer: Timer?
  /// The streams whose bytes have arrived in this batch, and in this turn.
  private var received: [StreamBridge] = []
  private var unsettled: [StreamBridge] = []
  private var turns = StreamTurns()
  private var indexFrames = IndexFrames(at: Loop.now)
  private var indexTimer: Timer?
  private let budget: MessageBudget
  private unowned let table: StreamTable

  /// - Parameters:
  ///   - connection: An established connection. This object takes ownership.
  ///   - hello: What this side says about itself.
  ///   - budget: What the peer may still say, on this and other connections.
  ///   - onEvent: Not called before ``start()``.
  init(
    _ connection: TLSConnection,
    peer: PeerID,
    isDialler: Bool,
    hello: Hello,
    streams table: StreamTable,
    budget: MessageBudget,
    onEvent: @escaping @Loop (PeerConnection, Event) -> Void
  ) {
    self.onEvent = onEvent
    self.table = table
    self.budget = budget
    self.connection = connection
    self.peer = peer
    self.isDialler = isDialler
    session = PeerSession(hello: hello, isRelayed: connection.isRelayed)
  }

  /// Begins the session.
  func start() {
    timer = Timer { [weak self] in self?.handle(.wake) }
    connection.handOver { [weak self] event in self?.handle(event) }
    handle(.opened)
  }

  /// Calls `body` once, when the connection is closed: the peer has read everything, did not do so in time, or is gone.
  func whenClosed(_ body: @escaping @Loop () -> Void) { connection.whenClosed(body) }

  var address: SocketAddress? { connection.address }

  /// Whether it goes through a relay. The address is the relay's.
  var isRelayed: Bool { connection.isRelayed }

  /// The certificate that the peer has shown.
  var certificate: Certificate? { connection.tls.peerCertificate }

  var isReady: Bool { session.isReady }

  var streamCount: Int { streams.count }

  func send(_ message: Message) { sendFrame(message.frame) }

  func send(_ message: some MessageBody) { sendFrame(message.frame) }

  private func sendFrame(_ frame: [UInt8]) {
    lastUse = Loop.now
    connection.send(frame)
  }

  /// Encrypts frames, which ``flush()`` sends.
  func add(_ frames: UnsafeRawBufferPointer) { connection.add(frames) }

  func flush() { connection.flush() }

  /// The time of a round trip: as the kernel has measured it, or as long as the peer's last answer has taken, because
  /// the kernel knows only the way to a relay.
  var roundTrip: Duration { isRelayed ? answerTime ?? connection.roundTrip : connection.roundTrip }
  private var answerTime: Duration?
  private var asked = Loop.now

  /// Sends a message about the search index when the session has nothing else to send.
  ///
  /// - Returns: False if too many wait.
  func send(_ message: Index) -> Bool {
    guard indexFrames.add(message.frame, at: Loop.now) else { return false }
    sendIndexMessages()
    return true
  }

  private func sendIndexMessages() {
    guard !indexFrames.isEmpty else { return }
    let now = Loop.now
    while let frame = indexFrames.next(untaken: connection.untakenCount, hasSpace: connection.space > 0, at: now) {
      connection.send(frame)
    }
    let timer = indexTimer ?? Timer { [weak self] in self?.sendIndexMessages() }
    indexTimer = timer
    timer.set(indexFrames.isEmpty ? nil : now + Self.indexMessageRetryTime)
  }

  /// Ends the session and tells the peer why.
  func leave(_ reason: Reason) { handle(.leave(reason)) }

  /// Ends the session soon, unless the peer gives a sign of life.
  func probe() { handle(.probe) }

  // MARK: Streams

  /// - Returns: Nil if too many streams are open, or there is no memory for what the peer may send.
  func addStream(_ number: UInt32, of user: UserID, _ limits: FirstLimits) -> StreamBridge? {
    guard streams.count < table.memory.budget.streamsPerPeer, streams[number] == nil else { return nil }
    let id = StreamID(peer: peer, number: number)
    guard let bridge = StreamBridge(id, of: user, limits, connection: self, table: table) else { return nil }
    add(bridge)
    return bridge
  }

  /// Continues a stream of an earlier session.
  func resume(_ bridge: StreamBridge) {
    add(bridge)
    bridge.resume(on: self)
  }

  private func add(_ bridge: StreamBridge) {
    streams[bridge.id.number] = bridge
    connection.isForStreams = true
  }

  func remove(_ bridge: StreamBridge) {
    streams[bridge.id.number] = nil
    waiting.removeAll { $0 === bridge }
    turns.forget(bridge.id.number)
    if streams.isEmpty {
      connection.isForStreams = false
      connection.trim()
    }
  }

  /// How many bytes the stream may send: its share of what the connection takes. If it is 0, the stream is pumped once
  /// it may.
  ///
  /// - Parameter isFirst: Whether it is the first time in this turn of the stream. A stream that has had its share
  ///   waits until others that wait have had theirs.
  func space(for bridge: StreamBridge, isFirst: Bool) -> Int {
    let all = waiting.isEmpty || isFirst ? connection.space : 0
    let space = max(all / (waiting.count + 1), min(all, DataFrame.maximumCount))
    guard space == 0, !waiting.contains(where: { $0 === bridge }) else { return space }
    if isFirst, connection.hasUrgentSpace { return Self.urgentLength }
    waiting.append(bridge)
    return 0
  }

  /// How many batches of its app's bytes a stream may send before others get their turn.
  var batchesPerTurn: Int { turns.length(onLongPath: connection.isLong) }

  /// Call it when a stream has sent something in its turn.
  func noteTurn(of bridge: StreamBridge, count: UInt64) {
    guard count > Self.urgentLength else { return }
    turns.note(bridge.id.number)
    connection.sendsForSeveral = turns.isShared
  }

  var openStreams: [StreamBridge] { Array(streams.values) }

  func resetStreams(_ reason: Reason) {
    for bridge in Array(streams.values) { bridge.reset(reason) }
  }

  private func resumeStreams() {
    for _ in 0..<waiting.count where !waiting.isEmpty { waiting.removeFirst().pump() }
    if !waiting.isEmpty { connection.awaitSpace() }
  }

  // MARK: Events

  private func handle(_ event: TLSConnection.Event) {
    switch event {
    case .established: break
    case .frame(let frame): receive(frame)
    case .batchEnd: endBatch()
    case .turnEnd: endTurn()
    case .violation(let reason): handle(.leave(reason))
    case .space:
      sendIndexMessages()
      resumeStreams()
    case .ended(let reason): connectionEnded(reason)
    }
  }

  private func receive(_ frame: FrameDecoder.Frame) {
    do throws(Reason) {
      if frame.type == DataFrame.type {
        guard session.isReady else { throw .protocolViolation }
        let data = try DataFrame(payload: frame.payload)
        let bridge = received.last?.id.number == data.stream ? received.last : streams[data.stream]
        charge(MessageBudget.cost(ofData: frame.payload.count, isExpected: bridge != nil))
        if let bridge {
          if received.last !== bridge { received.append(bridge) }
          try bridge.receive(data)
        }
      } else {
        charge(MessageBudget.cost(ofType: frame.type, length: frame.payload.count))
        guard frame.type != Index.type || budget.takesIndexMessage() else { return }
        guard let message = try Message(type: frame.type, payload: frame.payload) else { return }
        if case .session(.pong) = message { answerTime = asked.duration(to: Loop.now) }
        handle(.received(message))
      }
    } catch { handle(.leave(error)) }
  }

  /// Charges the peer for what it said. If that was more than there is time for, the peer is read again later.
  private func charge(_ cost: Double) {
    if let instant = budget.charge(cost) { connection.pause(until: instant) }
  }

  private func endBatch() {
    guard !received.isEmpty else { return }
    handle(.receivedData)
    let bridges = received
    received.removeAll(keepingCapacity: true)
    for bridge in bridges {
      bridge.deliver()
      if unsettled.last !== bridge { unsettled.append(bridge) }
    }
  }

  private func endTurn() {
    guard !unsettled.isEmpty else { return }
    let bridges = unsettled
    unsettled.removeAll(keepingCapacity: true)
    connection.receivesForSeveral = bridges.contains { $0 !== bridges[0] }
    for bridge in bridges { bridge.settle() }
  }

  private func connectionEnded(_ reason: Reason) {
    finish(reason)
    _ = session.handle(.lost, at: Loop.now)
  }

  private func handle(_ event: PeerSession.Event) {
    for effect in session.handle(event, at: Loop.now) { perform(effect) }
  }

  private func perform(_ effect: PeerSession.Effect) {
    switch effect {
    case .send(let message):
      if case .hello = message { asked = Loop.now }
      if case .ping = message { asked = Loop.now }
      connection.send(message.frame)
    case .ready(let hello):
      self.hello = hello
      clockSkew = hello.time.map { Double($0) - Loop.clock.date }
      readySince = Loop.now
      answerTime = asked.duration(to: Loop.now)
      onEvent(self, .ready(hello))
    case .deliver(let message): deliver(message)
    case .end(let reason):
      connection.finish()
      finish(reason)
    case .wake(let instant): timer?.set(instant)
    }
  }

  private func deliver(_ message: Message) {
    if case .index = message { return onEvent(self, .message(message)) }
    lastUse = Loop.now
    do throws(Reason) {
      if case .stream(let message) = message, try take(message) { return }
      onEvent(self, .message(message))
    } catch { handle(.leave(error)) }
  }

  /// Takes a message about a stream that is open or was, or that must be.
  ///
  /// - Returns: False if it is about a stream that is not open here yet.
  private func take(_ message: StreamMessage) throws(Reason) -> Bool {
    switch message {
    case .open(let open):
      // The opener has not heard that the stream was accepted.
      return try pass(message, to: open.stream)
    case .opened: return false
    case .resume(let resume):
      if try pass(message, to: resume.stream) { return true }
      guard let answer = table.answer(for: StreamID(peer: peer, number: resume.stream)) else { return false }
      send(.stream(answer))
      return true
    case .acknowledge(let acknowledge): _ = try pass(message, to: acknowledge.stream)
    case .finish(let finish):
      // The bytes before it are still in this batch.
      _ = try pass(message, to: finish.stream)
    case .reset(let reset): return try pass(message, to: reset.stream)
    }
    return true
  }

  /// - Returns: Whether the stream is open.
  private func pass(_ message: StreamMessage, to stream: UInt32) throws(Reason) -> Bool {
    guard let bridge = streams[stream] else { return false }
    try bridge.receive(message)
    return true
  }

  private func finish(_ reason: Reason) {
    timer?.set(nil)
    indexTimer = nil
    for bridge in Array(streams.values) {
      reason.isLoss ? bridge.suspend() : bridge.abandon(.streamInterrupted)
    }
    (streams, waiting, received, unsettled) = ([:], [], [], [])
    let onEvent = onEvent
    self.onEvent = { _, _ in }
    onEvent(self, .ended(reason))
  }
}

extension Reason {
  /// Whether a session that ended for this reason was lost, so that the next one continues its streams.
  fileprivate var isLoss: Bool {
    switch self {
    case .peerUnreachable, .peerTimedOut, .duplicateSession, .shuttingDown, .sessionIdle: true
    default: false
    }
  }
}
