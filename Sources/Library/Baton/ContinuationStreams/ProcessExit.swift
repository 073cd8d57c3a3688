// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// Delays the exit of a process until the daemon has received what the closed streams were given.
///
/// When a process ends, the daemon learns of all its closed descriptors at the same time. A stream with bytes on the
/// way would look as if its app had been killed, and would break. exit(3) waits here; `_exit` and signals do not.
enum ProcessExit {
  /// How long an exiting process waits for the streams it closed to finish: as long as a stopping daemon does.
  private static let streamExitTime = Duration.seconds(3)

  private static let unsettled = DispatchGroup()

  private static let handler: Void = {
    atexit {
      let time = Self.streamExitTime.components.seconds
      _ = ProcessExit.unsettled.wait(timeout: .now() + .seconds(Int(time)))
    }
  }()

  /// Delays the exit until the outcome of a stream is known. The app has ended its direction of the stream on purpose.
  static func wait(for outcome: StreamOutcome) {
    _ = handler
    unsettled.enter()
    outcome.whenSet { unsettled.leave() }
  }
}
