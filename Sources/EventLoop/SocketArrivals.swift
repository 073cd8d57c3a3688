import CLinux
import Glibc

/// Tells a thread that blocks when more has come to a socket, though what came before is still in it: poll(2) cannot.
package final class SocketArrivals {
  /// Readable when something has come, or the other end has ended, since ``forget()``.
  package let descriptor: Int32

  /// - Parameter socket: Not owned.
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
      _ = clinux_epoll_take(descriptor, $0.baseAddress)
    }
  }
}
