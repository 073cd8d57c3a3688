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

  /// What an event of a client costs beside what its handling is measured to take: it wakes the loop, and may leave work for
  /// later. Calls of `ListStaticPeers` and `Diagnose`, of which many come at once, took 25 µs of a processor more than was
  /// measured.
  private static let eventTime = Duration.microseconds(25)

  let limits: ServerLimits
  private var table = MethodTable<Handler>()
  private var listeners: [Listener] = []
  private var connections: [ObjectIdentifier: ServerConnection] = [:]
  private var connectionsOfUser: [uid_t: Int] = [:]
  /// What is left to each user of the loop's time.
  private(set) var timeOfUser: [uid_t: TokenBucket] = [:]
  /// Measures how long the loop is kept.
  var clock: @Loop () -> ContinuousClock.Instant = { Loop.now }
  private var turns = CallTurns<ServerConnection>()
  private var isGivingTurns = false
  /// While only those wait who have had their time.
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

  /// Announces an interface. Traps where it is there already.
  package func add(_ interface: InterfaceDescription) { table.add(interface) }

  /// Handles a method of an interface that was added before. Traps where the method is handled already.
  ///
  /// - Parameter handler: Gets parameters that are whole and known; answers by the exchange, now or later.
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
    giveTurns()
  }

  private func giveTurns() {
    guard !isGivingTurns else { return }
    isGivingTurns = true
    giveNextTurn()
  }

  /// One at a time: what arrives meanwhile is read in between.
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

  /// Does what a client of a user has caused, and counts how long that keeps the loop.
  func onTime(of user: uid_t, _ body: () -> Void) {
    let began = clock()
    body()
    charge(Self.eventTime + began.duration(to: clock()), to: user)
  }

  func charge(_ time: Duration, to user: uid_t) {
    guard user != 0 else { return }
    let now = clock()
    // Who has called nothing for a while is as who has never called.
    if timeOfUser[user] == nil { timeOfUser = timeOfUser.filter { !$0.value.isFull(at: now) } }
    var bucket = timeOfUser[user] ?? TokenBucket(limits.userTime, at: now)
    // The machine may have slept meanwhile.
    bucket.charge(min(time / .seconds(1), limits.userTime.burst), at: now)
    timeOfUser[user] = bucket
  }

  /// The user's calls have kept the loop for so long that others come first.
  func hasHadItsTime(_ user: uid_t) -> Bool {
    let now = clock()
    return mayCall(user, at: now) > now
  }

  private func mayCall(_ user: uid_t, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    timeOfUser[user]?.ready(for: 0, at: now) ?? now
  }

  func handler(of method: String) -> Handler? { table.handler(of: method) }

  func connectionClosed(_ connection: ServerConnection, _ reason: DropReason?) {
    guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
    let others = connectionsOfUser[connection.user, default: 0] - 1
    connectionsOfUser[connection.user] = others > 0 ? others : nil
    if let reason { onDrop?(reason, connection.user) }
    stoppedIfEmpty()
  }

  /// All clients of a user together leave more unread than they may.
  func leavesTooMuchUnread(_ user: uid_t) -> Bool {
    guard user != 0 else { return false }
    let unread = connections.values.reduce(0) { $1.user == user ? $0 + $1.unreadCount : $0 }
    return unread > limits.userSendQueueLength
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
