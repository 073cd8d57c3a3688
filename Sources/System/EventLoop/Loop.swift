// SPDX-License-Identifier: Apache-2.0

/// The one serial queue on which everything that waits for a descriptor, a timer or a C callback runs.
@globalActor
package actor Loop {
  package static let shared = Loop()

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let executor = LoopExecutor()
  private let taskExecutor: LoopTaskExecutor

  private init() { taskExecutor = LoopTaskExecutor(executor) }

  /// Begins a task that awaits something.
  ///
  /// A task of `Task.init` would be resumed through Dispatch's global queue, and the process then wakes up every second
  /// (``SeparateWork``).
  @discardableResult
  package nonisolated static func begin<Success: Sendable>(
    _ operation: @escaping @Loop @Sendable () async -> Success
  ) -> Task<Success, Never> {
    Task(executorPreference: shared.taskExecutor, operation: operation)
  }

  /// Runs `body` on the loop, and waits until it has run. Call it on a thread of your own.
  ///
  /// - Returns: Whether the loop has asked itself for more, so that you must call this again soon.
  nonisolated static func sync(_ body: @escaping @Loop () -> Void) -> Bool {
    // The compiler does not know that the executor is the actor's. `MainActor.assumeIsolated` does the same, with
    // `withoutActuallyEscaping`, which puts the length of the source's path into the program.
    shared.executor.sync(unsafeBitCast(body, to: (() -> Void).self))
  }
}
