// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Testing

@testable import BatonDaemon

@Suite struct UnsentLimitTests {
  private static let mebibyte = 1024 * 1024

  private static func state(
    unsent: Int,
    roundTrip: Duration = .milliseconds(80),
    window: Int = 20 * mebibyte,
    isLimitedBySender: Bool = false
  ) -> Sockets.ConnectionState {
    var state = Sockets.ConnectionState()
    (state.unsentCount, state.roundTrip, state.window) = (unsent, roundTrip, window)
    state.isLimitedBySender = isLimitedBySender
    return state
  }

  @Test func itGrowsWhileTheKernelRunsDry() {
    var limit = UnsentLimit()
    for _ in 0..<10 { _ = limit.adapt(to: Self.state(unsent: 0), rate: nil) }
    #expect(limit.limit == UnsentLimit.lengths.upperBound)
    let isChanged = limit.adapt(to: Self.state(unsent: 0), rate: nil)
    #expect(!isChanged)
  }

  @Test func whatIsSentInTwoMillisecondsIsAlwaysTaken() {
    var limit = UnsentLimit()
    let isChanged = limit.adapt(
      to: Self.state(unsent: 1, roundTrip: .milliseconds(20), window: 5 * Self.mebibyte),
      rate: nil
    )
    #expect(isChanged)
    #expect(limit.limit == 5 * Self.mebibyte / 10)
  }

  /// Otherwise BBR stays in its startup phase, and sends three times as much as the path takes.
  @Test func aLongPathIsMeasuredWithMore() {
    var limit = UnsentLimit()
    for _ in 0..<20 { _ = limit.adapt(to: Self.state(unsent: 0, isLimitedBySender: true), rate: nil) }
    #expect(limit.limit == 20 * Self.mebibyte, "What is sent in a round trip")
    let isChanged = limit.adapt(to: Self.state(unsent: 1, isLimitedBySender: true), rate: nil)
    #expect(!isChanged, "It is enough")
    for _ in 0..<6 { _ = limit.adapt(to: Self.state(unsent: 1), rate: nil) }
    #expect(limit.limit > 8 * Self.mebibyte, "Enough for three round trips")
    for _ in 0..<20 { _ = limit.adapt(to: Self.state(unsent: 1), rate: nil) }
    #expect(limit.limit == UnsentLimit.lengths.upperBound, "What is sent next waits no longer than usual")
  }

  @Test func aShortPathNeverGetsMore() {
    var limit = UnsentLimit()
    let state = Self.state(unsent: 0, roundTrip: .milliseconds(1), isLimitedBySender: true)
    for _ in 0..<20 { _ = limit.adapt(to: state, rate: nil) }
    #expect(limit.limit == UnsentLimit.lengths.upperBound)
  }

  @Test func aLimitedRateNeedsLessUnsent() {
    var limit = UnsentLimit()
    _ = limit.adapt(to: Self.state(unsent: 0), rate: 100e6)
    #expect(limit.limit == 150_000)
    _ = limit.adapt(to: Self.state(unsent: 0), rate: 64e3)
    #expect(limit.limit == 4096)
    _ = limit.adapt(to: Self.state(unsent: 0), rate: .greatestFiniteMagnitude)
    #expect(limit.limit == UnsentLimit.lengths.upperBound)
  }
}
