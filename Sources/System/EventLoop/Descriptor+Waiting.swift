// SPDX-License-Identifier: Apache-2.0

import Glibc

extension Descriptor {
  /// Waits on this thread until a descriptor is ready, or has ended.
  ///
  /// - Parameter events: Those of poll(2).
  /// - Returns: False if the deadline came first.
  package static func wait(_ descriptor: Int32, for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let rest = max(.zero, deadline - .now).components
      let time = Int32(clamping: rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000 + 1)
      var item = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let count = poll(&item, 1, time)
      if count > 0 { return true }
      if count == 0 || errno != EINTR { return false }
    }
  }
}
