// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

/// The limits on how often something happens: adverts, attempts, and what users share.
enum PacingFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 0, 0, 0, 1, 1, 0, 9, 1, 0, 0], [1, 1, 1, 1, 5, 1, 200, 1], [2, 0, 1, 2, 3, 0, 1, 2, 3, 9], Array(0..<200),
  ]

  static let length = 512

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    switch choices.number(below: 3) {
    case 0: pace(&choices)
    case 1: retry(&choices)
    default: share(&choices)
    }
  }

  private static func pace(_ choices: inout Choices) {
    var pacer = AdvertPacer()
    var now = ContinuousClock.now
    var published: [ContinuousClock.Instant] = []
    var wake: ContinuousClock.Instant?
    while !choices.isOver {
      let pause = choices.byte()
      now += .milliseconds(Int(pause) * (pause > 250 ? 1000 : 10))
      let isDue = wake.map { $0 <= now } ?? false
      guard let decision = isDue ? pacer.due(at: now) : choices.flag() ? pacer.changed(at: now) : nil else { continue }
      switch decision {
      case .publish:
        if let last = published.last { hold(now - last >= AdvertPacer.advertInterval, "Two adverts in \(now - last)") }
        published.append(now)
        wake = nil
      case .wake(let instant):
        hold(instant > now && instant - now <= AdvertPacer.advertRefill, "A change waits for \(instant - now)")
        hold(!isDue || wake != instant, "It is woken without end")
        wake = instant
      }
    }
    let burst = AdvertPacer.advertBurst + 1
    for (first, last) in zip(published, published.dropFirst(burst)) {
      hold(last - first >= AdvertPacer.advertRefill, "\(burst + 1) adverts in \(last - first)")
    }
  }

  private static func retry(_ choices: inout Choices) {
    let bounds = Limits.dialBackoff
    var backoff = Backoff(bounds)
    var due = bounds.lowerBound
    while !choices.isOver {
      if choices.number(below: 16) == 15 {
        backoff.reset()
        due = bounds.lowerBound
      }
      let pause = backoff.next(jitter: 0.5 + Double(choices.byte()) / 510)
      hold(pause >= due / 2 && pause <= due, "A pause of \(pause)")
      due = min(due * 2, bounds.upperBound)
    }
  }

  private static func share(_ choices: inout Choices) {
    let share = choices.pick([
      Limits.teamShare, Limits.staticPeerShare, Limits.diagnosisShare, Limits.joinShare, Limits.controlConnectionShare,
    ])
    var own: [UInt32: Int] = [:]
    while !choices.isOver {
      let user = UInt32(choices.number(below: 6))
      let count = choices.number(below: 64)
      for _ in 0..<count {
        let all = own.values.reduce(0, +)
        if choices.flag() {
          guard share.allows(user, own: own[user] ?? 0, all: all) else { break }
          own[user, default: 0] += 1
        } else if let had = own[user], had > 0 {
          own[user] = had - 1
        }
      }
      let all = own.values.reduce(0, +)
      hold(all <= share.total, "\(all) of \(share.total)")
      hold(own.allSatisfy { $0.key == 0 || $0.value <= share.perUser }, "One user has more than the own share")
      if own[0] ?? 0 == 0 { hold(share.allows(0, own: 0, all: all), "Nothing is left for root") }
    }
  }
}
