// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The descriptors that Dispatch needs for its sources, such as those of Avahi's client.
package enum DispatchDescriptors {
  /// Makes Dispatch open them. Otherwise it does so with the first source and the first timer, and ends the process if
  /// there are none left. Takes a millisecond.
  package static func open() {
    // Dispatch opens a descriptor for a timer that is not due yet.
    distant.schedule(deadline: .now() + .seconds(10 * 365 * 24 * 3600))
    distant.resume()
    let isOpen = DispatchSemaphore(value: 0)
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { isOpen.signal() }
    timer.schedule(deadline: .now() + .milliseconds(1))
    timer.resume()
    isOpen.wait()
    timer.cancel()
  }

  private nonisolated(unsafe) static let distant = DispatchSource.makeTimerSource(queue: queue)
  /// A global queue would wake up the process every second (``SeparateWork``).
  private static let queue = DispatchQueue(label: "descriptors")
}
