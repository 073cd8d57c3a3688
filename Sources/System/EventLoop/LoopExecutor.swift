// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs the loop's jobs on a serial queue.
///
/// What the loop asks itself to do later is done at the end of the same turn, on the same thread, and what that asks
/// for is done in the next turn. Only what other threads ask for wakes up a thread of Dispatch.
final class LoopExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "loop")
  private let onQueue = DispatchSpecificKey<Bool>()
  /// Whether a turn is under way. Both are used only on the queue.
  private nonisolated(unsafe) var isInTurn = false
  /// What the loop has asked itself to do.
  private nonisolated(unsafe) var jobs: [UnownedJob] = []

  init() { queue.setSpecific(key: onQueue, value: true) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isOnQueue, isInTurn { return jobs.append(job) }
    begin { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs `body` in a turn, and waits until it has run.
  ///
  /// - Returns: Whether there must be another turn soon.
  func sync(_ body: () -> Void) -> Bool { queue.sync { turn(body) } }

  private func begin(_ body: @escaping @Sendable () -> Void) {
    queue.async { if self.turn(body) { self.begin {} } }
  }

  // With `checkIsolated()` alone, an `isolated deinit` that is reached from a handler runs after the handler, because
  // the poller is no task. Then an event can reach an object that is half gone (SE-0471).
  func isIsolatingCurrentContext() -> Bool? { isOnQueue }

  private var isOnQueue: Bool { DispatchQueue.getSpecific(key: onQueue) ?? false }

  /// - Returns: Whether there must be another turn.
  private func turn(_ body: () -> Void) -> Bool {
    isInTurn = true
    body()
    let jobs = jobs
    self.jobs = []
    for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    isInTurn = false
    return !self.jobs.isEmpty
  }
}
