// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

@Suite struct ConnectionLimiterTests {
  private typealias Limiter = ConnectionLimiter<Int, String>
  private let start = ContinuousClock.Instant.now

  @Test func theOldestOfASourceGivesWayToItsNext() {
    var limiter = Limiter(at: start)
    for id in 0..<ConnectionLimits.silentConnectionsPerSource {
      #expect(limiter.arrived(id, from: "a", wasMet: false, at: start) == .take(evicting: nil))
    }
    #expect(limiter.arrived(100, from: "a", wasMet: false, at: start) == .take(evicting: 0))
    #expect(limiter.arrived(101, from: "b", wasMet: false, at: start) == .take(evicting: nil))
    limiter.left(1)
    #expect(limiter.arrived(102, from: "a", wasMet: false, at: start) == .take(evicting: nil))
    #expect(limiter.arrived(103, from: "a", wasMet: false, at: start) == .take(evicting: 2))
  }

  @Test func manySourcesKeepNobodyOut() {
    var limiter = Limiter(at: start)
    let perSource = ConnectionLimits.silentConnectionsPerSource
    for id in 0..<Limits.silentConnections {
      #expect(limiter.arrived(id, from: "\(id / perSource)", wasMet: false, at: start) == .take(evicting: nil))
    }
    #expect(limiter.arrived(1000, from: "new", wasMet: false, at: start) == .take(evicting: 0))
    // A source with few connections keeps them.
    #expect(limiter.arrived(1001, from: "newer", wasMet: false, at: start) == .take(evicting: perSource))
    // Addresses where a peer was met have places of their own.
    for id in 2000..<2000 + ConnectionLimits.silentConnectionsOfPeers {
      #expect(limiter.arrived(id, from: "peer", wasMet: true, at: start) == .take(evicting: nil))
    }
    #expect(limiter.arrived(3000, from: "peer", wasMet: true, at: start) == .take(evicting: 2000))
  }

  /// A daemon that was started by hand may have few descriptors.
  @Test func strangersLeaveDescriptors() {
    var limiter = Limiter(at: start, descriptors: 64)
    for id in 0..<16 {
      #expect(limiter.arrived(id, from: "\(id)", wasMet: false, at: start) == .take(evicting: nil))
    }
    #expect(limiter.arrived(16, from: "16", wasMet: false, at: start) == .take(evicting: 0))
    #expect(limiter.arrived(17, from: "peer", wasMet: true, at: start) == .take(evicting: nil))
  }

  @Test func aSourceThatComesTooFastIsRefused() {
    var limiter = Limiter(at: start)
    let burst = Int(ConnectionLimits.connectionsPerSourceRate.burst)
    for id in 0..<burst {
      #expect(limiter.arrived(id, from: "a", wasMet: false, at: start) != .refuse)
      limiter.left(id)
    }
    #expect(limiter.arrived(burst, from: "a", wasMet: false, at: start) == .refuse)
    #expect(limiter.arrived(burst, from: "b", wasMet: false, at: start) != .refuse)
    let later = start + .seconds(1 / ConnectionLimits.connectionsPerSourceRate.perSecond)
    #expect(limiter.arrived(burst, from: "a", wasMet: false, at: later) != .refuse)
  }

  @Test func allStrangersTogetherAreLimitedAndNobodyWhoWasMet() {
    var limiter = Limiter(at: start)
    let burst = Int(ConnectionLimits.connectionsRate.burst)
    for id in 0..<burst {
      #expect(limiter.arrived(id, from: "\(id)", wasMet: false, at: start) != .refuse)
      limiter.left(id)
    }
    #expect(limiter.arrived(burst, from: "stranger", wasMet: false, at: start) == .refuse)
    #expect(limiter.arrived(burst, from: "peer", wasMet: true, at: start) == .take(evicting: nil))
  }

  @Test func aSourceThatIsMetLaterHasTheRateOfPeers() {
    var limiter = Limiter(at: start)
    for id in 0...Int(ConnectionLimits.connectionsPerSourceRate.burst) {
      _ = limiter.arrived(id, from: "a", wasMet: false, at: start)
      limiter.left(id)
    }
    #expect(limiter.arrived(1000, from: "a", wasMet: false, at: start) == .refuse)
    for id in 2000..<2000 + Int(ConnectionLimits.connectionsOfPeersRate.burst) {
      #expect(limiter.arrived(id, from: "a", wasMet: true, at: start) != .refuse)
      limiter.left(id)
    }
  }

  @Test func allPeersThatComeOftenAreLimitedTogether() {
    var limiter = Limiter(at: start)
    let count = 2 * Int(ConnectionLimits.connectionsOfPeersRate.burst)
    let taken = (0..<count).count { id in
      defer { limiter.left(id) }
      return limiter.arrived(id, from: "\(id % 8)", wasMet: true, at: start) != .refuse
    }
    let alone = 8 * Int(ConnectionLimits.connectionsPerSourceRate.burst)
    #expect(taken == Int(ConnectionLimits.connectionsOfPeersRate.burst) + alone)
    #expect(limiter.arrived(count, from: "seldom", wasMet: true, at: start) != .refuse)
  }

  /// Claims that devices can make that were removed, and strangers, and how many may be under way.
  private static let rare: [(ClientClaim, Int)] = [
    (.outdated, ConnectionLimits.outdatedHandshakes), (.returning, ConnectionLimits.returningHandshakes),
    (.joining, ConnectionLimits.joiningHandshakes),
  ]

