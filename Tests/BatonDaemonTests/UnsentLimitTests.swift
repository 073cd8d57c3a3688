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
    for _ in 0..<10 { _ = limit.adapt(to: Self.state(unsent: 0), rate: nil, isShared: false) }
    #expect(limit.limit == UnsentLimit.lengths.upperBound)
    let isChanged = limit.adapt(to: Self.state(unsent: 0), rate: nil, isShared: false)
    #expect(!isChanged)
  }

  @Test func whatIsSentInTwoMillisecondsIsAlwaysTaken() {
    var limit = UnsentLimit()
    let isChanged = limit.adapt(
      to: Self.state(unsent: 1, roundTrip: .milliseconds(20), window: 5 * Self.mebibyte),
      rate: nil,
      isShared: false
    )
    #expect(isChanged)
    #expect(limit.limit == 5 * Self.mebibyte / 10)
  }

  /// Otherwise BBR stays in its startup phase, and sends three times as much as the path takes.
  @Test func aLongPathIsMeasuredWithMore() {
    var limit = UnsentLimit()
    for _ in 0..<20 { _ = limit.adapt(to: Self.state(unsent: 0, isLimitedBySender: true), rate: nil, isShared: false) }
    #expect(limit.limit == 20 * Self.mebibyte, "What is sent in a round trip")
    let isChanged = limit.adapt(to: Self.state(unsent: 1, isLimitedBySender: true), rate: nil, isShared: false)
    #expect(!isChanged, "It is enough")
    for _ in 0..<6 { _ = limit.adapt(to: Self.state(unsent: 1), rate: nil, isShared: false) }
    #expect(limit.limit > 8 * Self.mebibyte, "Enough for three round trips")
    for _ in 0..<20 { _ = limit.adapt(to: Self.state(unsent: 1), rate: nil, isShared: false) }
    #expect(limit.limit == UnsentLimit.lengths.upperBound, "What is sent next waits no longer than usual")
  }

  @Test func aShortPathNeverGetsMore() {
    var limit = UnsentLimit()
    let state = Self.state(unsent: 0, roundTrip: .milliseconds(1), isLimitedBySender: true)
    for _ in 0..<20 { _ = limit.adapt(to: state, rate: nil, isShared: false) }
    #expect(limit.limit == UnsentLimit.lengths.upperBound)
  }

  /// What is sent next to a single stream waits for less.
  @Test(arguments: [(1, 256 * 1024), (2, 512 * 1024), (20, 2048 * 1024)])
  func aSingleStreamOnAShortPathGetsAQuarterOfTheWindow(mebibytes: Int, expected: Int) {
    var limit = UnsentLimit()
    let state = Self.state(unsent: 0, roundTrip: .microseconds(200), window: mebibytes * Self.mebibyte)
    for _ in 0..<20 { _ = limit.adapt(to: state, rate: nil, isShared: false) }
    #expect(limit.limit == expected)
    for _ in 0..<20 { _ = limit.adapt(to: state, rate: nil, isShared: true) }
    #expect(limit.limit == UnsentLimit.lengths.upperBound)
    _ = limit.adapt(to: state, rate: nil, isShared: false)
    #expect(limit.limit == expected)
  }

  @Test func aLimitedRateNeedsLessUnsent() {
    var limit = UnsentLimit()
    _ = limit.adapt(to: Self.state(unsent: 0), rate: 100e6, isShared: false)
    #expect(limit.limit == 150_000)
    _ = limit.adapt(to: Self.state(unsent: 0), rate: 64e3, isShared: false)
    #expect(limit.limit == 4096)
    _ = limit.adapt(to: Self.state(unsent: 0), rate: .greatestFiniteMagnitude, isShared: false)
    #expect(limit.limit == UnsentLimit.lengths.upperBound)
  }
}
