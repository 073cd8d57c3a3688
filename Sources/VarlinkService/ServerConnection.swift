import Activity
import EventLoop
import Glibc
import Varlink

/// One client of a `VarlinkServer`: its socket, what it has sent, and what it has not taken yet.
@Loop
final class ServerConnection {
  /// The call that is being handled. Its handler owns the exchange, and answers the call at the latest by releasing the
  /// exchange.
  private struct PendingCall {
    let mode: Call.Mode
    weak var exchange: AnyExchange?
  }

  private struct Upgrade {
    let exchange: AnyExchange
    let completion: @Loop (Int32, [UInt8]) -> Void
  }

  /// The number of bytes to read at a time.
  private static let readLength = 64 * 1024
  /// How often to check a client from which nothing is read, because epoll reports its end only to those who read.
  private static let hangupInterval = Duration.seconds(1)
  /// The time within which a new client is expected to make its first call. A stopping server waits that long for the
  /// call, and answers it.
  private static let firstCallTime = Duration.seconds(1)

  let user: uid_t
  private weak var server: VarlinkServer?
  private let limits: ServerLimits
  private let readiness: Readiness
  private var decoder: MessageDecoder
  private var output = OutputQueue()
  private var pending: PendingCall?
  private var upgrade: Upgrade?
  private var hangupTimer: Timer?
  private var firstCallTimer: Timer?
  private let firstCallDeadline = Loop.now + ServerConnection.firstCallTime
  private var hasCalled = false

  /// Whether the client sends nothing more.
  private var inputEnded = false
  /// Whether the client no longer sends or reads. Bytes that it sent before may still have to be read.
  private var isGone = false
  private var dropReason: DropReason?
  private var isStopping = false
  private(set) var isClosed = false
  /// Whether the server handles the next calls after others have had their turn.
  private var waitsForTurn = false
  /// Whether bytes have arrived since the decoder last had no whole message.
  private var mayHaveCall = false
  private var isAdvancing = false
  private var willAdvance = false

  init(owning descriptor: Int32, user: uid_t, server: VarlinkServer) {
    self.user = user
    self.server = server
    limits = server.limits
    decoder = MessageDecoder(limit: limits.messageLength)
    readiness = Readiness(owning: descriptor)
    readiness.onReadable = { [weak self] in self?.onTimeOfUser { $0.readable() } }
    readiness.onWritable = { [weak self] in self?.onTimeOfUser { $0.writable() } }
    readiness.isReading = true
  }

  // MARK: What an exchange does

  var hasOutput: Bool { !output.isEmpty }
  /// Bytes that wait until the client reads; none of a client that is being dropped.
  var unreadCount: Int { dropReason == nil ? output.count : 0 }

  /// Remembers the exchange of the call that is being dispatched.
  func begin(_ exchange: AnyExchange) { pending = PendingCall(mode: exchange.mode, exchange: exchange) }

  func send(_ reply: Reply) {
    if reply.error != nil { server?.onError?() }
    guard !isClosed, !isGone, dropReason == nil else { return }
    output.append(reply.bytes)
    output.append(CollectionOfOne(0))
    write()
    if output.count > limits.sendQueueLength || hasOutput && server?.leavesTooMuchUnread(user) == true {
      dropReason = .notReading
    }
    readiness.isWriting = !output.isEmpty
    if isGone || dropReason != nil { advanceSoon() }
  }

  /// Called when the pending call has been answered.
  func finish() {
    pending = nil
    advanceSoon()
  }

  /// Hands the socket over when the output has been written.
  func upgrade(_ exchange: AnyExchange, completion: @escaping @Loop (Int32, [UInt8]) -> Void) {
    upgrade = Upgrade(exchange: exchange, completion: completion)
    advanceSoon()
  }

  // MARK: What the server does

  /// Begins no further calls, except the first one of a client that has just connected. Closes the connection when the
  /// output has been written.
  func stop() {
    isStopping = true
    if isNew {
      firstCallTimer = Timer { [weak self] in self?.advance() }
      firstCallTimer?.set(firstCallDeadline)
    }
    advanceSoon()
  }

  /// Handles the connection's calls, because it is its turn, until they have occupied the loop for long enough.
  func takeTurn() {
    waitsForTurn = false
    guard !isClosed else { return }
    onTimeOfUser { $0.advance(hasTurn: true) }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    hangupTimer = nil
    firstCallTimer = nil
    readiness.close()
    let exchange = upgrade?.exchange ?? pending?.exchange
    upgrade = nil
    pending = nil
    output = OutputQueue()
    server?.connectionClosed(self, dropReason)
    exchange?.clientWentAway()
  }

