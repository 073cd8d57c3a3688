// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import JSONCoding
import Varlink

/// A Varlink service on Unix sockets.
///
/// The calls of one connection are handled in order, one after the other. Each waits until the previous one is answered
/// and its reply is written.
@Loop
package final class VarlinkServer {
  typealias Handler = @Loop (Call, ClientConnection) -> Void

  /// Called for each connection that the server closed against its client's will, with the client's user if it is
  /// known.
  package var onDrop: (@Loop (DropReason, uid_t?) -> Void)?
  /// Called for each call, before it is handled.
  package var onCall: (@Loop () -> Void)?
  /// Called for each error with which a call is answered.
  package var onError: (@Loop () -> Void)?

  /// The cost of a client's event in addition to the measured time of its handling, because it wakes the loop and may
  /// leave work for later. Many simultaneous calls of `ListStaticPeers` and `Diagnose` each took 25 µs more processor
  /// time than was measured.
  private static let eventTime = Duration.microseconds(25)

  let limits: ServerLimits
  private var table = MethodTable<Handler>()
  private var listeners: [Listener] = []
  private var connections: [ObjectIdentifier: ClientConnection] = [:]
  private var connectionsOfUser: [uid_t: Int] = [:]
  /// How many bytes the connections of each user hold: calls that are not complete or not handled, and replies that are
  /// not read.
  private var heldOfUser: [uid_t: Int] = [:]
  /// How much of the loop's time each user has left.
  private(set) var timeOfUser: [uid_t: TokenBucket] = [:]
  /// The clock that measures how long the loop is occupied.
  var clock: @Loop () -> ContinuousClock.Instant = { Loop.now }
  private var turns = CallTurns<ClientConnection>()
  private var isGivingTurns = false
  /// Set while all those who wait have used up their time.
  private var turnTimer: Timer?
  private var stopTimer: Timer?
  private var onStopped: (@Loop () -> Void)?

  package init(product: Product, limits: ServerLimits) {
    self.limits = limits
    add(.service)
    on(GetInfo.self) { [weak self] _, exchange in
      exchange.reply(GetInfo.Reply(product: product, interfaces: self?.table.interfaces ?? []))
    }
    on(GetInterfaceDescription.self) { [weak self] parameters, exchange in
      guard let interface = self?.table.description(of: parameters.interface) else {
        return exchange.fail(.interfaceNotFound(parameters.interface))
      }
      exchange.reply(GetInterfaceDescription.Reply(description: interface.text))
    }
  }

  isolated deinit { closeConnections() }

  /// Adds an interface. Traps if it was added already.
  package func add(_ interface: InterfaceDescription) { table.add(interface) }

  /// Sets the handler of a method, whose interface must have been added. Traps if the method already has a handler.
  ///
  /// - Parameter handler: Receives parameters that are complete and known. It answers through the exchange, now or
  ///   later.
  package func on<M: Method>(_ method: M.Type, _ handler: @escaping @Loop (M.Parameters, Exchange<M>) -> Void) {
    table.add(method) { call, connection in
      let exchange = Exchange<M>(call, connection)
      if let required = method.requiredMode, required != call.mode {
        return exchange.fail(required == .more ? .expectedMore : .expectedUpgrade)
      }
      do throws(InvalidParameter) {
        handler(try M.Parameters(parameters: call.parameters), exchange)
      } catch {
        exchange.fail(.invalidParameter(error.parameter))
      }
    }
  }

  /// Serves clients that connect to a socket from now on.
  ///
  /// - Parameter descriptor: A listening Unix socket. The server takes ownership of it.
  package func listen(owning descriptor: Int32) {
    listeners.append(Listener(owning: descriptor) { [weak self] in self?.serve(owning: $0) })
  }

  /// Serves one connected Unix socket.
  ///
  /// - Parameter descriptor: A non-blocking socket. The server takes ownership of it, and closes it if a limit is
  ///   reached.
  package func serve(owning descriptor: Int32) { serve(owning: descriptor, user: Sockets.peerUser(of: descriptor)) }

  /// - Parameter user: The client's user. Nil if it is unknown.
  func serve(owning descriptor: Int32, user: uid_t?) {
    guard let user, refusal(of: user) == nil else {
      _ = Glibc.close(descriptor)
      onDrop?(user.flatMap(refusal) ?? .unknownUser, user)
      return
    }
    // It is read when the poller reports it, after connections on which the same client has sent something earlier. An
    // app makes one activity current after the other on a connection for each.
    let connection = ClientConnection(owning: descriptor, user: user, server: self)
    connections[ObjectIdentifier(connection)] = connection
    connectionsOfUser[user, default: 0] += 1
  }

  /// The number of connected clients.
  package var connectionCount: Int { connections.count }

  /// Stops accepting connections. New ones wait for another process that has the sockets.
  package func stopListening() {
    for listener in listeners { listener.close() }
    listeners = []
  }

  /// Stops the server. It accepts no connections and begins no calls, except the first call of a client that has just
  /// connected. Each connection is closed when its replies are written. A call with one reply is answered before that,
  /// unless its handler is notified that its client disconnects (``AnyExchange/onClosed``), which is how all others
  /// end.
  ///
  /// - Parameters:
  ///   - deadline: When to close the connections whose clients do not read, and whose handlers do not answer.
  ///   - completion: Called on the loop when no connection is left, but never before this returns.
  package func close(by deadline: ContinuousClock.Instant, completion: @escaping @Loop () -> Void = {}) {
    stopListening()
    onStopped = completion
    stopTimer = Timer { [weak self] in self?.closeConnections() }
    stopTimer?.set(connections.isEmpty ? Loop.now : deadline)
    for connection in connections.values { connection.stop() }
  }

  // MARK: Calls

  /// Called when a connection may have a call to handle.
  func wantsTurn(_ connection: ClientConnection) {
    turns.add(connection, of: connection.user)
    giveTurns()
  }

  private func giveTurns() {
    guard !isGivingTurns else { return }
    isGivingTurns = true
    giveNextTurn()
  }

  /// Gives one turn at a time, so that bytes that arrive in the meantime are read between turns.
  private func giveNextTurn() {
    Task { @Loop in
      guard let connection = turns.next(where: { !hasHadItsTime($0) }) else {
        isGivingTurns = false
        return waitForTime()
      }
      connection.takeTurn()
      giveNextTurn()
    }
  }

  private func waitForTime() {
    let now = clock()
    guard let next = turns.users.map({ mayCall($0, at: now) }).min() else { return }
    let timer = turnTimer ?? Timer { [weak self] in self?.giveTurns() }
    turnTimer = timer
    timer.set(Loop.now + now.duration(to: next))
  }

  // MARK: Time

  /// Runs what a user's client has caused, and counts how long that occupies the loop.
  func onTime(of user: uid_t, _ body: () -> Void) {
    let began = clock()
    body()
    charge(Self.eventTime + began.duration(to: clock()), to: user)
  }

  func charge(_ time: Duration, to user: uid_t) {
    guard user != 0 else { return }
    let now = clock()
    // A user who has not called anything for a while is like one who has never called.
    if timeOfUser[user] == nil { timeOfUser = timeOfUser.filter { !$0.value.isFull(at: now) } }
    var bucket = timeOfUser[user] ?? TokenBucket(limits.userTime, at: now)
    // The machine may have slept in the meantime.
    bucket.charge(min(time / .seconds(1), limits.userTime.burst), at: now)
    timeOfUser[user] = bucket
  }

  /// Whether the user's calls have occupied the loop for so long that it is the turn of others.
  func hasHadItsTime(_ user: uid_t) -> Bool {
    let now = clock()
    return mayCall(user, at: now) > now
  }

  private func mayCall(_ user: uid_t, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    timeOfUser[user]?.ready(for: 0, at: now) ?? now
  }

  func handler(of method: String) -> Handler? { table.handler(of: method) }

  func connectionClosed(_ connection: ClientConnection, _ reason: DropReason?) {
    guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
    let others = connectionsOfUser[connection.user, default: 0] - 1
    connectionsOfUser[connection.user] = others > 0 ? others : nil
    if let reason { onDrop?(reason, connection.user) }
    stoppedIfEmpty()
  }

  /// Whether all clients of a user together make this server hold more than they may.
  func holdsTooMuch(of user: uid_t) -> Bool { user != 0 && heldOfUser[user, default: 0] > limits.userQueueLength }

  /// Called when a connection of the user holds more or fewer bytes than before.
  func held(_ change: Int, of user: uid_t) {
    let held = heldOfUser[user, default: 0] + change  // Checked: the sum of what is in memory.
    heldOfUser[user] = held > 0 ? held : nil
  }

  private func refusal(of user: uid_t) -> DropReason? {
    let own = connectionsOfUser[user, default: 0]
    guard !limits.connections.allows(user, own: own, all: connections.count) else { return nil }
    return user == 0 || own < limits.connections.perUser ? .tooManyConnections : .tooManyConnectionsOfUser
  }

  private func closeConnections() {
    for connection in connections.values { connection.close() }
    stoppedIfEmpty()
  }

  private func stoppedIfEmpty() {
    guard connections.isEmpty, let completion = onStopped else { return }
    onStopped = nil
    stopTimer = nil
    turnTimer = nil
    completion()
  }
}
