// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// How fast TCP may send on a long path, so that what it sends does not wait in the network: TCP itself sends until
/// some queue is full, and then every keystroke waits there, of this machine and of others.
///
/// The limit is the rate at which bytes arrive, and what is lost on the way, a little more while the queue is shorter
/// than its target and less while it is longer. If the queue stays long, it is not this connection's, and TCP does what
/// it likes for a while: otherwise, another connection that fills the queue would get everything.
struct PacingLimit {
  /// What may wait in the network, as time: so much, or a part of a round trip if that is longer, because the rate can
  /// be held no more exactly.
  private static let leastTarget = Duration.milliseconds(2)
  private static let targetPart = 32
  /// How much of the shortest queue may be something else than what waits.
  private static let greatestNoise = Duration.milliseconds(4)
  /// The queue at which the first limit is set.
  private static let noticed = Duration.milliseconds(8)
  /// The number of round trips in which a limit must have shown an effect: those in which higher rates are remembered,
  /// and some in which the queue becomes shorter.
  private static let trials = remembered + 4
  /// For how long TCP fills the queue as it likes if the limit had no effect.
  private static let pauses = Duration.seconds(10)...Duration.seconds(300)
  /// By which part the limit exceeds the highest rate of arrival at most. BBR sends a little less than it has seen
  /// arrive: without the least headroom, the limit would sink with each round trip. The headroom doubles while more and
  /// more arrives.
  private static let headrooms = 0.05...0.25
  /// In how many round trips the limit rises by the least headroom. In fewer, a queue is seen too late. While more and
  /// more arrives, there are fewer steps.
  private static let steps = 12.0
  /// The part that counts as lost on the way at most. If more is lost, it is because too much is sent.
  private static let greatestLoss = 0.1
  /// By which part of itself the limit sinks in a round trip at most.
  private static let greatestDecrease = 0.4
  /// The part of a rate that the path is known to take up to which the limit rises as fast as possible.
  private static let knownPart = 0.95
  /// The part of that rate below which TCP has not found out what the path takes.
  private static let farPart = 0.5
  /// The part of it that still counts as known after TCP has measured the path again.
  private static let doubtedPart = 0.9
  /// The part of the highest rate of arrival that others are if it is steady.
  private static let steadyPart = 0.8
  /// In how many round trips the highest rate counts as the path's. BBR finds out in one of eight what the path takes,
  /// because it sends more than usual, and remembers that for ten.
  private static let remembered = 10
  /// In bytes per second. A limit below it would take long to rise again.
  private static let leastRate = 16.0 * 1024

  /// In bytes per second; nil for no limit.
  private(set) var rate: Double?
  /// In bytes per second, with those that were lost.
  private var arrivalRates: [Double] = []
  /// The segments that the connection had sent when there was last no queue; nil while there is one.
  private var counted: (sent: UInt32, resent: UInt32)?
  /// The part that is lost on the way.
  private var loss = 0.0
  private var adapted: ContinuousClock.Instant?
  private var target = leastTarget
  /// The highest rate of arrival when there was last a queue.
  private var known = 0.0
  private var headroom = headrooms.lowerBound
  /// The highest rate of arrival when the headroom was last adapted, and the round trips since then.
  private var growth: (from: Double, roundTrips: Int)?
  /// How much longer a round trip takes than at its shortest although nothing of this connection waits.
  private var noise = Duration.zero
  private var longQueues: [Duration] = []
  private var pause = pauses.lowerBound
  private var pauseEnd: ContinuousClock.Instant?
  private var lastPauseEnd: ContinuousClock.Instant?

  /// Whether what waits in the network is kept short.
  var isEffective: Bool { rate != nil && pauseEnd == nil }

  /// Whether far less arrives than the path has taken, although nothing waits in the network and there is more to send.
  private(set) var isFarFromKnown = false

  /// Call it when TCP measures the path again. If that does not help, the path has changed, and has a queue so short
  /// that it does not show.
  mutating func measuredAgain() {
    if isFarFromKnown { known *= Self.doubtedPart }
  }

