// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Reports that the calendar clock was set or that the machine has slept, without polling. If the kernel provides
/// nothing for this, it never reports anything.
@Loop
package final class ClockWatch {
  private var readiness: Readiness?
  private let onChange: @Loop () -> Void

  /// - Parameter onChange: Called on the loop. Read the clocks to learn what has changed.
  package init(onChange: @escaping @Loop () -> Void) {
    self.onChange = onChange
    let descriptor = clinux_clock_watch()
    guard descriptor >= 0 else { return }
    guard clinux_clock_watch_arm(descriptor) == 0 else {
      Sockets.close(descriptor)
      return
    }
    readiness = Readiness(owning: descriptor)
    readiness?.onReadable = { [weak self] in self?.changed() }
    readiness?.isReading = true
  }

  package func close() { readiness?.close() }

  private func changed() {
    guard let readiness else { return }
    var count: UInt64 = 0
    // ECANCELED: the clock has jumped. The timer itself fires in three hundred years.
    _ = read(readiness.descriptor, &count, MemoryLayout.size(ofValue: count))
    guard clinux_clock_watch_arm(readiness.descriptor) == 0 else { return close() }
    onChange()
  }
}
