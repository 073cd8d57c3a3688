// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A run loop and a mode in which a stream delivers its events.
///
/// There is one timer, which is set again and again. Foundation never frees a timer, so there must not be one for each
/// event. The timer also keeps the run loop from ending because it has nothing to wait for.
// Unchecked: the fields never change, and the methods called on them take the run loop's own locks.
final class RunLoopSchedule: @unchecked Sendable {
  private let runLoop: RunLoop
  private let mode: RunLoop.Mode
  private let timer: Timer

  /// An interval in seconds. CoreFoundation accepts at most 16 years.
  private static let years = TimeInterval(10 * 365 * 24 * 60 * 60)

  /// - Parameter deliver: Called on the run loop's thread after ``wake()``. Returns whether there was an event to
  ///   deliver.
  init(_ runLoop: RunLoop, _ mode: RunLoop.Mode, _ deliver: @escaping @Sendable () -> Bool) {
    self.runLoop = runLoop
    self.mode = mode
    timer = Timer(fire: .distantFuture, interval: Self.years, repeats: true) { _ in
      // An event of a stream ends `run(mode:before:)`, and a timer does not.
      if deliver() { RunLoop.current._stop() }
    }
    runLoop.add(timer, forMode: mode)
  }

  /// Causes `deliver` to be called soon. Any thread may call this.
  func wake() { timer.fireDate = Date() }

  /// Stops calling `deliver`, except for a call that is in progress. Any thread may call this.
  func cancel() { timer.invalidate() }

  func isFor(_ runLoop: RunLoop, _ mode: RunLoop.Mode) -> Bool { self.runLoop === runLoop && self.mode == mode }

  /// Whether this is the run loop of the calling thread.
  var isOnThisThread: Bool { runLoop === RunLoop.current }
}
