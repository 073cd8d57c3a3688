// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs the loop's jobs on a serial queue.
///
/// What the loop asks itself to do later is done at the end of the same turn, on the same thread, and what that asks
/// for is done in the next turn. Only what other threads ask for wakes up a thread of Dispatch.
final class LoopExecutor: SerialExecutor {
  fileprivate struct Job {
    let job: UnownedJob
    /// What it is for, if it is no job of an actor.
    let task: LoopTaskExecutor?
  }

  private let queue = DispatchQueue(label: "loop")
  private let onQueue = DispatchSpecificKey<Bool>()
  /// Whether a turn is under way. Both are used only on the queue.
  private nonisolated(unsafe) var isInTurn = false
  /// What the loop has asked itself to do.
  private nonisolated(unsafe) var jobs: [Job] = []

  init() { queue.setSpecific(key: onQueue, value: true) }

  func enqueue(_ job: consuming ExecutorJob) { enqueue(Job(job: UnownedJob(job), task: nil)) }

  /// Runs a job at the end of this turn, or in a turn of its own.
  fileprivate func enqueue(_ job: Job) {
    if isOnQueue, isInTurn { return jobs.append(job) }
    begin { self.run(job) }
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
    for job in jobs { run(job) }
    isInTurn = false
    return !self.jobs.isEmpty
  }

  private func run(_ job: Job) {
    if let task = job.task {
      job.job.runSynchronously(on: task.asUnownedTaskExecutor())
    } else {
      job.job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}

/// Resumes tasks on the loop that have awaited something.
final class LoopTaskExecutor: TaskExecutor {
  private let executor: LoopExecutor

  init(_ executor: LoopExecutor) { self.executor = executor }

  func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(.init(job: UnownedJob(job), task: self)) }
}
