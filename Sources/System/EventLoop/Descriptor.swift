// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// What can be learned about descriptors that others gave us.
package enum Descriptor {
  /// Returns how many bytes can be read from a socket or a pipe.
  package static func readableCount(_ descriptor: Int32) -> Int { Int(max(0, clinux_readable(descriptor))) }

  /// Whether no more data will come to a socket than what is already in it.
  package static func hasEnded(_ descriptor: Int32) -> Bool {
    var item = pollfd(fd: descriptor, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
    return poll(&item, 1, 0) > 0
  }

  /// Whether the other end has not yet read everything that was written. False for files and terminals.
  package static func hasUnread(_ descriptor: Int32) -> Bool { unread(descriptor) > 0 }

  /// Returns how much of what was written the other end has not yet read: bytes for a pipe, memory for a socket, 0 for
  /// files and terminals.
  package static func unread(_ descriptor: Int32) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return 0 }
    return switch status.st_mode & S_IFMT {
    case S_IFIFO: Int(max(0, clinux_readable(descriptor)))
    case S_IFSOCK: Int(max(0, clinux_unread_by_peer(descriptor)))
    default: 0
    }
  }
}
