import Foundation

/// A run loop and a mode in which a stream tells its events.
///
/// One timer that is set again and again: Foundation never frees a timer, so there must not be one for each event. It
/// also keeps the run loop from ending for want of anything to wait for.
// Unchecked: the fields never change, and what is called of them takes the run loop's own locks.
final class RunLoopSchedule: @unchecked Sendable {
  private let runLoop: RunLoop
  private let mode: RunLoop.Mode
  private let timer: Timer

  /// Seconds; CoreFoundation takes no more than 16 years.
  private static let years = TimeInterval(10 * 365 * 24 * 60 * 60)

  /// - Parameter deliver: Called on the run loop's thread after ``wake()``; says whether there was anything to tell.
  init(_ runLoop: RunLoop, _ mode: RunLoop.Mode, _ deliver: @escaping @Sendable () -> Bool) {
    self.runLoop = runLoop
    self.mode = mode
    timer = Timer(fire: .distantFuture, interval: Self.years, repeats: true) { _ in
      // An event of a stream ends `run(mode:before:)`, and a timer does not.
      if deliver() { RunLoop.current._stop() }
    }
    runLoop.add(timer, forMode: mode)
  }

  /// Lets `deliver` be called soon. Any thread.
  func wake() { timer.fireDate = Date() }

  /// `deliver` is not called any more, except where it is under way. Any thread.
  func cancel() { timer.invalidate() }

  func isFor(_ runLoop: RunLoop, _ mode: RunLoop.Mode) -> Bool { self.runLoop === runLoop && self.mode == mode }

  /// Whether this is the run loop of the calling thread.
  var isOnThisThread: Bool { runLoop === RunLoop.current }
}