  /// Call it while there is more to send than the kernel takes, as often as is convenient.
  ///
  /// - Returns: Whether the limit has changed.
  mutating func adapt(to state: Sockets.ConnectionState, at now: ContinuousClock.Instant) -> Bool {
    guard state.roundTrip >= state.leastRoundTrip else { return false }
    guard state.leastRoundTrip >= UnsentLimit.longRoundTrip else {
      guard rate != nil else { return false }
      self = PacingLimit()
      return true
    }
    if let adapted, now - adapted < state.roundTrip { return false }
    adapted = now
    let queue = state.roundTrip - state.leastRoundTrip
    target = max(Self.leastTarget, state.leastRoundTrip / Self.targetPart)
    noteLoss(state, queue)
    if state.arrivalRate > 0 {
      arrivalRates = (arrivalRates + [state.arrivalRate / (1 - loss)]).suffix(Self.remembered)
    }
    noise = min(noise, queue)
    guard let highest = arrivalRates.max(), rate != nil || queue >= Self.noticed else { return false }
    if let pauseEnd, now >= pauseEnd { self.pauseEnd = nil }
    isFarFromKnown = isEffective && !state.isLimitedBySender && queue < target && highest < known * Self.farPart
    rate =
      if pauseEnd != nil || isInVain(queue, at: now) {
        max(highest * (1 + Self.headrooms.upperBound), Self.leastRate)
      } else {
        limit(to: queue - noise, state.roundTrip, highest: highest)
      }
    return true
  }

  private mutating func limit(to queue: Duration, _ roundTrip: Duration, highest: Double) -> Double {
    // While TCP begins, what arrives says nothing about the path, and bytes come in bursts.
    let most = highest * (1 + Self.headrooms.upperBound)
    if let rate, rate > most, queue < Self.noticed { return rate }
    guard queue > target else {
      adaptHeadroom(highest)
      let step = headroom / Self.steps * (headroom / Self.headrooms.lowerBound)
      let raised = max(rate ?? highest, highest) * (1 + step)
      let recovered = min(Self.knownPart * known, most)
      return max(min(raised, highest * (1 + headroom)), recovered)
    }
    (headroom, growth, known) = (Self.headrooms.lowerBound, nil, highest)
    let usual = arrivalRates.sorted()[arrivalRates.count / 2]
    let base = usual < highest * Self.steadyPart ? highest : usual
    let change = max((target - queue) / roundTrip, -Self.greatestDecrease)
    return max(base * (1 + change), Self.leastRate)
  }

  private mutating func adaptHeadroom(_ highest: Double) {
    guard let begun = growth else { return growth = (highest, 0) }
    if highest >= begun.from * (1 + headroom / 2) {
      (headroom, growth) = (min(headroom * 2, Self.headrooms.upperBound), (highest, 0))
    } else if begun.roundTrips + 1 < Self.remembered {
      growth = (begun.from, begun.roundTrips + 1)
    } else {
      (headroom, growth) = (Self.headrooms.lowerBound, (highest, 0))
    }
  }

  /// What is lost while there is no queue is lost however little is sent. What a full queue drops does not count.
  private mutating func noteLoss(_ state: Sockets.ConnectionState, _ queue: Duration) {
    guard queue < max(Self.noticed, target + Self.greatestNoise) else { return counted = nil }
    defer { counted = (state.sentCount, state.resentCount) }
    guard let counted, state.sentCount != counted.sent else { return }
    let part = Double(state.resentCount &- counted.resent) / Double(state.sentCount &- counted.sent)
    loss += (min(part, Self.greatestLoss) - loss) / Double(Self.remembered)
  }

  /// Whether the queue stays long: it is not this connection's, or the path is not the one of the shortest round trip.
  private mutating func isInVain(_ queue: Duration, at now: ContinuousClock.Instant) -> Bool {
    longQueues = queue - noise > target ? longQueues + [queue] : []
    guard longQueues.count >= Self.trials, let shortest = longQueues.min() else { return false }
    (longQueues, headroom, growth) = ([], Self.headrooms.lowerBound, nil)
    noise = min(shortest - target, Self.greatestNoise)
    guard shortest - target > Self.greatestNoise else { return false }
    if let lastPauseEnd, now - lastPauseEnd >= Self.pauses.upperBound { pause = Self.pauses.lowerBound }
    pauseEnd = now + pause
    lastPauseEnd = pauseEnd
    pause = min(pause * 2, Self.pauses.upperBound)
    return true
  }
}
