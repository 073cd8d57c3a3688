import Activity
import Reachability
import Testing

@Suite struct ConnectionLimiterTests {
  private typealias Limiter = ConnectionLimiter<Int, String>
  private let start = ContinuousClock.Instant.now

  @Test func theOldestOfASourceGivesWayToItsNext() {
    var limiter = Limiter()
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
    var limiter = Limiter()
    let perSource = Limits.silentConnectionsPerSource
    for id in 0..<Limits.silentConnections {
      #expect(limiter.arrived(id, from: "\(id / perSource)", wasMet: false, at: start) == .take(evicting: nil))
    }
    #expect(limiter.arrived(1000, from: "new", wasMet: false, at: start) == .take(evicting: 0))
    // One that has little keeps it.
    #expect(limiter.arrived(1001, from: "newer", wasMet: false, at: start) == .take(evicting: perSource))
    // Where a peer was met there is other room.
    for id in 2000..<2000 + Limits.silentConnectionsOfPeers {
      #expect(limiter.arrived(id, from: "peer", wasMet: true, at: start) == .take(evicting: nil))
    }
    #expect(limiter.arrived(3000, from: "peer", wasMet: true, at: start) == .take(evicting: 2000))
  }

  @Test func aSourceThatComesTooFastIsRefused() {
    var limiter = Limiter()
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
    var limiter = Limiter()
    let burst = Int(Limits.connectionsRate.burst)
    for id in 0..<burst {
      #expect(limiter.arrived(id, from: "\(id)", wasMet: false, at: start) != .refuse)
      limiter.left(id)
    }
    #expect(limiter.arrived(burst, from: "stranger", wasMet: false, at: start) == .refuse)
    #expect(limiter.arrived(burst, from: "peer", wasMet: true, at: start) == .take(evicting: nil))
  }

  @Test func aSourceThatIsMetLaterHasTheRateOfPeers() {
    var limiter = Limiter()
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

  @Test func returningClientsTakeNoHandshakeFromOthers() {
    var limiter = Limiter()
    for id in 0..<100 {
      _ = limiter.arrived(id, from: "\(id)", wasMet: false, at: start)
      let evicted = limiter.greeted(id, from: "\(id)", isReturning: true)
      #expect(evicted == (id < Limits.returningHandshakes ? nil : id - Limits.returningHandshakes))
    }
    for id in 100..<100 + Limits.handshakes {
      _ = limiter.arrived(id, from: "\(id)", wasMet: false, at: start)
      #expect(limiter.greeted(id, from: "\(id)", isReturning: false) == nil)
    }
    #expect(limiter.greeted(1000, from: "x", isReturning: false) == 100)
  }
}
