// SPDX-License-Identifier: Apache-2.0

/// Gives memory back to the kernel when what needed it is over: the start of this process, and each time in which it
/// was used. It wakes the process once after each such time.
@Loop
package final class MemoryReturn {
  /// The time after which a start is over.
  private static let startTime = Duration.seconds(2)
  /// The time without use after which more is not expected soon.
  private static let restTime = Duration.seconds(30)

  private let giveBack: @Loop () -> Void
  private var isStarting = true
  private var used: ContinuousClock.Instant?
  private lazy var timer = Timer { [weak self] in self?.fire() }

  /// - Parameter giveBack: Called on the loop: two seconds from now, and half a minute after each use.
  package init(_ giveBack: @escaping @Loop () -> Void = { OwnMemory.giveBack() }) {
    self.giveBack = giveBack
    timer.set(Loop.now + Self.startTime)
  }

  /// Call it whenever somebody uses the process.
  package func noteUse() {
    let now = Loop.now
    used = now
    if timer.deadline == nil { timer.set(now + Self.restTime) }
  }

  private func fire() {
    let rest = used.map { $0 + Self.restTime }
    if let rest, rest > Loop.now {
      timer.set(rest)
      guard isStarting else { return }
    } else {
      used = nil
    }
    isStarting = false
    giveBack()
  }
}
