import Dispatch

/// The one serial queue on which everything that waits for a descriptor, a timer or a C callback runs.
///
/// Handlers given to Dispatch sources inside `@Loop` code are isolated to it by the compiler and checked at run time.
@globalActor
package actor Loop {
  package static let shared = Loop()

  /// The queue to create Dispatch sources on.
  package nonisolated static var queue: DispatchQueue { shared.executor.queue }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let executor = QueueExecutor()
}

private final class QueueExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "loop")
  private let onQueue = DispatchSpecificKey<Bool>()

  init() { queue.setSpecific(key: onQueue, value: true) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  // With `checkIsolated()` alone an `isolated deinit` reached from a Dispatch handler runs after the handler, and a
  // source can fire into an object that is half gone (SE-0471).
  func isIsolatingCurrentContext() -> Bool? { DispatchQueue.getSpecific(key: onQueue) ?? false }
}
