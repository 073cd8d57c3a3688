import EventLoop
import Glibc
import Synchronization

/// Standard input to a stream's socket, on a thread of its own.
final class OutgoingCopy: Sendable {
  enum State: Equatable {
    case running
    /// Standard input has ended, and the stream's end was told.
    case ended
    /// Standard input could not be read; the stream was given up.
    case failed(SystemError)
  }

  private let socket: Int32
  private let current = Mutex(State.running)

  init(socket: Int32) { self.socket = socket }

  /// Any thread.
  var state: State { current.withLock { $0 } }

  /// Copies until standard input ends. A socket that takes no more is not told here: reading it tells, too.
  func run() {
    var buffer = [UInt8](repeating: 0, count: StreamCopy.bufferLength)
    while true {
      let count: Int
      do { count = try Descriptors.read(STDIN_FILENO, into: &buffer) } catch { return fail(error) }
      if count == 0 { return end() }
      do { try Descriptors.write(buffer[..<count], to: socket) } catch { return }
    }
  }

  /// Ends this direction. Any thread; once.
  func end() { finish(.ended, SHUT_WR) }

  private func fail(_ error: SystemError) { finish(.failed(error), SHUT_RDWR) }

  /// The state is there before the socket shows it, for whoever waits for the socket.
  private func finish(_ state: State, _ directions: Int) {
    let isFirst = current.withLock { current in
      defer { if current == .running { current = state } }
      return current == .running
    }
    if isFirst { _ = shutdown(socket, Int32(directions)) }
  }
}
