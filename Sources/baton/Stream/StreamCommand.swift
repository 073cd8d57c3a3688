import Activity
import ControlClient
import ControlInterface
import Varlink

/// What `--stream` does, at either end.
enum StreamCommand {
  /// Opens or accepts a stream, copies, and asks the daemon whether the stream was whole: a socket's end alone does not
  /// tell.
  ///
  /// - Throws: `CommandError` with `.streamBroken` where it was not.
  static func run<M: Method>(
    _ method: M.Type,
    _ parameters: M.Parameters,
    _ arguments: ArgumentList
  ) throws where M.Reply == StreamReply {
    let path = arguments.value("socket")
    let stream = try ControlConnection(path: path).upgrade(method, parameters)
    var outcome = try ControlConnection(path: path)
      .begin(AwaitStream.self, AwaitStream.Parameters(stream: stream.reply.stream))
    do {
      try StreamCopy.run(over: stream.descriptor, received: stream.leftover)
    } catch let error as CommandError where error.status == .streamBroken {
      let reply = try? outcome.next(until: .now + Limits.controlConnectTime)
      throw reply?.reason.map(broken) ?? error
    }
    do {
      if let reason = try outcome.next()?.reason { throw broken(reason) }
    } catch ControlError.disconnected {
      throw CommandError(.streamBroken, "The daemon went away before it said that the stream was whole.")
    }
  }

  private static func broken(_ reason: Reason) -> CommandError {
    CommandError(.streamBroken, reason.explanation, reason: reason)
  }
}
