import CLinux
import EventLoop
import Glibc

/// Wakes threads that wait for a descriptor: once given, for good.
///
/// Any thread.
final class Wakeup: Sendable {
  private let descriptor: Int32

  /// - Throws: `SystemError` where there is no descriptor left.
  init() throws(SystemError) {
    descriptor = clinux_eventfd()
    guard descriptor >= 0 else { throw SystemError("eventfd") }
  }

  deinit { close(descriptor) }

  func give() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Blocks the thread until the socket has one of the events, is over, or ``give()`` was called.
  ///
  /// - Parameter events: Of poll(2).
  func wait(for socket: StreamSocket, _ events: Int32) {
    var items = [
      pollfd(fd: socket.descriptor, events: Int16(events), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // Whoever called tries again and finds out why this came back, a signal among the reasons.
    _ = poll(&items, nfds_t(items.count), -1)
  }
}
