import CLinux
import Glibc

/// What is known of descriptors that others gave us.
package enum Descriptor {
  /// Bytes that can be read from a socket or a pipe.
  package static func readableCount(_ descriptor: Int32) -> Int { Int(max(0, clinux_readable(descriptor))) }

  /// Whether nothing comes to a socket any more but what is in it.
  package static func hasEnded(_ descriptor: Int32) -> Bool {
    var item = pollfd(fd: descriptor, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
    return poll(&item, 1, 0) > 0
  }

  /// Whether what was written to it has not been read by whoever is at the other end; false for files and terminals.
  package static func hasUnread(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return switch status.st_mode & S_IFMT {
    case S_IFIFO: clinux_readable(descriptor) > 0
    case S_IFSOCK: clinux_unread_by_peer(descriptor) > 0
    default: false
    }
  }
}
