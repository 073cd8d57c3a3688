// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc
import Synchronization
import VarlinkClient

/// Withdraws what the user sends if they interrupt the command, from the moment that the agent is asked to send it.
///
/// A second signal ends the command immediately.
///
/// The setup has `Interruption` instead. It must not block signals: the programs that it starts would inherit that, and
/// the prompt for a passphrase waits for the same signals.
final class TransferInterruption: Sendable {
  private enum State {
    /// The agent has not yet said which transfer it is. The closure hangs up.
    case beginning(@Sendable () -> Void)
    case running(ActivityID)
    case interrupted(Int32)
  }

  private let state: Mutex<State>
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// - Parameter hangUp: Lets the agent know that nobody waits for its answer. What it has already sent can still be
  ///   read.
  init(hangUp: @escaping @Sendable () -> Void) {
    state = Mutex(.beginning(hangUp))
    Signals.hold(Self.signals)
    _ = OwnThread.run { self.wait() }
  }

  /// The signal that interrupted the command.
  var signal: Int32? { state.withLock { if case .interrupted(let number) = $0 { number } else { nil } } }

  /// Call this when the agent says which transfer it is.
  func begin(_ id: ActivityID) {
    let isInterrupted = state.withLock { state in
      if case .interrupted = state { return true }
      state = .running(id)
      return false
    }
    if isInterrupted { Self.cancel(id) }
  }

  private func wait() {
    let number = Signals.next(of: Self.signals)
    let previous = state.withLock { state in
      defer { state = .interrupted(number) }
      return state
    }
    switch previous {
    case .beginning(let hangUp): hangUp()
    // The agent ends it, and says so.
    case .running(let id): Self.cancel(id)
    case .interrupted: break
    }
    _exit(128 + Signals.next(of: Self.signals))
  }

  private static func cancel(_ id: ActivityID) {
    let connection = try? ControlConnection(searchPath: nil)
    _ = try? connection?.call(CancelTransfer.self, TransferID(id: id))
  }
}
