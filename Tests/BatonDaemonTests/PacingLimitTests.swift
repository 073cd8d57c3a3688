// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Testing

@testable import BatonDaemon

@Suite struct PacingLimitTests {
  /// A path with a queue in which bytes wait if more is sent than it takes.
  private struct Path {
    /// In bytes per second.
    var capacity = 10e6
    /// Without a queue.
    var roundTrip = Duration.milliseconds(40)
    /// The shortest that the kernel remembers.
    var leastRoundTrip = Duration.milliseconds(40)
    /// How long others' bytes take that wait in the same queue.
    var others = Duration.zero
    /// How much may wait, as time. What is more is lost; nil: a round trip.
    var buffer: Duration?
    /// The part of the bytes that is lost on the way, whatever waits.
    var loss = 0.0
    /// What decides how much TCP sends on its own; nil: it always sends a quarter more than the path takes.
    var bbr: BBR?
    var waiting = 0.0
    var time = ContinuousClock.now
    var sent = 0.0
    var sentCount = 0.0
    var resentCount = 0.0
    var limit = PacingLimit()

    var queue: Duration { .seconds(1) * (waiting / capacity) }

    /// - Returns: The part of the capacity that was used, and the longest queue.
    mutating func run(for roundTrips: Int) -> (use: Double, queue: Duration) {
      var (arrived, lasted, longest) = (0.0, 0.0, Duration.zero)
      for _ in 0..<roundTrips {
        let whole = roundTrip + queue + others
        let seconds = whole / .seconds(1)
        // What is sent now is in the queue half a round trip later.
        let rate = sent
        sent = min(limit.rate ?? .infinity, bbr?.rate ?? max(1.25 * capacity, 1))
        let arrivalRate = (1 - loss) * min(capacity, rate + waiting / seconds)
        bbr?.note(arrivalRate)
        let space = capacity * ((buffer ?? roundTrip) / .seconds(1))
        waiting = max(0, waiting + (rate - capacity) * seconds)
        let excess = max(0, waiting - space)
        waiting -= excess
        time += whole
        var state = Sockets.ConnectionState()
        (state.roundTrip, state.leastRoundTrip, state.arrivalRate) = (whole, leastRoundTrip, arrivalRate)
        sentCount += rate * seconds
        resentCount += rate * seconds * loss + excess
        // As in the kernel, they begin again at 0.
        state.sentCount = UInt32(truncatingIfNeeded: Int(sentCount))
        state.resentCount = UInt32(truncatingIfNeeded: Int(resentCount))
        _ = limit.adapt(to: state, at: time)
        arrived += arrivalRate * seconds
        lasted += seconds
        longest = max(longest, queue)
      }
      return (arrived / lasted / capacity, longest)
    }
  }

  /// BBR sends at the highest rate of arrival that it has seen, less a margin, and tries out more in one of eight round
  /// trips. From Linux's tcp_bbr.c.
  private struct BBR {
    private static let gains = [1.25, 0.75, 1, 1, 1, 1, 1, 1]
    private static let margin = 0.01
    private static let remembered = gains.count + 2
    var arrivalRates: [Double]
    private var roundTrips = 0

    init(from rate: Double) { arrivalRates = [rate] }

    var rate: Double {
      Self.gains[roundTrips % Self.gains.count] * (1 - Self.margin) * (arrivalRates.max() ?? 0)
    }

    mutating func note(_ arrivalRate: Double) {
      arrivalRates = (arrivalRates + [arrivalRate]).suffix(Self.remembered)
      roundTrips += 1
    }
  }

  @Test(arguments: [10, 40, 80, 150], [0.05e6, 2.5e6, 125e6])
  func theQueueStaysShort(roundTrip: Int, capacity: Double) {
    let roundTrip = Duration.milliseconds(roundTrip)
    var path = Path(capacity: capacity, roundTrip: roundTrip, leastRoundTrip: roundTrip)
    _ = path.run(for: 40)
    let (use, queue) = path.run(for: 400)
    #expect(use >= 0.97)
    // It takes two round trips until a queue is seen that grows.
    #expect(queue <= max(.milliseconds(10), roundTrip / 9))
  }

