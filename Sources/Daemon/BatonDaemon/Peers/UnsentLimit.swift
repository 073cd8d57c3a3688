// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// How many bytes of streams the kernel takes that it has not sent yet. Whatever is sent next waits for them.
///
/// If they are too few, the connection has nothing to send before the loop comes back, and TCP does not find out how
/// fast the path is. In between, it is half of what is sent in a round trip, or all of it.
struct UnsentLimit {
  static let lengths = 64 * 1024...2 * 1024 * 1024
  /// The time that they may take to be sent in any case: less than people notice.
  private static let time = Duration.milliseconds(2)

  private(set) var limit = lengths.lowerBound

  /// Makes the kernel take more if it had sent everything before this side came back to write more.
  ///
  /// - Returns: Whether the limit has changed.
  mutating func adapt(to state: Sockets.ConnectionState) -> Bool {
    let wanted = state.unsentCount == 0 ? min(2 * limit, state.window) : min(limit, state.window / 2)
    let nearby = Int(Double(state.window) * (Self.time / max(state.roundTrip, Self.time / 8)))
    let adapted = min(max(wanted, nearby, Self.lengths.lowerBound), Self.lengths.upperBound)
    defer { limit = adapted }
    return adapted != limit
  }
}
