import Glibc

/// A listening socket that hands over each connection it accepts.
@Loop
package final class Listener {
  private let readiness: Readiness
  private let onConnection: @Loop (Int32) -> Void
  /// While the process has no descriptor left, accepting is tried again at this pace instead of at once, for ever.
  private static let pauseWithoutDescriptors = Duration.milliseconds(100)
  private var pause: Timer?
  /// Connections that are accepted before others get their turn.
  private static let connectionsPerEvent = 16

  /// - Parameters:
  ///   - descriptor: A listening socket; owned from here on, and made non-blocking.
  ///   - onConnection: Gets each connection's descriptor: non-blocking, close-on-exec, and to be closed by the receiver.
  package init(owning descriptor: Int32, onConnection: @escaping @Loop (Int32) -> Void) {
    self.onConnection = onConnection
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    readiness = Readiness(owning: descriptor)
    pause = Timer { [weak self] in self?.readiness.isReading = true }
    readiness.onReadable = { [weak self] in self?.accept() }
    readiness.isReading = true
  }

  /// False stops accepting; connections then wait in the kernel's queue.
  package var isAccepting: Bool {
    get { readiness.isReading }
    set { readiness.isReading = newValue }
  }

  /// The port that a TCP listener got.
  package var port: UInt16? { Sockets.localAddress(of: readiness.descriptor)?.port }

  package func close() {
    pause = nil
    readiness.close()
  }

  private func accept() {
    for _ in 0..<Self.connectionsPerEvent where readiness.isReading && !readiness.isClosed {
      let descriptor = Glibc.accept(readiness.descriptor, nil, nil)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        onConnection(descriptor)
        continue
      }
      switch errno {
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        readiness.isReading = false
        pause?.set(Loop.now + Self.pauseWithoutDescriptors)
        return
      case ECONNABORTED, EINTR: continue
      default: return
      }
    }
  }
}
