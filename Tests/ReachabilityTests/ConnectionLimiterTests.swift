import Activity
import Reachability
import Testing

@Suite struct ConnectionLimiterTests {
  private typealias Limiter = ConnectionLimiter<Int, String>
  private let start = ContinuousClock.Instant.now

  @Test func theOldestOfASourceGivesWayToItsNext() {
    var limiter = Limiter(at: start)
    for id in 0..<Limits.silentConnectionsPerSource {
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
    let perSource = Limits.silentConnectionsPerSource
    for id in 0..<Limits.silentConnections {
      #expect(limiter.arrived(id, from: "\(id / perSource)", wasMet: false, at: start) == .take(evicting: nil))
    }
    #expect(limiter.arrived(1000, from: "new", wasMet: false, at: start) == .take(evicting: 0))
    // A source with few connections keeps them.
    #expect(limiter.arrived(1001, from: "newer", wasMet: false, at: start) == .take(evicting: perSource))
    // Addresses where a peer was met have places of their own.
    for id in 2000..<2000 + Limits.silentConnectionsOfPeers {
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
    let burst = Int(Limits.connectionsPerSourceRate.burst)
    for id in 0..<burst {
      #expect(limiter.arrived(id, from: "a", wasMet: false, at: start) != .refuse)
      limiter.left(id)
    }
    #expect(limiter.arrived(burst, from: "a", wasMet: false, at: start) == .refuse)
    #expect(limiter.arrived(burst, from: "b", wasMet: false, at: start) != .refuse)
    let later = start + .seconds(1 / Limits.connectionsPerSourceRate.perSecond)
    #expect(limiter.arrived(burst, from: "a", wasMet: false, at: later) != .refuse)
  }

  @Test func allStrangersTogetherAreLimitedAndNobodyWhoWasMet() {
    var limiter = Limiter(at: start)
    let burst = Int(Limits.connectionsRate.burst)
    for id in 0..<burst {
      #expect(limiter.arrived(id, from: "\(id)", wasMet: false, at: start) != .refuse)
      limiter.left(id)
    }
    #expect(limiter.arrived(burst, from: "stranger", wasMet: false, at: start) == .refuse)
    #expect(limiter.arrived(burst, from: "peer", wasMet: true, at: start) == .take(evicting: nil))
  }

  @Test func aSourceThatIsMetLaterHasTheRateOfPeers() {
    var limiter = Limiter(at: start)
    for id in 0...Int(Limits.connectionsPerSourceRate.burst) {
      _ = limiter.arrived(id, from: "a", wasMet: false, at: start)
      limiter.left(id)
    }
    #expect(limiter.arrived(1000, from: "a", wasMet: false, at: start) == .refuse)
    for id in 2000..<2000 + Int(Limits.connectionsOfPeersRate.burst) {
      #expect(limiter.arrived(id, from: "a", wasMet: true, at: start) != .refuse)
      limiter.left(id)
    }
  }

  @Test(arguments: [(ClientClaim.returning, Limits.returningHandshakes), (.joining, Limits.joiningHandshakes)])
  func clientsThatMayBeStrangersTakeNoHandshakeFromMembers(claim: ClientClaim, limit: Int) {
    var limiter = Limiter(at: start)
    for id in 0..<20 {
      let decision = limiter.greeted(id, from: "\(id)", wasMet: false, as: claim, at: start)
      #expect(decision == .take(evicting: id < limit ? nil : id - limit))
    }
    #expect(
      limiter.greeted(20, from: "20", wasMet: true, as: claim, at: start) == .refuse,
      "They are too many a second"
    )
    for id in 100..<100 + Limits.handshakes {
      #expect(limiter.greeted(id, from: "\(id)", wasMet: false, as: .member, at: start) == .take(evicting: nil))
    }
    #expect(limiter.greeted(1000, from: "x", wasMet: false, as: .member, at: start) == .take(evicting: 100))
  }

  @Test(arguments: [false, true]) func handshakesOfOneSourceAreLimited(wasMet: Bool) {
    var limiter = Limiter(at: start)
    for id in 0..<Int(Limits.handshakesPerSourceRate.burst) {
      #expect(limiter.greeted(id, from: "a", wasMet: wasMet, as: .member, at: start) != .refuse)
      limiter.left(id)
    }
    #expect(limiter.greeted(100, from: "a", wasMet: wasMet, as: .member, at: start) == .refuse)
    #expect(limiter.greeted(101, from: "b", wasMet: wasMet, as: .member, at: start) != .refuse)
    #expect(limiter.greeted(102, from: "a", wasMet: wasMet, as: .member, at: start + .seconds(0.05)) != .refuse)
  }

  @Test func handshakesOfManySourcesLeaveThoseOfPeers() {
    var limiter = Limiter(at: start)
    for id in 0..<Int(Limits.handshakesRate.burst) {
      #expect(limiter.greeted(id, from: "\(id)", wasMet: false, as: .member, at: start) != .refuse)
      limiter.left(id)
    }
    #expect(limiter.greeted(1000, from: "1000", wasMet: false, as: .member, at: start) == .refuse)
    #expect(limiter.greeted(1001, from: "peer", wasMet: true, as: .member, at: start) == .take(evicting: nil))
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
