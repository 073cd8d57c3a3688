// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Checks whether this process can have the threads that the loop needs. Dispatch waits forever for threads that it
/// does not get.
package enum ThreadCheck {
  /// One that waits for events, one for what other threads give to the loop, one for Dispatch itself, and one for calls
  /// that block.
  private static let count = 4

  /// What is wrong, in a sentence. Nil if nothing is.
  package static func fault() -> String? {
    let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(gate, nil)
    pthread_mutex_lock(gate)
    var threads: [pthread_t] = []
    var code: Int32 = 0
    // All exist at the same time, because each waits until all are there.
    while threads.count < count, code == 0 {
      var thread = pthread_t()
      code = pthread_create(&thread, nil, { pass($0) }, gate)
      if code == 0 { threads.append(thread) }
    }
    pthread_mutex_unlock(gate)
    for thread in threads { pthread_join(thread, nil) }
    pthread_mutex_destroy(gate)
    gate.deallocate()
    guard code != 0 else { return nil }
    return
      """
      Can't start \(count) threads (\(String(cString: strerror(code)))). Raise RLIMIT_NPROC (`ulimit -u`) or \
      TasksMax= of the unit.
      """
  }
}

private func pass(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let gate = pointer?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
  pthread_mutex_lock(gate)
  pthread_mutex_unlock(gate)
  return nil
}
