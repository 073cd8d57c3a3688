import EventLoop
import JSON
import Varlink

/// A call of the method `M`. Its handler must end it with `reply`, `fail` or `upgrade`; a handler that lets go of it
/// before has a fault: debug builds trap, others answer `MethodNotImplemented`.
@Loop
package final class Exchange<M: Method>: AnyExchange {
  /// Gives the last reply. Nothing happens where the exchange is finished already, or the client is gone.
  package func reply(_ reply: M.Reply) { finish(Reply(reply.members)) }

  /// Gives a reply that more follow. Where the call did not ask for `more` it is the last one; see ``isFinished``.
  package func replyContinuing(_ reply: M.Reply) {
    guard mode == .more else { return self.reply(reply) }
    guard !isFinished else { return }
    connection.send(Reply(reply.members, continues: true))
  }

  /// Gives the reply after which the connection is not Varlink any more, and hands the connection over.
  ///
  /// - Parameters:
  ///   - completion: Called when the reply is written, after the handler returned; never if the client goes away
  ///     before (see ``onClosed``).
  ///   - descriptor: Non-blocking, close-on-exec, and owned by the receiver from then on.
  ///   - rest: Bytes that the client sent after the call: they precede what is read from the descriptor.
  package func upgrade(
    _ reply: M.Reply,
    then completion: @escaping @Loop (_ descriptor: Int32, _ rest: [UInt8]) -> Void
  ) {
    precondition(mode == .upgrade, "\(M.name) is upgraded without being asked to")
    upgrade(Reply(reply.members), then: completion)
  }
}
