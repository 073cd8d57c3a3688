// SPDX-License-Identifier: Apache-2.0

import CLinux
import EventLoop
import Glibc

/// Wakes threads that wait for a descriptor. Once given, it stays given.
///
/// Any thread may use it.
final class Wakeup: Sendable {
  private let descriptor: Int32

  /// - Throws: `SystemError` if no descriptor is left.
  init() throws(SystemError) {
    descriptor = clinux_eventfd()
    guard descriptor >= 0 else { throw SystemError("eventfd") }
  }

  deinit { close(descriptor) }

  func give() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// - Parameter events: The events, as for poll(2).
  func wait(for socket: StreamSocket, _ events: Int32) {
    var items = [
      pollfd(fd: socket.descriptor, events: Int16(events), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // The caller tries again and finds out why this returned. A signal is one possible reason.
    _ = poll(&items, nfds_t(items.count), -1)
  }
}