  // MARK: Events

  private func onTimeOfUser(_ body: (ServerConnection) -> Void) {
    guard let server else { return body(self) }
    server.onTime(of: user) { body(self) }
  }

  private func readable() {
    guard readiness.isReading, !isClosed else { return }
    let (count, error) = withUnsafeTemporaryAllocation(byteCount: Self.readLength, alignment: 1) { buffer in
      let count = recv(readiness.descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 {
        decoder.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        mayHaveCall = true
      }
      return (count, errno)
    }
    if count < 0, error == EAGAIN || error == EINTR { return }
    inputEnded = count <= 0
    if count < 0 || hasHungUp { hangUp() }
    advance()
  }

  private func writable() {
    write()
    advance()
  }

  private func write() {
    if !output.write(to: readiness.descriptor) { hangUp() }
  }

  /// Whether the client has hung up. A client that closed its socket has; one that only shut down its sending direction
  /// has not.
  var hasHungUp: Bool {
    var entry = pollfd(fd: readiness.descriptor, events: 0, revents: 0)
    return isGone || isClosed || poll(&entry, 1, 0) > 0
  }

  private func hangUp() {
    isGone = true
    output = OutputQueue()
  }

  /// Advances later, so that no handler is called from within a call that another one makes.
  private func advanceSoon() {
    guard !isAdvancing, !willAdvance, !isClosed else { return }
    // This is the usual end of a call, with nothing left to do.
    if pending == nil, upgrade == nil, decoder.count == 0, dropReason == nil, !inputEnded, !isGone, !isStopping {
      return
    }
    willAdvance = true
    Task { @Loop in
      willAdvance = false
      advance()
    }
  }

  /// Does everything that can be done now: begins calls, hands over, or closes.
  private func advance(hasTurn: Bool = false) {
    guard !isAdvancing, !isClosed else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    if hasTurn { beginCalls() }
    if mayBeginCall, !waitsForTurn {
      waitsForTurn = true
      server?.wantsTurn(self)
    }
    if upgrade != nil, output.isEmpty, !isGone { return handOver() }
    if isDone { return close() }
    let mustWait = waitsForTurn && server?.hasHadItsTime(user) == true
    readiness.isReading = !inputEnded && decoder.count <= limits.messageLength && !mustWait
    readiness.isWriting = !output.isEmpty
    watchForHangup(pending != nil && !readiness.isReading && !isGone)
  }

  private func beginCalls() {
    guard let end = server.map({ $0.clock() + limits.callTurn }) else { return }
    do {
      while mayBeginCall, let now = server?.clock(), now < end {
        guard let message = try decoder.next() else {
          mayHaveCall = false
          return
        }
        begin(try Call(message: message, depth: limits.messageDepth))
      }
    } catch let error as MalformedMessage {
      dropReason = .malformedMessage(error)
    } catch {
      dropReason = .messageTooLong
    }
  }

  private var mayBeginCall: Bool {
    mayHaveCall && pending == nil && output.isEmpty && dropReason == nil && (!isStopping || isNew)
  }

  private var isNew: Bool { !hasCalled && Loop.now < firstCallDeadline }

  private func begin(_ call: Call) {
    hasCalled = true
    server?.onCall?()
    guard let handler = server?.handler(of: call.method) else {
      if call.mode != .oneway { send(VarlinkError.methodNotFound(call.method).reply) }
      return
    }
    handler(call, self)
  }

  private var isDone: Bool {
    if dropReason != nil || isStopping && output.isEmpty && !isNew { return true }
    guard !waitsForTurn else { return false }
    // A client that does not wait for a reply may leave before its call is read and handled.
    if isGone { return pending.map { $0.mode != .oneway } ?? inputEnded }
    return output.isEmpty && inputEnded && pending == nil
  }

  private func handOver() {
    let descriptor = fcntl(readiness.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0, let upgrade else { return close() }
    let rest = decoder.takeRest()
    self.upgrade = nil
    pending = nil
    close()
    upgrade.completion(descriptor, rest)
  }

  private func watchForHangup(_ on: Bool) {
    guard on else {
      hangupTimer = nil
      return
    }
    let timer = hangupTimer ?? Timer { [weak self] in self?.hangupTimerFired() }
    hangupTimer = timer
    timer.set(Loop.now + Self.hangupInterval)
  }

  private func hangupTimerFired() {
    if hasHungUp { hangUp() }
    advance()
  }
}
