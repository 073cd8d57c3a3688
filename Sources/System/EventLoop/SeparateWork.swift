// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Work that may block, while the loop goes on. The caller limits how much there is at the same time.
package enum SeparateWork {
  /// Runs `body` on a thread of Dispatch that does nothing else meanwhile.
  ///
  /// Don't use Dispatch's global queues for this, nor a source or a task without a queue or an actor of its own, which
  /// end up there. As soon as one was used, Dispatch wakes up every second to count those queues' threads, for as long
  /// as the process lives (`_dispatch_workq_monitor_pools`).
  package static func begin(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "separate").async(execute: body)
  }
}
