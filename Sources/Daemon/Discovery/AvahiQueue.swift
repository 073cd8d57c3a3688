// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// The serial queue for everything that involves Avahi. It is not the loop, because Avahi's calls block for up to 25 s.
///
/// Values go to it and back in tasks, which keep their order.
@globalActor
actor AvahiQueue {
  static let shared = AvahiQueue()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let executor = AvahiExecutor()

  /// The poll with which Avahi waits on this queue.
  @AvahiQueue static var poll: UnsafePointer<AvahiPoll> { shared.executor.poll.avahiPoll }
}

private final class AvahiExecutor: SerialExecutor {
  let poll: SharedPoll = SharedPoll()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = Unmanaged.passRetained(PendingJob(job: UnownedJob(job), executor: self))
    poll.async(job.toOpaque()) { context in
      guard let context else { return }
      let pending = Unmanaged<PendingJob>.fromOpaque(context).takeRetainedValue()
      pending.job.runSynchronously(on: pending.executor.asUnownedSerialExecutor())
    }
  }

  func isIsolatingCurrentContext() -> Bool? { poll.isCurrent }
}

private final class PendingJob {
  let job: UnownedJob
  let executor: AvahiExecutor

  init(job: UnownedJob, executor: AvahiExecutor) {
    self.job = job
    self.executor = executor
  }
}

/// The C side of the queue. It is unchecked because a pointer is not `Sendable`. This pointer never changes and lives
/// as long as the process, and these C functions can be called from any thread.
private struct SharedPoll: @unchecked Sendable {
  private let pointer: OpaquePointer

  init() {
    guard let pointer = dispatch_poll_new("avahi") else { fatalError("Out of memory") }
    self.pointer = pointer
  }

  /// The poll; use it only on the queue.
  var avahiPoll: UnsafePointer<AvahiPoll> { dispatch_poll_get(pointer) }

  var isCurrent: Bool { dispatch_poll_is_current(pointer) }

  func async(_ context: UnsafeMutableRawPointer, _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void) {
    dispatch_poll_async(pointer, context, work)
  }
}
