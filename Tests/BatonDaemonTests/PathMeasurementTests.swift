// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BatonDaemon

@Suite struct PathMeasurementTests {
  private static let start = ContinuousClock.now
  private static let long = Duration.milliseconds(80)
  private var measurement = PathMeasurement()

  private mutating func isDueWhenFull(
    after time: Duration,
    _ roundTrip: Duration = Self.long,
    isLimited: Bool = false,
    isSlow: Bool = false
  ) -> Bool {
    measurement.isDueWhenFull(at: Self.start + time, isLimited: isLimited, isSlow: isSlow, roundTrip: roundTrip)
  }

  private mutating func isDueWhenSending(after time: Duration, _ roundTrip: Duration = Self.long) -> Bool {
    measurement.isDueWhenSending(at: Self.start + time, roundTrip: roundTrip)
  }

  @Test mutating func aLongPathIsMeasuredAgainAfterAPause() {
    #expect(!isDueWhenFull(after: .zero), "A new connection measures anyway")
    #expect(!isDueWhenFull(after: .seconds(1)))
    #expect(isDueWhenFull(after: .milliseconds(2001)))
    #expect(!isDueWhenFull(after: .milliseconds(2100)), "It was measured")
    #expect(!isDueWhenFull(after: .milliseconds(5000), .milliseconds(300)), "Ten round trips")
    #expect(isDueWhenFull(after: .milliseconds(8001), .milliseconds(300)))
    #expect(!isDueWhenFull(after: .milliseconds(20000), .milliseconds(1)), "A short path")
  }

  /// Otherwise BBR sends four packets in 200 ms, and what somebody types waits for it.
  @Test mutating func withoutAQueueItNeverTakesTenSeconds() {
    var due: [Int] = []
    for time in stride(from: 0, to: 30_000, by: 50) where isDueWhenFull(after: .milliseconds(time), isLimited: true) {
      due.append(time)
    }
    #expect(due == [8000, 16000, 24000])
  }

  /// A loss at the wrong moment ends the time in which BBR finds out how fast the path is.
  @Test mutating func whatBeganTooSlowlyIsMeasuredAgain() {
    var due: [Int] = []
    for time in stride(from: 0, to: 7000, by: 50)
    where isDueWhenFull(after: .milliseconds(time), isLimited: true, isSlow: true) {
      due.append(time)
    }
    #expect(due == [1600, 3200, 4800, 6400])
  }

  @Test mutating func aQueueIsLeftToTCP() {
    for time in stride(from: 0, to: 30_000, by: 50) {
      let isDue = isDueWhenFull(after: .milliseconds(time))
      #expect(!isDue)
    }
  }

  @Test mutating func smallMessagesDoNotWaitEither() {
    var due: [Int] = []
    for time in stride(from: 0, to: 30_000, by: 50) where isDueWhenSending(after: .milliseconds(time)) {
      due.append(time)
    }
    #expect(due == [8000, 16000, 24000])
    #expect(!isDueWhenSending(after: .seconds(40), .milliseconds(1)), "A short path")
  }

  @Test mutating func aFullConnectionIsNotMeasuredForEachMessage() {
    for time in stride(from: 0, to: 30_000, by: 50) {
      let isDue = isDueWhenFull(after: .milliseconds(time)) || isDueWhenSending(after: .milliseconds(time + 1))
      #expect(!isDue)
    }
  }
}
