import Activity
import Dispatch
import EventLoop
import Glibc

/// Standard input to a stream, and the stream to standard output, both at once.
///
/// Two threads that block, one for each direction: standard input and output are shared with other programs, so they
/// cannot be made non-blocking, and a write to a full pipe must not hold the other direction up.
enum StreamCopy {
  /// Bytes read at once: more than a pipe holds, and half of what the daemon takes before it waits for the other side.
  static let bufferLength = 256 * 1024

  /// Returns when both directions have ended. The socket stays open until the process ends.
  ///
  /// - Parameter received: Bytes that came before the ones in the socket.
  /// - Throws: `CommandError` with `.streamBroken` where the stream ended before both sides had ended it;
  ///   `OutputClosed` where nobody reads standard output any more.
  static func run(over socket: Int32, received: [UInt8]) throws {
    let outgoing = OutgoingCopy(socket: socket)
    DispatchQueue(label: "outgoing").async { outgoing.run() }
    try write(received[...])
    var buffer = [UInt8](repeating: 0, count: bufferLength)
    while true {
      try waitForInput(socket)
      let count: Int
      do { count = try Descriptors.read(socket, into: &buffer) } catch { throw broken }
      if count == 0 { break }
      try write(buffer[..<count])
    }
    // The other side's end is half of the stream's. A socket that is closed altogether while our half is open is a
    // stream that broke off.
    try check(outgoing, isHungUp: waitForHangUp(socket, time: 0))
    guard close(STDOUT_FILENO) == 0 else { throw failure(of: "output", SystemError("close")) }
    if isatty(STDIN_FILENO) != 0 { outgoing.end() }
    while outgoing.state == .running {
      try check(outgoing, isHungUp: waitForHangUp(socket, time: -1))
    }
    try check(outgoing, isHungUp: false)
  }

  static func failure(of name: String, _ error: SystemError) -> CommandError {
    CommandError(.failure, "Standard \(name) failed: \(error)")
  }

  private static var broken: CommandError {
    CommandError(.streamBroken, "The stream broke off before its end; what came is not all.")
  }

  private static func check(_ outgoing: OutgoingCopy, isHungUp: Bool) throws(CommandError) {
    switch outgoing.state {
    case .ended: break
    case .running: if isHungUp { throw broken }
    case .failed(let error): throw failure(of: "input", error)
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>) throws {
    do { try Descriptors.write(bytes, to: STDOUT_FILENO) } catch {
      throw error.code == EPIPE ? OutputClosed() : failure(of: "output", error) as any Error
    }
  }

  /// Until the socket has bytes or has ended; or nobody has read standard output for as long as an end may take.
  private static func waitForInput(_ socket: Int32) throws(OutputClosed) {
    var items = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0), pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    while items[0].revents == 0 {
      _ = poll(&items, nfds_t(items.count), -1)
      guard Int32(items[1].revents) & POLLERR == 0 else {
        if poll(&items, 1, Int32(Limits.streamEndTime / .milliseconds(1))) == 0 { throw OutputClosed() }
        return
      }
    }
  }

  /// Whether both directions of the socket are over.
  ///
  /// - Parameter time: Milliseconds; -1 for ever.
  private static func waitForHangUp(_ socket: Int32, time: Int32) -> Bool {
    var item = pollfd(fd: socket, events: 0, revents: 0)
    _ = poll(&item, 1, time)
    return Int32(item.revents) & (POLLHUP | POLLERR) != 0
  }
}
