// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// What has become of bytes written to a Unix stream socket, as long as the other end has not stopped reading.
extension Sockets {
  package enum Delivery {
    /// The other end has bytes to read.
    case pending
    /// The other end has read everything.
    case done
    /// The other end was closed with bytes unread.
    case failed
  }

  package static func delivery(of descriptor: Int32) -> Delivery {
    // The order matters. If the other end is closed with bytes unread, the kernel records the error before it drops
    // them.
    let unread = clinux_unread_by_peer(descriptor)
    guard unread == 0 else { return unread < 0 ? .failed : .pending }
    return events(of: descriptor) & POLLERR == 0 ? .done : .failed
  }

  /// Returns how many bytes were written that the other end's kernel has not taken.
  package static func untakenCount(_ descriptor: Int32) -> Int { max(0, Int(clinux_unread_by_peer(descriptor))) }

  /// Whether both directions are over: the other end is closed, or each end has shut down writing.
  package static func hasHungUp(_ descriptor: Int32) -> Bool { events(of: descriptor) & (POLLHUP | POLLERR) != 0 }

  private static func events(of descriptor: Int32) -> Int32 {
    var item = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&item, 1, 0) > 0 ? Int32(item.revents) : 0
  }
}
