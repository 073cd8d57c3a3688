// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// One timer on Avahi's queue that can be set repeatedly. It fires once each time it is set.
@AvahiQueue
final class AvahiTimer {
  private let handler: @AvahiQueue () -> Void
  private var timeout: OpaquePointer?

  init(_ handler: @escaping @AvahiQueue () -> Void) { self.handler = handler }

  isolated deinit { cancel() }

  /// Makes the timer fire after `delay`, and no longer at the time that was set before.
  func set(after delay: Duration) {
    var when = timeval()
    let (seconds, attoseconds) = delay.components
    let milliseconds = UInt32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    avahi_elapse_time(&when, milliseconds, 0)
    let poll = AvahiQueue.poll
    if let timeout { return poll.pointee.timeout_update(timeout, &when) }
    timeout = poll.pointee.timeout_new(
      poll,
      &when,
      { _, context in AvahiTimer.at(context)?.handler() },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  func cancel() {
    guard let timeout else { return }
    AvahiQueue.poll.pointee.timeout_free(timeout)
    self.timeout = nil
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> AvahiTimer? {
    context.map { Unmanaged<AvahiTimer>.fromOpaque($0).takeUnretainedValue() }
  }
}
