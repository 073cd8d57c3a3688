import Activity
import EventLoop
import Glibc
import JSON
import Varlink

/// A Varlink service on Unix sockets.
///
/// Calls of one connection are handled one after the other, in order; the next one waits until the one before it is
/// answered and its reply is written.
@Loop
package final class VarlinkServer {
  typealias Handler = @Loop (Call, ServerConnection) -> Void

  /// Told of each connection that the server closed against its client's will, with its user where it is known.
  package var onDrop: (@Loop (DropReason, uid_t?) -> Void)?
  /// Told of each call, before it is handled.
  package var onCall: (@Loop () -> Void)?
  /// Told of each error that a call is answered with.
  package var onError: (@Loop () -> Void)?

  let limits: ServerLimits
  private var table = MethodTable<Handler>()
  private var listeners: [Listener] = []
  private var connections: [ObjectIdentifier: ServerConnection] = [:]
  private var connectionsOfUser: [uid_t: Int] = [:]
  private(set) var callsOfUser: [uid_t: TokenBucket] = [:]
  private var turns = CallTurns<ServerConnection>()
  private var isGivingTurns = false
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

  /// Announces an interface. Traps where it is there already.
  package func add(_ interface: InterfaceDescription) { table.add(interface) }

  /// Handles a method of an interface that was added before. Traps where the method is handled already.
  ///
  /// - Parameters:
  ///   - cost: What a call costs beside what every call does.
  ///   - handler: Gets parameters that are whole and known; answers by the exchange, now or later.
  package func on<M: Method>(
    _ method: M.Type,
    cost: Double = 0,
    _ handler: @escaping @Loop (M.Parameters, Exchange<M>) -> Void
  ) {
    table.add(method) { call, connection in
      if cost > 0 { connection.charge(cost) }
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

  /// Serves what connects to a socket from now on.
  ///
  /// - Parameter descriptor: A listening Unix socket; owned from here on.
  package func listen(owning descriptor: Int32) {
    listeners.append(Listener(owning: descriptor) { [weak self] in self?.serve(owning: $0) })
  }

  /// Serves one connected Unix socket.
  ///
  /// - Parameter descriptor: Non-blocking; owned from here on, and closed where a limit is reached.
  package func serve(owning descriptor: Int32) { serve(owning: descriptor, user: Sockets.peerUser(of: descriptor)) }

  /// - Parameter user: Nil where nobody knows.
  func serve(owning descriptor: Int32, user: uid_t?) {
    guard let user, refusal(of: user) == nil else {
      _ = Glibc.close(descriptor)
      onDrop?(user.flatMap(refusal) ?? .unknownUser, user)
      return
    }
    let connection = ServerConnection(owning: descriptor, user: user, server: self)
    connections[ObjectIdentifier(connection)] = connection
    connectionsOfUser[user, default: 0] += 1
  }

  /// How many clients are connected.
  package var connectionCount: Int { connections.count }

  /// Accepts nothing any more: what connects waits for whoever else has the sockets.
  package func stopListening() {
    for listener in listeners { listener.close() }
    listeners = []
  }

  /// Stops: nothing is accepted and no call is begun any more, and each connection is closed when its replies are
  /// written. Exchanges that are not finished end as if their clients had gone.
  ///
  /// - Parameters:
  ///   - deadline: When the connections whose clients do not read are closed all the same.
  ///   - completion: Called on the loop when no connection is left; never before this returns.
  package func close(by deadline: ContinuousClock.Instant, completion: @escaping @Loop () -> Void = {}) {
    stopListening()
    onStopped = completion
    stopTimer = Timer { [weak self] in self?.closeConnections() }
    stopTimer?.set(connections.isEmpty ? Loop.now : deadline)
    for connection in connections.values { connection.stop() }
  }

  // MARK: Calls

  /// A connection may have a call to be handled.
  func wantsTurn(_ connection: ServerConnection) {
    turns.add(connection, of: connection.user)
    guard !isGivingTurns else { return }
    isGivingTurns = true
    giveNextTurn()
  }

  /// One at a time: what arrives meanwhile is read in between.
  private func giveNextTurn() {
    Task { @Loop in
      guard let connection = turns.next() else {
        isGivingTurns = false
        return
      }
      connection.takeTurn()
      giveNextTurn()
    }
  }

  /// Counts what a call costs.
  ///
  /// - Returns: When the user's next one may be handled.
  func charge(_ cost: Double, to user: uid_t) -> ContinuousClock.Instant {
    guard user != 0 else { return Loop.now }
    // Who has called nothing for a while is as who has never called.
    if callsOfUser[user] == nil { callsOfUser = callsOfUser.filter { !$0.value.isFull(at: Loop.now) } }
    var bucket = callsOfUser[user] ?? TokenBucket(limits.calls, at: Loop.now)
    bucket.charge(cost, at: Loop.now)
    callsOfUser[user] = bucket
    return bucket.ready(at: Loop.now)
  }

  func handler(of method: String) -> Handler? { table.handler(of: method) }

  func connectionClosed(_ connection: ServerConnection, _ reason: DropReason?) {
    guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
    let others = connectionsOfUser[connection.user, default: 0] - 1
    connectionsOfUser[connection.user] = others > 0 ? others : nil
    if let reason { onDrop?(reason, connection.user) }
    stoppedIfEmpty()
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
    completion()
  }
}
