// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Varlink

/// One client of a `VarlinkServer`: its socket, the data it has sent, and the data it has not read yet. `CallFlow`
/// decides what to do with them.
@Loop
final class ClientConnection {
  private struct Upgrade {
    let exchange: AnyExchange
    let completion: @Loop (Int32, [UInt8]) -> Void
  }

  /// The kernel's buffer for replies that a client does not read. It's memory of this process that no limit counts.
  private static let sendBuffer: Int32 = 32 * 1024
  /// The time within which a new client is expected to make its first call. A stopping server waits that long for the
  /// call, and answers it.
  private static let firstCallTime = Duration.seconds(1)

  let user: uid_t
  private weak var server: VarlinkServer?
  private let limits: ServerLimits
  private let channel: Channel
  /// What the kernel keeps of other sockets. An upgraded one, which no longer speaks Varlink, becomes like them.
  private let usualSendBuffer: Int32?
  private var decoder: MessageDecoder
  private var flow: CallFlow
  /// The call that is being handled. Its handler owns the exchange, and answers the call at the latest by releasing the
  /// exchange.
  private weak var pending: AnyExchange?
  private var upgrade: Upgrade?
  /// The number of bytes that the server knows to be held here.
  private var held = 0
  private var firstCallTimer: Timer?
  private let firstCallDeadline = Loop.now + ClientConnection.firstCallTime
  private var isAdvancing = false
  private var willAdvance = false

  init(owning descriptor: Int32, user: uid_t, server: VarlinkServer) {
    self.user = user
    self.server = server
    limits = server.limits
    decoder = MessageDecoder(limit: limits.messageLength)
    flow = CallFlow(firstCallDeadline: firstCallDeadline)
    usualSendBuffer = Sockets.sendBuffer(of: descriptor)
    Sockets.setSendBuffer(of: descriptor, Self.sendBuffer)
    channel = Channel(owning: descriptor)
    channel.onBytes = { [weak self] bytes in self?.onTimeOfUser { $0.received(bytes) } }
    channel.onEnd = { [weak self] error in self?.onTimeOfUser { $0.inputEnded(error) } }
    channel.onDrained = { [weak self] in self?.onTimeOfUser { $0.drained() } }
    channel.isReading = true
  }

  // MARK: What an exchange does

  var hasOutput: Bool { channel.waitingCount > 0 }
  var isClosed: Bool { flow.isClosed }

  /// Remembers the exchange of the call that is being dispatched.
  func begin(_ exchange: AnyExchange) {
    pending = exchange
    flow.handle(.began(exchange.mode))
  }

  func send(_ reply: Reply) {
    if reply.error != nil { server?.onError?() }
    send(bytes: reply.bytes)
  }

  /// Sends a message without its NUL.
  func send(bytes: [UInt8]) {
    guard flow.takesReplies else { return }
    channel.append(bytes)
    channel.append(CollectionOfOne(0))
    channel.flush()
    if channel.isBroken { hangUp() }
    noteHeld()
    if channel.waitingCount > limits.sendQueueLength || hasOutput && server?.holdsTooMuch(of: user) == true {
      flow.handle(.drop(.notReading))
      noteHeld()
    }
    if !flow.takesReplies { advanceSoon() }
  }

  /// Called when the pending call has been answered.
  func finish() {
    pending = nil
    flow.handle(.answered)
    advanceSoon()
  }

  /// Hands the socket over when the output has been written.
  func upgrade(_ exchange: AnyExchange, completion: @escaping @Loop (Int32, [UInt8]) -> Void) {
    upgrade = Upgrade(exchange: exchange, completion: completion)
    flow.handle(.upgraded)
    advanceSoon()
  }

  // MARK: What the server does

  /// Begins no further calls, except the first one of a client that has just connected. Closes the connection when the
  /// output has been written.
  func stop() {
    flow.handle(.stop)
    if flow.awaitsFirstCall(at: Loop.now) {
      firstCallTimer = Timer { [weak self] in self?.advance() }
      firstCallTimer?.set(firstCallDeadline)
    }
    advanceSoon()
  }

  /// Handles the connection's calls, because it is its turn, until they have occupied the loop for long enough.
  func takeTurn() {
    flow.handle(.hasTurn)
    guard !isClosed else { return }
    onTimeOfUser { $0.advance(hasTurn: true) }
  }