  @Test(arguments: [10, 40, 80, 150], [0, 0.001, 0.005, 0.02, 0.05])
  func lossMakesItNoSlower(roundTrip: Int, loss: Double) {
    let roundTrip = Duration.milliseconds(roundTrip)
    var path = Path(capacity: 125e6, roundTrip: roundTrip, leastRoundTrip: roundTrip, loss: loss, bbr: BBR(from: 150e6))
    _ = path.run(for: 40)
    let (use, queue) = path.run(for: 400)
    // BBR itself sends what has arrived, and a part of that is lost again.
    #expect(use >= 0.95 * (1 - loss) * (1 - loss))
    #expect(queue <= .milliseconds(15))
  }

  @Test(arguments: [0, 0.001, 0.005, 0.02, 0.05]) func aPathWithLossThatBecomesFasterIsUsed(loss: Double) {
    var path = Path(loss: loss, bbr: BBR(from: 12e6))
    _ = path.run(for: 100)
    path.capacity *= 4
    _ = path.run(for: 100)
    #expect(path.run(for: 100).use >= 0.9 * (1 - loss) * (1 - loss))
  }

  @Test func aShortPathIsNotLimited() {
    var path = Path(capacity: 100e6, roundTrip: .milliseconds(4), leastRoundTrip: .milliseconds(4))
    _ = path.run(for: 100)
    #expect(path.limit.rate == nil)
  }

  @Test func aPathThatBecomesFasterIsUsed() {
    var path = Path()
    _ = path.run(for: 100)
    path.capacity *= 10
    _ = path.run(for: 40)
    #expect(path.run(for: 100).use >= 0.95)
  }

  /// - Parameter phase: Where in its waves the limit is when that happens.
  @Test(arguments: 0..<12, [true, false]) func aPathThatBecomesSlowerHasNoQueueSoon(phase: Int, hasBBR: Bool) {
    var path = Path(bbr: hasBBR ? BBR(from: 12e6) : nil)
    _ = path.run(for: 100 + phase)
    path.capacity /= 10
    _ = path.run(for: 40)
    #expect(path.limit.isEffective)
    let (use, queue) = path.run(for: 100)
    #expect(use >= 0.9)
    #expect(queue <= .milliseconds(8))
  }

  /// A VPN, for example, has found a direct path.
  @Test func aPathThatBecomesShortIsNotLimited() {
    var path = Path()
    _ = path.run(for: 100)
    #expect(path.limit.rate != nil)
    (path.roundTrip, path.leastRoundTrip) = (.milliseconds(1), .milliseconds(1))
    _ = path.run(for: 1)
    #expect(path.limit.rate == nil)
    #expect(!path.limit.isEffective)
  }

  /// The kernel has begun too slowly, and would need seconds.
  @Test func itNoticesThatFarLessArrivesThanThePathTakes() {
    var path = Path(bbr: BBR(from: 12e6))
    _ = path.run(for: 100)
    #expect(!path.limit.isFarFromKnown)
    (path.bbr, path.sent) = (BBR(from: 1e6), 0)
    _ = path.run(for: 12)
    #expect(path.limit.isFarFromKnown)
    path.bbr = BBR(from: 12e6)
    _ = path.run(for: 12)
    #expect(!path.limit.isFarFromKnown)
  }

  /// Its queue shows that it is not TCP that is slow.
  @Test func aSlowerPathIsNotFarFromKnown() {
    var path = Path(bbr: BBR(from: 12e6))
    _ = path.run(for: 100)
    path.capacity /= 10
    var isFar = false
    for _ in 0..<60 {
      _ = path.run(for: 1)
      isFar = isFar || path.limit.isFarFromKnown
    }
    #expect(path.limit.isEffective)
    #expect(!isFar)
  }

