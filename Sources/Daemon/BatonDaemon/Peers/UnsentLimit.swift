// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// How many bytes of streams the kernel takes that it has not sent yet. Whatever is sent next waits for them.
///
/// If they are too few, the connection has nothing to send before the loop comes back, and TCP does not find out how
/// fast the path is. In between, it is half of what is sent in a round trip, or all of it.
struct UnsentLimit {
  static let lengths = 64 * 1024...2 * 1024 * 1024
  /// The same while TCP measures only how fast this side comes back. On a long path, that takes a round trip for each
  /// attempt, and until then BBR sends three times as much as the path takes.
  private static let longest = 32 * 1024 * 1024
  /// The round trip from which a path is long.
  static let longRoundTrip = Duration.milliseconds(5)
  /// The time that they may take to be sent in any case: less than people notice.
  private static let time = Duration.milliseconds(2)
  /// The same if the rate is limited. TCP need not find out how fast the path is then.
  private static let limitedTime = Duration.microseconds(1500)
  private static let leastLength = 4 * 1024
  /// The most on a short path while a single stream is sent, beside a quarter of what may be on its way. One stream is
  /// not slower with it.
  private static let longestOfOneStream = 256 * 1024
  /// The part by which a limit beyond the usual ones shrinks each time: TCP needs enough for three round trips more.
  private static let shrinkage = 8

  private(set) var limit = lengths.lowerBound

  /// Makes the kernel take more if it had sent everything before this side came back to write more.
  ///
  /// - Parameters:
  ///   - rate: The bytes per second that are sent at most, if that is known.
  ///   - isShared: Whether several streams are sent.
  /// - Returns: Whether the limit has changed.
  mutating func adapt(to state: Sockets.ConnectionState, rate: Double?, isShared: Bool) -> Bool {
    let adapted =
      if let rate {
        max(Int(min(rate * (Self.limitedTime / .seconds(1)), Double(Self.lengths.upperBound))), Self.leastLength)
      } else {
        state.roundTrip >= Self.longRoundTrip
          ? max(usual(for: state), longPath(for: state))
          : isShared ? usual(for: state) : min(usual(for: state), max(state.window / 4, Self.longestOfOneStream))
      }
    defer { limit = adapted }
    return adapted != limit
  }

  private func usual(for state: Sockets.ConnectionState) -> Int {
    let wanted = state.unsentCount == 0 ? min(2 * limit, state.window) : min(limit, state.window / 2)
    let nearby = Int(Double(state.window) * (Self.time / max(state.roundTrip, Self.time / 8)))
    return min(max(wanted, nearby, Self.lengths.lowerBound), Self.lengths.upperBound)
  }

  private func longPath(for state: Sockets.ConnectionState) -> Int {
    guard state.isLimitedBySender else { return limit - limit / Self.shrinkage }
    return state.unsentCount == 0 ? min(2 * limit, state.window, Self.longest) : limit
  }
}
