// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import Localization
import VarlinkClient

/// Implements `--stream` at either end.
enum StreamCommand {
  /// Opens or accepts a stream, copies, and asks the daemon whether the stream was complete. The end of a socket alone
  /// does not tell.
  ///
  /// - Throws: `CommandError` with `.streamBroken` if it was not.
  static func run(_ beginning: ProgramStream.Beginning, _ arguments: ParsedArguments) throws {
    let stream = try CommandStream(beginning, path: arguments.socket)
    do {
      try StreamCopy.run(over: stream.descriptor)
    } catch let error as CommandError where error.status == .streamBroken {
      if case .success(let reason?) = stream.wait(Limits.controlConnectTime) { throw broken(reason) }
      throw error
    }
    switch stream.wait() {
    case .success(let reason?): throw broken(reason)
    case .failure(let error):
      switch error {
      case .failed, .refused, .protocolViolation: throw error
      default:
        throw CommandError(
          .streamBroken,
          localized("The daemon stopped before it could confirm that the stream is complete.")
        )
      }
    case .success(nil): break
    }
  }

  private static func broken(_ reason: Reason) -> CommandError {
    CommandError(.streamBroken, reason.explanation, reason: reason)
  }
}