  /// Nothing waits before a policer, which drops what is too much. TCP does not measure such a path for ever.
  @Test func aSlowerPathWithoutAQueueIsBelievedSoon() {
    var path = Path(bbr: BBR(from: 12e6))
    _ = path.run(for: 100)
    path.capacity /= 10
    path.buffer = .zero
    (path.bbr, path.sent) = (BBR(from: 1e6), 0)
    var measurements = 0
    while measurements < 20 {
      _ = path.run(for: 20)
      guard path.limit.isFarFromKnown else { break }
      path.limit.measuredAgain()
      measurements += 1
    }
    #expect((1...18).contains(measurements))
  }

  /// An app that has little to say is no reason to measure the path.
  @Test func whatIsNotSentIsNotMissed() {
    var path = Path(bbr: BBR(from: 12e6))
    _ = path.run(for: 100)
    var state = Sockets.ConnectionState()
    (state.roundTrip, state.leastRoundTrip) = (path.roundTrip, path.leastRoundTrip)
    (state.arrivalRate, state.isLimitedBySender) = (1000, true)
    for _ in 0..<20 {
      path.time += path.roundTrip
      _ = path.limit.adapt(to: state, at: path.time)
      #expect(!path.limit.isFarFromKnown)
    }
  }

  /// What a short queue drops is not lost on the way.
  @Test(arguments: [1, 5, 10]) func aShortBufferIsNotFlooded(buffer: Int) {
    var path = Path(buffer: .milliseconds(buffer), bbr: BBR(from: 12e6))
    _ = path.run(for: 200)
    let (sent, resent) = (path.sentCount, path.resentCount)
    let use = path.run(for: 400).use
    #expect(use >= 0.95)
    #expect((path.resentCount - resent) / (path.sentCount - sent) <= 0.03)
  }

  /// A radio or a busy receiver adds to each round trip.
  @Test(arguments: [1, 3, 5]) func whatIsNoQueueDoesNotMakeItSlow(noise: Int) {
    var path = Path()
    _ = path.run(for: 100)
    path.others = .milliseconds(noise)
    _ = path.run(for: 100)
    #expect(path.run(for: 200).use >= 0.95)
  }

  /// Otherwise they would get all of it.
  @Test func itGivesUpWhileOthersFillTheQueue() {
    var path = Path()
    _ = path.run(for: 100)
    path.others = .milliseconds(40)
    _ = path.run(for: 30)
    #expect(!path.limit.isEffective)
    #expect(path.run(for: 50).use >= 0.95)
    path.others = .zero
    // The pause ends.
    _ = path.run(for: 400)
    #expect(path.limit.isEffective)
    #expect(path.run(for: 100).queue <= .milliseconds(8))
  }

  /// After minutes without them, it tries as often as at first.
  @Test func othersOfLongAgoCountNoMore() {
    var path = Path()
    for _ in 0..<3 {
      path.others = .zero
      _ = path.run(for: 8000)
      #expect(path.limit.isEffective)
      path.others = .milliseconds(40)
      _ = path.run(for: 30)
      #expect(!path.limit.isEffective)
      path.others = .zero
      // Its first pause: 10 s.
      _ = path.run(for: 400)
      #expect(path.limit.isEffective)
    }
  }

  @Test func aHiccupIsOverSoon() {
    var path = Path()
    _ = path.run(for: 100)
    path.capacity /= 4
    _ = path.run(for: 3)
    path.capacity *= 4
    _ = path.run(for: 12)
    #expect(path.run(for: 30).use >= 0.95)
  }

  /// The kernel remembers the shorter round trip for five minutes.
  @Test func aPathThatBecomesLongerIsUsed() {
    var path = Path()
    _ = path.run(for: 100)
    path.roundTrip = .milliseconds(100)
    #expect(path.run(for: 3000).use >= 0.9)
  }

  @Test func itNeverFallsSoLowThatItTakesLongToRise() {
    var path = Path()
    _ = path.run(for: 100)
    path.capacity = 10
    _ = path.run(for: 100)
    path.capacity = 10e6
    _ = path.run(for: 60)
    #expect(path.run(for: 100).use >= 0.95)
  }
}
