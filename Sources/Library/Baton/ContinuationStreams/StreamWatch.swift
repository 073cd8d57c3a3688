// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Waits on the loop for events that a stream's delegate must receive.
@Loop
final class StreamWatch {
  private let direction: StreamCore.Direction
  private weak var core: StreamCore?
  private var readiness: Readiness?
  private var timer: EventLoop.Timer?
  private var isStopped = false

  nonisolated init(_ direction: StreamCore.Direction, _ core: StreamCore) {
    self.direction = direction
    self.core = core
  }

  /// Notifies the core once when the socket has bytes or space, or has ended. Any thread may call this.
  nonisolated func start() {
    Task { @Loop in watch() }
  }

  /// Tells the core once at the given time. Any thread may call this.
  nonisolated func wake(at deadline: ContinuousClock.Instant) {
    Task { @Loop in set(deadline) }
  }

  /// Stops telling the core. Any thread may call this.
  nonisolated func stop() {
    Task { @Loop in end() }
  }

  private func watch() {
    guard !isStopped, let readiness = readiness ?? makeReadiness() else { return }
    if direction == .input { readiness.isReading = true } else { readiness.isWriting = true }
  }

  private func makeReadiness() -> Readiness? {
    guard let core, let socket = core.socket else { return nil }
    let descriptor = socket.duplicate()
    guard descriptor >= 0 else {
      core.fail(SystemError("dup"))
      return nil
    }
    let readiness = Readiness(owning: descriptor)
    // Level-triggered: off until the app has read or written.
    let fire: @Loop () -> Void = { [weak self] in
      self?.readiness?.isReading = false
      self?.readiness?.isWriting = false
      self?.core?.becameReady()
    }
    readiness.onReadable = fire
    readiness.onWritable = fire
    self.readiness = readiness
    return readiness
  }

  private func set(_ deadline: ContinuousClock.Instant) {
    guard !isStopped else { return }
    let timer = timer ?? Timer { [weak self] in self?.core?.becameReady() }
    self.timer = timer
    timer.set(deadline)
  }

  private func end() {
    isStopped = true
    readiness?.close()
    timer?.set(nil)
  }
}
