// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

@testable import TLS

/// The limits on connections: those that arrive, those that are made, and the names that are used in them.
enum ConnectionFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 1, 1, 1, 2, 0, 0, 9], [2, 0, 1, 1, 0, 2, 2, 200, 1], Array(0..<250),
  ]

  static let length = 2048

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    switch choices.number(below: 3) {
    case 0: come(&choices)
    case 1: dial(&choices)
    default: say(&choices)
    }
  }

  private static func come(_ choices: inout Choices) {
    let start = ContinuousClock.now
    var now = start
    var limiter = ConnectionLimiter<Int, Int>(at: start)
    var (silent, handshakes): (Set<Int>, Set<Int>) = ([], [])
    var strangers = 0
    var last = 0
    while !choices.isOver {
      let (source, wasMet) = (choices.number(below: 24), choices.flag())
      switch choices.number(below: 6) {
      case 0, 1:
        for _ in 0..<choices.number(below: 64) {
          last += 1
          guard case .take(let evicted) = limiter.arrived(last, from: source, wasMet: wasMet, at: now) else { continue }
          if !wasMet { strangers += 1 }
          if let evicted { hold(silent.remove(evicted) != nil, "\(evicted) gives way, and is not there") }
          silent.insert(last)
        }
      case 2, 3:
        guard let id = silent.min() else { continue }
        silent.remove(id)
        let claim = choices.pick(ClientClaim.allCases)
        switch limiter.greeted(id, from: source, wasMet: wasMet, as: claim, at: now) {
        case .take(let evicted):
          if let evicted { hold(handshakes.remove(evicted) != nil, "\(evicted) gives way, and is not there") }
          handshakes.insert(id)
        case .refuse: break
        }
      case 4:
        for id in [silent.max(), handshakes.min()].compactMap(\.self) {
          limiter.left(id)
          silent.remove(id)
          handshakes.remove(id)
        }
        if choices.flag() { limiter.failed(from: source, at: now) }
      default: now += .milliseconds(Int(choices.byte()) * 10)
      }
      hold(
        silent.count <= Limits.silentConnections + ConnectionLimits.silentConnectionsOfPeers,
        "\(silent.count) are silent"
      )
      let rare =
        ConnectionLimits.outdatedHandshakes + ConnectionLimits.returningHandshakes + ConnectionLimits.joiningHandshakes
      let limit = Limits.handshakes + ConnectionLimits.handshakesOfPeers + rare
      hold(handshakes.count <= limit, "\(handshakes.count) handshakes")
      let rate = ConnectionLimits.connectionsRate
      hold(Double(strangers) <= rate.burst + rate.perSecond * ((now - start) / .seconds(1)) + 1, "\(strangers) came")
    }
    hold(limiter.arrived(last + 1, from: 99, wasMet: true, at: now) != .refuse, "A peer is kept out")
  }

  private static func dial(_ choices: inout Choices) {
    let start = ContinuousClock.now
    var now = start
    var limiter = DialLimiter<Int>()
    var counts: [Int: Int] = [:]
    while !choices.isOver {
      now += .milliseconds(Int(choices.byte()) * 4)
      let target = choices.number(below: 100)
      if limiter.take(to: target, at: now) { counts[target, default: 0] += 1 }
      let time = (now - start) / .seconds(1)
      let (one, all) = (DialLimits.dialsPerTargetRate, DialLimits.dialsRate)
      hold(Double(counts[target] ?? 0) <= one.burst + one.perSecond * time + 1e-3, "\(target) is dialled too often")
      hold(Double(counts.values.reduce(0, +)) <= all.burst + all.perSecond * time + 1e-3, "All are dialled too often")
    }
  }

  private static func say(_ choices: inout Choices) {
    let start: Int64 = 1_800_000_000
    var now = start
    let names = UsedServerNames(now: { now }, age: { now - start })
    var taken: Set<[UInt8]> = []
    var made: Set<[UInt8]> = []
    let lifetime = Limits.serverNameTime.components.seconds
    while !choices.isOver {
      let nonce: [UInt8] = [0, 0, 0, 0, 0, 0, 0, choices.byte()]
      switch choices.number(below: 4) {
      case 0:
        guard !made.contains(nonce), !taken.contains(nonce) else { continue }
        names.made(nonce)
        made.insert(nonce)
      case 1:
        // The time must not be so long that a used name is forgotten.
        now = min(now + Int64(choices.byte()), start + 2 * lifetime)
      default:
        let time = now + Int64(choices.number(below: 256)) * 10 - 1280
        let (toleratesClocks, isOwn) = (choices.flag(), choices.flag())
        let name = ServerName.Opened(nonce: nonce, time: time)
        let claim = choices.pick(ClientClaim.allCases)
        guard names.take(name, as: claim, toleratesClocks: toleratesClocks, isOwn: isOwn) else { continue }
        hold(taken.insert(nonce).inserted, "A name is good twice")
        hold(!made.contains(nonce) || isOwn, "A name is good at its maker")
        hold(toleratesClocks || abs(now - time) <= lifetime, "A name of \(time) is good at \(now)")
        hold(toleratesClocks || time >= start - 5, "A name from before the start is good")
      }
    }
  }
}
