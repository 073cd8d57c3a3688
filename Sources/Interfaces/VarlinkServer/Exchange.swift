// SPDX-License-Identifier: Apache-2.0

import EventLoop
import JSONCoding
import Varlink

/// A call of the method `M`. Its handler must end it with `reply`, `fail` or `upgrade`. Releasing it before that is a
/// bug in the handler: debug builds trap, and others answer `MethodNotImplemented`.
@Loop
package final class Exchange<M: Method>: AnyExchange {
  /// Sends the last reply. Does nothing if the exchange has already finished or the client has disconnected.
  package func reply(_ reply: M.Reply) { finish(Reply(reply.members)) }

  /// Sends a reply that others follow. If the call did not ask for `more`, it is the last one; see ``isFinished``.
  package func replyContinuing(_ reply: M.Reply) {
    guard mode == .more else { return self.reply(reply) }
    guard !isFinished else { return }
    connection.send(Reply(reply.members, continues: true))
  }

  /// Sends a reply that others follow, and that other clients also get.
  package func replyContinuing(_ reply: SharedReply<M>) {
    guard mode == .more else { return self.reply(reply.content) }
    guard !isFinished else { return }
    connection.send(bytes: reply.bytes)
  }

  /// Sends the reply after which the connection no longer speaks Varlink, and hands the connection over.
  ///
  /// - Parameters:
  ///   - completion: Called when the reply is written, after the handler has returned. It is never called if the client
  ///     disconnects first (see ``onClosed``).
  ///   - descriptor: The connection: non-blocking and close-on-exec. The receiver takes ownership of it.
  ///   - rest: Bytes that the client sent after the call. They precede what is read from the descriptor.
  package func upgrade(
    _ reply: M.Reply,
    then completion: @escaping @Loop (_ descriptor: Int32, _ rest: [UInt8]) -> Void
  ) {
    precondition(mode == .upgrade, "\(M.name) was upgraded, but the client did not ask for it")
    upgrade(Reply(reply.members), then: completion)
  }
}
