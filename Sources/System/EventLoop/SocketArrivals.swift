// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Tells a blocking thread when more data has arrived at a socket that still contains earlier data. poll(2) cannot do
/// this.
package final class SocketArrivals {
  /// Readable if something has arrived, or the other end has ended, since ``forget()``.
  package let descriptor: Int32

  /// - Parameter socket: The caller keeps ownership.
  package init(_ socket: Int32) throws(SystemError) {
    descriptor = clinux_epoll_create()
    guard descriptor >= 0 else { throw SystemError("epoll_create") }
    guard clinux_epoll_watch(descriptor, socket, 0, 0, EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue) == 0
    else {
      let error = SystemError("epoll_ctl")
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  package func forget() {
    withUnsafeTemporaryAllocation(of: CLinuxEpollEvent.self, capacity: Int(CLINUX_EPOLL_BATCH)) {
      _ = clinux_epoll_take(descriptor, $0.baseAddress, 0)
    }
  }
}
