// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// Keeps what a TCP connection has under way short enough for what is sent next, and long enough for the path.
@Loop
struct PathControl {
  private let descriptor: Int32
  private var unsent = UnsentLimit()
  private var pacing = PacingLimit()
  private var measurement = PathMeasurement()
  /// Whether several streams send.
  var isShared = false
  /// Whether the path is long, as it was seen when the kernel last took more.
  private(set) var isLong = false

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    Sockets.limitUnsent(descriptor, to: unsent.limit)
  }

  /// The time of a round trip, as the kernel has measured it.
  var roundTrip: Duration { Self.roundTrip(of: descriptor) }

  private static func roundTrip(of descriptor: Int32) -> Duration {
    Sockets.connectionState(of: descriptor).roundTrip
  }

  /// How many bytes the kernel should take now; 0 if it is not worth while.
  var space: Int {
    let space = unsent.limit - Sockets.connectionState(of: descriptor).unsentCount
    return space >= unsent.limit / 4 ? space : 0
  }

  /// Call it when the kernel takes more.
  mutating func adapt() {
    let state = Sockets.connectionState(of: descriptor)
    isLong = state.roundTrip >= UnsentLimit.longRoundTrip
    if pacing.adapt(to: state, at: Loop.now) { Sockets.limitRate(descriptor, to: pacing.rate) }
    if unsent.adapt(to: state, rate: pacing.rate, isShared: isShared) {
      Sockets.limitUnsent(descriptor, to: unsent.limit)
    }
  }

  /// Call it when there is more to send than the kernel takes.
  mutating func noteFull() {
    let descriptor = descriptor
    let isDue = measurement.isDueWhenFull(
      at: Loop.now,
      isLimited: pacing.isEffective,
      isSlow: pacing.isFarFromKnown,
      roundTrip: Self.roundTrip(of: descriptor)
    )
    if isDue { pacing.measuredAgain() }
    measure(if: isDue)
  }

  /// Call it when something is sent.
  mutating func noteSending() {
    let descriptor = descriptor
    measure(if: measurement.isDueWhenSending(at: Loop.now, roundTrip: Self.roundTrip(of: descriptor)))
  }

  private func measure(if isDue: Bool) {
    if isDue { Sockets.restartCongestionControl(descriptor) }
  }
}
