// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import Synchronization

/// Copies standard input to a stream's socket, on its own thread.
final class OutgoingCopy: Sendable {
  enum State: Equatable {
    case running
    /// Standard input has ended, and the other side was told.
    case ended
    /// Standard input could not be read, and the stream was given up.
    case failed(SystemError)
  }

  private let socket: Int32
  private let current = Mutex(State.running)

  init(socket: Int32) { self.socket = socket }

  /// Can be used on any thread.
  var state: State { current.withLock { $0 } }

  /// Copies until standard input ends. A socket that accepts no more is not reported here, because reading from it
  /// reports that, too.
  func run() {
    var buffer = [UInt8](repeating: 0, count: StreamCopy.bufferLength)
    while true {
      let count: Int
      do { count = try Descriptor.read(STDIN_FILENO, into: &buffer) } catch { return fail(error) }
      if count == 0 { return end() }
      do { try Descriptor.write(buffer[..<count], to: socket) } catch { return }
    }
  }

  /// Ends this direction, once. Can be called on any thread.
  func end() { finish(.ended, SHUT_WR) }

  private func fail(_ error: SystemError) { finish(.failed(error), SHUT_RDWR) }

  /// Sets the state before the socket shows the end, because another thread waits for the socket.
  private func finish(_ state: State, _ directions: Int) {
    let isFirst = current.withLock { current in
      defer { if current == .running { current = state } }
      return current == .running
    }
    if isFirst { _ = shutdown(socket, Int32(directions)) }
  }
}