  func close() {
    guard !isClosed else { return }
    let dropReason = flow.dropReason
    flow.handle(.closed)
    firstCallTimer = nil
    channel.close()
    let exchange = upgrade?.exchange ?? pending
    upgrade = nil
    pending = nil
    noteHeld()
    server?.connectionClosed(self, dropReason)
    exchange?.clientWentAway()
  }

  // MARK: Events

  private func onTimeOfUser(_ body: (ClientConnection) -> Void) {
    guard let server else { return body(self) }
    server.onTime(of: user) { body(self) }
  }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    decoder.receive(bytes)
    flow.handle(.receivedBytes)
    tookInput()
  }

  private func inputEnded(_ error: SystemError?) {
    flow.handle(.inputEnded)
    if error != nil { hangUp() }
    tookInput()
  }

  private func tookInput() {
    if hasHungUp { hangUp() }
    noteHeld()
    if decoder.count > 0, server?.holdsTooMuch(of: user) == true { flow.handle(.drop(.notReading)) }
    advance()
  }

  /// Tells the server how much this connection holds; nothing if it is being dropped.
  private func noteHeld() {
    let count = flow.isDropped || isClosed ? 0 : channel.waitingCount + decoder.count
    guard count != held else { return }
    server?.held(count - held, of: user)
    held = count
  }

  private func drained() {
    if channel.isBroken { hangUp() }
    if flow.takesReplies { pending?.clientHasRead() }
    advance()
  }

  /// Whether the client has hung up. A client that closed its socket has; one that only shut down its sending direction
  /// has not.
  var hasHungUp: Bool {
    flow.hasLeft || isClosed || Sockets.hasHungUp(channel.descriptor)
  }

  private func hangUp() {
    flow.handle(.left)
    channel.discard()
  }

  /// Advances later, so that no handler is called from within a call that another one makes.
  private func advanceSoon() {
    guard !isAdvancing, !willAdvance, !isClosed else { return }
    // This is the usual end of a call, with nothing left to do.
    if flow.isSettled(isEmpty: decoder.count == 0) { return }
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
    let holdings = CallFlow.Holdings(
      hasOutput: hasOutput,
      isFull: decoder.count > limits.messageLength,
      hasHadItsTime: flow.mayHaveCall && server?.hasHadItsTime(user) == true,
      owesAnswer: pending.map { $0.mode == .single && $0.onClosed == nil } ?? false
    )
    noteHeld()
    for effect in flow.advance(holdings, at: Loop.now) { perform(effect) }
  }

  private func perform(_ effect: CallFlow.Effect) {
    switch effect {
    case .askForTurn: server?.wantsTurn(self)
    case .handOver: handOver()
    case .close: close()
    case .read(let isOn): channel.isReading = isOn
    case .awaitHangUp(let isOn): awaitHangUp(isOn)
    }
  }

  private func beginCalls() {
    guard let end = server.map({ $0.clock() + limits.callTurn }) else { return }
    do {
      while flow.mayBeginCall(hasOutput: hasOutput, at: Loop.now), let now = server?.clock(), now < end {
        guard let message = try decoder.next() else { return flow.handle(.foundNoCall) }
        begin(try Call(message: message, depth: limits.messageDepth))
      }
    } catch let error as MalformedMessage {
      flow.handle(.drop(.malformedMessage(error)))
    } catch {
      flow.handle(.drop(.messageTooLong))
    }
  }

  private func begin(_ call: Call) {
    flow.handle(.called)
    server?.onCall?()
    guard let handler = server?.handler(of: call.method) else {
      if call.mode != .oneway { send(VarlinkError.methodNotFound(call.method).reply) }
      return
    }
    handler(call, self)
  }

  private func handOver() {
    let descriptor = fcntl(channel.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0, let upgrade else { return close() }
    if let usualSendBuffer { Sockets.setSendBuffer(of: descriptor, usualSendBuffer) }
    let rest = decoder.takeRest()
    self.upgrade = nil
    pending = nil
    close()
    upgrade.completion(descriptor, rest)
  }

  private func awaitHangUp(_ isOn: Bool) {
    guard isOn != (channel.onHangUp != nil) else { return }
    channel.onHangUp =
      if isOn {
        { [weak self] in
          self?.onTimeOfUser {
            $0.hangUp()
            $0.advance()
          }
        }
      } else {
        nil
      }
  }
}
