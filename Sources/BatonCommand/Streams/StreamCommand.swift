import Activity
import CommandLineOptions
import ControlClient
import ControlInterface
import Varlink

/// Implements `--stream` at either end.
enum StreamCommand {
  /// Opens or accepts a stream, copies, and asks the daemon whether the stream was complete. The end of a socket alone
  /// does not tell.
  ///
  /// - Throws: `CommandError` with `.streamBroken` if it was not.
  static func run<M: Method>(
    _ method: M.Type,
    _ parameters: M.Parameters,
    _ arguments: ParsedArguments
  ) throws where M.Reply == StreamReply {
    let path = arguments.socket
    let stream = try ControlConnection(path: path).upgrade(method, parameters)
    let ending = try StreamEnding(of: stream.reply.stream, path: path, socket: stream.descriptor)
    do {
      try StreamCopy.run(over: stream.descriptor)
    } catch let error as CommandError where error.status == .streamBroken {
      if case .success(let reason?) = ending.wait(Limits.controlConnectTime) { throw broken(reason) }
      throw error
    }
    switch ending.wait() {
    case .success(let reason?): throw broken(reason)
    case .failure(.disconnected):
      throw CommandError(.streamBroken, "The daemon stopped before it could confirm that the stream is complete.")
    case .failure(let error): throw error
    case .success(nil), nil: break
    }
  }

  private static func broken(_ reason: Reason) -> CommandError {
    CommandError(.streamBroken, reason.explanation, reason: reason)
  }
}
