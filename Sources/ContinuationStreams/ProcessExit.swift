import Activity
import Dispatch
import Glibc

/// Keeps a process that exits until the daemon has what its closed streams were given.
///
/// The kernel tells the daemon of a process's end all at once, so that a stream of which bytes are under way would look as if its app had been
/// killed, and would break. exit(3) waits here; `_exit` and signals do not.
enum ProcessExit {
  private static let unsettled = DispatchGroup()

  private static let handler: Void = {
    atexit {
      let time = Limits.streamExitTime.components.seconds
      _ = ProcessExit.unsettled.wait(timeout: .now() + .seconds(Int(time)))
    }
  }()

  /// The app has ended its direction of a stream, and means it.
  static func wait(for outcome: StreamOutcome) {
    _ = handler
    unsettled.enter()
    outcome.whenSet { unsettled.leave() }
  }
}
