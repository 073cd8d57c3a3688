import Varlink

/// The replies to a call, taken one by one. Letting it go closes the connection, and with it what the call
/// holds at the daemon.
package struct ControlReplies<M: Method> {
  private let connection: ControlConnection
  private var isOver = false

  init(connection: ControlConnection) { self.connection = connection }

  /// Waits for the next reply; nil after the last.
  ///
  /// - Parameter deadline: nil to wait for ever.
  /// - Throws: `ControlError.timedOut` at the deadline; the call goes on, and this may be called again.
  package mutating func next(until deadline: ContinuousClock.Instant? = nil) throws(ControlError) -> M.Reply? {
    guard !isOver else { return nil }
    let reply = try connection.receive(until: deadline)
    isOver = !reply.continues
    return try reply.decoded(as: M.self)
  }
}
