// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Tells each `Readiness` what its descriptor can do. There is one epoll instance, and a thread that waits for it. The
/// thread handles what happens on the loop's queue itself, so an event needs one wake-up. With a Dispatch source, it
/// would need two: of Dispatch's own thread and of the queue's.
///
/// A source for each descriptor does not work on Linux at all. Once the other side has hung up, such a source fires
/// only one more time, whatever is left to read. Also, libdispatch's own thread iterates over its data about a
/// descriptor while the handler that it has just called makes another thread free that data (libdispatch#949). So a
/// client that leaves would occasionally end the process.
@Loop
final class Poller {
  static let shared = Poller()

  private let descriptor: Int32
  /// By number. Numbers are never reused, so nothing receives an event for a descriptor that was closed in the
  /// meantime.
  private var watched: [UInt64: Unmanaged<Readiness>] = [:]
  private var last: UInt64 = 0
  private var isWaiting = false

  private init() {
    descriptor = clinux_epoll_create()
    precondition(descriptor >= 0, "epoll_create: \(errno)")
  }

  /// Returns a number for a descriptor's owner, which must call ``remove(_:)`` before it is released.
  func add(_ readiness: Readiness) -> UInt64 {
    // If an app has used up its threads, the next descriptor tries again. Programs call `ThreadCheck` first.
    if !isWaiting { isWaiting = OwnThread.run { [descriptor] in Self.wait(descriptor) } }
    last += 1
    watched[last] = .passUnretained(readiness)
    return last
  }

  func remove(_ number: UInt64) { watched[number] = nil }

  /// Changes which events of a descriptor are reported. If any are, the descriptor's end and its errors are reported,
  /// too.
  func watch(_ descriptor: Int32, _ number: UInt64, from old: UInt32, to new: UInt32) {
    guard old != new else { return }
    // This fails if the kernel has no memory, or if the user has no watches left (fs.epoll.max_user_watches). Then
    // nothing is reported, and the owner's deadlines end the wait.
    _ = clinux_epoll_watch(self.descriptor, descriptor, number, old, new)
  }

  /// Waits for events, and handles some at a time. In between, what other threads send to the loop gets its turn.
  private nonisolated static func wait(_ descriptor: Int32) {
    Signals.leaveToOthers()
    clinux_name_thread("loop")
    withUnsafeTemporaryAllocation(of: CLinuxEpollEvent.self, capacity: Int(CLINUX_EPOLL_BATCH)) { events in
      var hasMore = false
      while true {
        let count = Int(clinux_epoll_take(descriptor, events.baseAddress, hasMore ? 0 : -1))
        // This thread waits while the loop uses them.
        nonisolated(unsafe) let taken = events.prefix(max(0, count))
        if hasMore || count > 0 { hasMore = Loop.sync { shared.handle(taken) } }
      }
    }
  }

  private func handle(_ events: Slice<UnsafeMutableBufferPointer<CLinuxEpollEvent>>) {
    for event in events { watched[event.number]?.takeUnretainedValue().handle(event.flags) }
  }
}