  @Test(arguments: rare) func clientsThatMayBeStrangersTakeNoHandshakeFromMembers(claim: ClientClaim, limit: Int) {
    var limiter = Limiter(at: start)
    for id in 0..<20 {
      let decision = limiter.greeted(id, from: "\(id)", wasMet: false, as: claim, at: start)
      #expect(decision == .take(evicting: id < limit ? nil : id - limit))
    }
    for id in 20..<1000 {
      #expect(limiter.greeted(id, from: "\(id)", wasMet: false, as: claim, at: start) == .refuse, "Too many a second")
    }
    #expect(limiter.greeted(1000, from: "peer", wasMet: true, as: claim, at: start) != .refuse, "Who was met gets in")
    for other in ClientClaim.allCases where other != claim {
      let decision = limiter.greeted(1001, from: "other", wasMet: false, as: other, at: start)
      #expect(decision == .take(evicting: nil))
      limiter.left(1001)
    }
    for id in 1100..<1100 + Limits.handshakes - 1 {
      #expect(limiter.greeted(id, from: "\(id)", wasMet: false, as: .member, at: start) == .take(evicting: nil))
    }
  }

  /// Who comes a hundred times a second, and hangs up each time.
  @Test(arguments: rare, [false, true])
  func oneSourceLeavesTheOthersTheirHandshakes(claim: (ClientClaim, Int), wasMet: Bool) {
    var limiter = Limiter(at: start)
    var taken = 0
    for step in 0..<1000 {
      let now = start + .milliseconds(10 * step)
      if limiter.greeted(step, from: "a", wasMet: wasMet, as: claim.0, at: now) != .refuse { taken += 1 }
      limiter.left(step)
      guard step % 100 == 0 else { continue }
      #expect(limiter.greeted(-step, from: "b", wasMet: false, as: claim.0, at: now) != .refuse, "After \(step) steps")
      limiter.left(-step)
    }
    let rate = ConnectionLimits.rareHandshakesPerSourceRate
    #expect(taken <= Int(rate.burst + 10 * rate.perSecond))
  }

  @Test(arguments: [false, true]) func handshakesOfOneSourceAreLimited(wasMet: Bool) {
    var limiter = Limiter(at: start)
    let rate = wasMet ? ConnectionLimits.handshakesOfPeersRate : ConnectionLimits.handshakesPerSourceRate
    for id in 0..<Int(rate.burst) {
      #expect(limiter.greeted(id, from: "a", wasMet: wasMet, as: .member, at: start) != .refuse)
      limiter.left(id)
    }
    #expect(limiter.greeted(1000, from: "a", wasMet: wasMet, as: .member, at: start) == .refuse)
    #expect(limiter.greeted(1001, from: "b", wasMet: wasMet, as: .member, at: start) != .refuse)
    #expect(limiter.greeted(1002, from: "a", wasMet: wasMet, as: .member, at: start + .seconds(0.05)) != .refuse)
  }

  @Test func handshakesOfManySourcesLeaveThoseOfPeers() {
    var limiter = Limiter(at: start)
    for id in 0..<Int(ConnectionLimits.handshakesRate.burst) {
      #expect(limiter.greeted(id, from: "\(id)", wasMet: false, as: .member, at: start) != .refuse)
      limiter.left(id)
    }
    #expect(limiter.greeted(1000, from: "1000", wasMet: false, as: .member, at: start) == .refuse)
    #expect(limiter.greeted(1001, from: "peer", wasMet: true, as: .member, at: start) == .take(evicting: nil))
  }

  /// When the network is back, from addresses that this machine remembers. None is begun and then given up.
  @Test func aHundredPeersComeAtOnceAndNoneGivesWay() {
    var limiter = Limiter(at: start)
    for id in 0..<ConnectionLimits.handshakesOfPeers {
      #expect(limiter.greeted(id, from: "\(id)", wasMet: true, as: .member, at: start) == .take(evicting: nil))
    }
    #expect(limiter.greeted(1000, from: "1000", wasMet: true, as: .member, at: start) == .take(evicting: 0))
    #expect(limiter.greeted(1001, from: "stranger", wasMet: false, as: .member, at: start) == .take(evicting: nil))
  }

  /// After a restart, from one network or from addresses of their own, none of which this machine remembers.
  @Test(arguments: [false, true]) func aWholeTeamThatComesAtOnceGetsIn(isOneSource: Bool) {
    var limiter = Limiter(at: start)
    let jitters = [0.5, 0.6, 0.7, 0.8, 0.9, 1]
    var waiting = (0..<64).map { (id: $0, due: start, pauses: Backoff(Limits.dialBackoff)) }
    var now = start
    while let next = waiting.indices.min(by: { waiting[$0].due < waiting[$1].due }) {
      now = waiting[next].due
      let id = waiting[next].id
      switch limiter.greeted(id, from: isOneSource ? "a" : "\(id)", wasMet: false, as: .member, at: now) {
      case .take:
        limiter.left(id)
        waiting.remove(at: next)
      case .refuse: waiting[next].due = now + waiting[next].pauses.next(jitter: jitters[id % jitters.count])
      }
    }
    #expect(start.duration(to: now) < .seconds(isOneSource ? 4 : 2))
  }

  @Test func aSourceWhoseConnectionsFailHasFewer() {
    var limiter = Limiter(at: start)
    var taken = 0
    for step in 0..<10_000 {
      let now = start + .milliseconds(step)
      guard limiter.arrived(step, from: "a", wasMet: false, at: now) != .refuse else { continue }
      taken += 1
      limiter.left(step)
      limiter.failed(from: "a", at: now)
    }
    #expect((100...130).contains(taken), "20 at once, and 10 a second of 10 seconds")
    #expect(limiter.arrived(10_000, from: "b", wasMet: false, at: start + .seconds(10)) == .take(evicting: nil))
  }
}
