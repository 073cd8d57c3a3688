// SPDX-License-Identifier: Apache-2.0

import Varlink

/// The replies to a call, taken one by one. Releasing them closes the connection, and gives up what the call holds at
/// the daemon.
package struct ControlReplies<M: Method> {
  private let connection: ControlConnection
  private var isOver = false

  init(connection: ControlConnection) { self.connection = connection }

  /// Waits for the next reply. Returns nil after the last one.
  ///
  /// - Parameter deadline: When to stop waiting. Nil to wait forever.
  /// - Throws: `ControlError.timedOut` at the deadline. The call continues, and you can call this again.
  package mutating func next(until deadline: ContinuousClock.Instant? = nil) throws(ControlError) -> M.Reply? {
    guard !isOver else { return nil }
    let reply = try connection.receive(until: deadline)
    isOver = !reply.continues
    return try reply.decoded(as: M.self)
  }
}
