// SPDX-License-Identifier: Apache-2.0

import Activity
import Dispatch
import EventLoop
import Glibc
import Localization

/// Copies standard input to a stream and the stream to standard output, both at the same time.
///
/// There are two blocking threads, one for each direction. Standard input and output are shared with other programs, so
/// they cannot be made non-blocking. A write to a full pipe must not delay the other direction.
enum StreamCopy {
  /// How many bytes of standard input are read at a time: more than a pipe holds, and half of what the daemon accepts
  /// before it waits for the other side.
  static let bufferLength = 256 * 1024

  /// Returns when both directions have ended. The socket stays open until the process ends.
  ///
  /// - Throws: `CommandError` with `.streamBroken` if the stream ended before both sides had ended it; `OutputClosed`
  ///   if nobody reads standard output any longer.
  static func run(over socket: Int32) throws {
    let incoming = try IncomingCopy(socket: socket)
    let outgoing = OutgoingCopy(socket: socket)
    DispatchQueue(label: "outgoing").async { outgoing.run() }
    try incoming.run()
    // The other side's end is half of the stream's end. If the socket is closed completely while our half is open, the
    // stream was cut off.
    try check(outgoing, isHungUp: waitForHangUp(socket, time: 0))
    if isatty(STDIN_FILENO) != 0 { outgoing.end() }
    while outgoing.state == .running {
      try check(outgoing, isHungUp: waitForHangUp(socket, time: -1))
    }
    try check(outgoing, isHungUp: false)
  }

  /// The standard streams of this program.
  enum Standard { case input, output, error }

  static func failure(of stream: Standard, _ error: SystemError) -> CommandError {
    switch stream {
    case .input: CommandError(.failure, localized("Can't read standard input: \(error)"))
    case .output: CommandError(.failure, localized("Can't write to standard output: \(error)"))
    case .error: CommandError(.failure, localized("Can't write to standard error: \(error)"))
    }
  }

  static var broken: CommandError {
    CommandError(.streamBroken, localized("The stream was cut off. The data is incomplete."))
  }

  private static func check(_ outgoing: OutgoingCopy, isHungUp: Bool) throws(CommandError) {
    switch outgoing.state {
    case .ended: break
    case .running: if isHungUp { throw broken }
    case .failed(let error): throw failure(of: .input, error)
    }
  }

  /// Whether both directions of the socket are closed.
  ///
  /// - Parameter time: How long to wait, in milliseconds; -1 for ever.
  private static func waitForHangUp(_ socket: Int32, time: Int32) -> Bool {
    var item = pollfd(fd: socket, events: 0, revents: 0)
    _ = poll(&item, 1, time)
    return Int32(item.revents) & (POLLHUP | POLLERR) != 0
  }
}
