// SPDX-License-Identifier: Apache-2.0

import CLinux

/// How fast a TCP connection is, and how much the kernel takes before it has sent it.
extension Sockets {
  /// What the kernel has measured on a connection.
  package struct ConnectionState: Equatable, Sendable {
    /// The smoothed time of a round trip.
    package var roundTrip = Duration.zero
    /// How many bytes may be on their way at the same time: the congestion window.
    package var window = 0
    /// How many bytes the kernel has taken and not sent yet.
    package var unsentCount = 0
    /// The shortest round trip of the last minutes.
    package var leastRoundTrip = Duration.zero
    /// At how many bytes per second they have arrived lately.
    package var arrivalRate = 0.0
    /// Whether the rate that the kernel has measured last was this side's, because there was nothing to send for a
    /// moment, and not the path's.
    package var isLimitedBySender = false
    /// How many segments with bytes were sent since the connection began, and how many of these were sent again,
    /// because they seemed to be lost. They begin again at 0 after 2^32.
    package var sentCount: UInt32 = 0
    package var resentCount: UInt32 = 0

    package init() {}

    init(_ state: CLinuxConnectionState) {
      roundTrip = .microseconds(Int64(state.round_trip))
      window = Int(clamping: state.window)
      unsentCount = Int(state.unsent)
      leastRoundTrip = .microseconds(Int64(state.least_round_trip))
      arrivalRate = Double(state.arrival_rate)
      isLimitedBySender = state.is_limited_by_program != 0
      (sentCount, resentCount) = (state.sent_segments, state.resent_segments)
    }
  }

  /// Returns zeros if the connection is broken.
  package static func connectionState(of descriptor: Int32) -> ConnectionState {
    var state = CLinuxConnectionState()
    guard clinux_connection_state(descriptor, &state) == 0 else { return ConnectionState() }
    return ConnectionState(state)
  }

  /// Makes the kernel take no more than so many bytes beyond those that it has sent.
  package static func limitUnsent(_ descriptor: Int32, to length: Int) {
    _ = clinux_limit_unsent(descriptor, Int32(clamping: length))
  }

  /// Makes TCP measure the path as it does on a new connection, if its congestion control (BBR) keeps what it has
  /// measured. On an old connection, that is the rate of the few bytes that were sent in the meantime.
  package static func restartCongestionControl(_ descriptor: Int32) {
    _ = clinux_restart_congestion_control(descriptor)
  }

  /// Limits how many bytes per second are sent.
  ///
  /// - Parameter rate: Nil for no limit.
  package static func limitRate(_ descriptor: Int32, to rate: Double?) {
    _ = clinux_limit_rate(descriptor, rate.flatMap { UInt(exactly: $0.rounded()) } ?? .max)
  }
}
