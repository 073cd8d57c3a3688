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
  }

  /// Returns zeros if the connection is broken.
  package static func connectionState(of descriptor: Int32) -> ConnectionState {
    var state = CLinuxConnectionState()
    guard clinux_connection_state(descriptor, &state) == 0 else { return ConnectionState() }
    return ConnectionState(
      roundTrip: .microseconds(Int64(state.round_trip)),
      window: Int(clamping: state.window),
      unsentCount: Int(state.unsent)
    )
  }

  /// Makes the kernel take no more than so many bytes beyond those that it has sent.
  package static func limitUnsent(_ descriptor: Int32, to length: Int) {
    _ = clinux_limit_unsent(descriptor, Int32(clamping: length))
  }
}
