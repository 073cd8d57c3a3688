// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// How fast TCP may send on a long path, so that what it sends does not wait in the network: TCP itself sends until
/// some queue is full, and then every keystroke waits there, of this machine and of others.
///
/// The limit is the rate at which bytes arrive, a little more while the queue is shorter than its target and less
/// while it is longer. If the queue stays long, it is not this connection's, and TCP does what it likes for a while:
/// otherwise, another connection that fills the queue would get everything.
struct PacingLimit {
  /// What may wait in the network, as time: so much, or a part of a round trip if that is longer, because the rate can
  /// be held no more exactly.
  private static let leastTarget = Duration.milliseconds(2)
  private static let targetPart = 32
  /// How much of the shortest queue may be something else than what waits.
  private static let greatestNoise = Duration.milliseconds(4)
  /// The queue at which the first limit is set.
  private static let noticed = Duration.milliseconds(8)
  /// The number of round trips in which a limit must have shown an effect.
  private static let trials = 8
  /// For how long TCP fills the queue as it likes if the limit had no effect.
  private static let pauses = Duration.seconds(10)...Duration.seconds(300)
  /// By which part of itself the rate changes in a round trip.
  private static let increases = 0.005...0.25
  private static let greatestDecrease = 0.4
  /// The part of a rate that the path is known to take up to which the rate increases as fast as possible.
  private static let knownPart = 0.95
  /// The part of the highest rate of arrival that others are if it is steady.
  private static let steadyPart = 0.8
  /// In how many round trips the highest rate counts as the path's.
  private static let remembered = 8
  /// In bytes per second. A limit below it would take seconds to rise again.
  private static let leastRate = 16.0 * 1024

  /// In bytes per second; nil for no limit.
  private(set) var rate: Double?
  private var arrivalRates: [Double] = []
  private var adapted: ContinuousClock.Instant?
  private var target = leastTarget
  /// The highest rate of arrival when there was last a queue.
  private var known = 0.0
  private var increase = 0.0
  /// The highest rate of arrival when the last increase began, and the round trips since then. It takes two of them
  /// until more arrives.
  private var probe: (rate: Double, roundTrips: Int)?
  /// How much longer a round trip takes than at its shortest although nothing of this connection waits.
  private var noise = Duration.zero
  private var longQueues: [Duration] = []
  private var pause = pauses.lowerBound
  private var pauseEnd: ContinuousClock.Instant?

  /// Whether what waits in the network is kept short.
  var isEffective: Bool { rate != nil && pauseEnd == nil }

  /// Call it while there is more to send than the kernel takes, as often as is convenient.
  ///
  /// - Returns: Whether the limit has changed.
  mutating func adapt(to state: Sockets.ConnectionState, at now: ContinuousClock.Instant) -> Bool {
    guard state.leastRoundTrip >= UnsentLimit.longRoundTrip, state.roundTrip >= state.leastRoundTrip
    else { return false }
    if let adapted, now - adapted < state.roundTrip { return false }
    adapted = now
    if state.arrivalRate > 0 { arrivalRates = (arrivalRates + [state.arrivalRate]).suffix(Self.remembered) }
    let queue = state.roundTrip - state.leastRoundTrip
    target = max(Self.leastTarget, state.leastRoundTrip / Self.targetPart)
    noise = min(noise, queue)
    guard let highest = arrivalRates.max(), rate != nil || queue >= Self.noticed else { return false }
    if let pauseEnd, now >= pauseEnd { self.pauseEnd = nil }
    rate =
      if pauseEnd != nil || isInVain(queue, at: now) {
        highest * (1 + Self.increases.upperBound)
      } else {
        limit(to: queue - noise, state.roundTrip, highest: highest)
      }
    return true
  }

  private mutating func limit(to queue: Duration, _ roundTrip: Duration, highest: Double) -> Double {
    // While TCP begins, what arrives says nothing about the path, and bytes come in bursts.
    if let rate, rate > highest * (1 + Self.increases.upperBound), queue < Self.noticed { return rate }
    let change = (target - queue) / roundTrip
    guard queue > target else {
      adaptIncrease(highest)
      let recovery = min(Self.knownPart * known / highest - 1, Self.increases.upperBound)
      return highest * (1 + max(change / 2, increase, recovery))
    }
    (increase, probe, known) = (0, nil, highest)
    let usual = arrivalRates.sorted()[arrivalRates.count / 2]
    let base = usual < highest * Self.steadyPart ? highest : usual
    return max(base * (1 + max(change, -Self.greatestDecrease)), Self.leastRate)
  }

  /// The rate increases faster and faster as long as more arrives because of it.
  private mutating func adaptIncrease(_ highest: Double) {
    let (first, most) = (Self.increases.lowerBound, Self.increases.upperBound)
    guard let begun = probe, begun.roundTrips > 1 else {
      probe = (probe?.rate ?? highest, (probe?.roundTrips ?? 0) + 1)
      increase = max(increase, first)
      return
    }
    probe = nil
    increase = highest < begun.rate * (1 + increase / 2) ? first : min(increase * 2, most)
  }

  /// Whether the queue stays long: it is not this connection's, or the path is not the one of the shortest round trip.
  private mutating func isInVain(_ queue: Duration, at now: ContinuousClock.Instant) -> Bool {
    longQueues = queue - noise > target ? longQueues + [queue] : []
    guard longQueues.count >= Self.trials, let shortest = longQueues.min() else { return false }
    (longQueues, increase, probe) = ([], 0, nil)
    noise = min(shortest - target, Self.greatestNoise)
    guard shortest - target > Self.greatestNoise else { return false }
    pauseEnd = now + pause
    pause = min(pause * 2, Self.pauses.upperBound)
    return true
  }
}
