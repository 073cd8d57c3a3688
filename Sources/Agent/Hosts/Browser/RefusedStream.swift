// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc
import VarlinkClient

/// Ends a stream of a local page that nobody serves, and says why, so that the other machine's browser doesn't wait.
/// Releasing it ends the stream at once.
@Loop
final class RefusedStream {
  private var stream: ProgramStream?
  private var timer: EventLoop.Timer?

  /// How long the other machine may take to read the reason.
  private static let time = Duration.seconds(10)

  /// - Parameters:
  ///   - stream: The value of the event `streamRequested`.
  ///   - onOver: Called once, not before this returns.
  /// - Throws: If no daemon can be called.
  init(
    _ stream: String,
    _ failure: ForwardingFailure,
    path: String?,
    onOver: @escaping @Loop () -> Void
  ) throws(ControlError) {
    timer = EventLoop.Timer { onOver() }
    timer?.set(Loop.now + Self.time)
    self.stream = try ProgramStream(.accepting(stream), path: path) { event in
      guard case .began(let socket) = event else { return onOver() }
      // A socket that was just opened takes so few bytes.
      let bytes = PortFrame.reset(PortFrame.stream, failure).bytes
      _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      _ = shutdown(socket, Int32(SHUT_WR))
    }
  }
}
