// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Handoff

struct ServerChoiceTests {
  private let start = ContinuousClock.now
  private let servers = ["a", "b", "c"].compactMap { ServerAddress($0) }

  @Test func theNextServerIsTriedAfterEachFailure() {
    var choice = ServerChoice(servers) { 0 }
    #expect(choice.server?.host == "a")
    for host in ["b", "c", "a"] {
      // A random part of the pause can be nothing.
      #expect(choice.failed(.closed, at: start) == start)
      #expect(choice.server?.host == host)
    }
  }

  @Test func thePauseDoublesUpToALimit() {
    var choice = ServerChoice(servers) { 1 }
    _ = choice.failed(.timedOut, at: start)
    var pauses: [Duration] = []
    let later = start + .seconds(3600)
    for _ in 0..<10 { pauses.append(later.duration(to: choice.failed(.timedOut, at: later))) }
    #expect(pauses.prefix(3) == [.seconds(4), .seconds(8), .seconds(16)])
    #expect(pauses.last == ServerChoice.rendezvousBackoff.upperBound)
    choice.reset()
    #expect(choice.failed(.timedOut, at: later) == later + .seconds(2))
  }

  @Test func aShortOutageIsNotFollowedByALongPause() {
    var choice = ServerChoice(servers) { 1 }
    choice.accepted(at: start)
    var now = start + .seconds(60)
    let lost = now
    while now < lost + .seconds(20) { now = choice.failed(.closed, at: now) }
    #expect(now <= lost + .seconds(40))
  }

  @Test func onlyASteadyConnectionIsASuccess() {
    var choice = ServerChoice(servers) { 1 }
    let later = start + .seconds(600)
    for instant in [start, later, later] { _ = choice.failed(.closed, at: instant) }
    choice.accepted(at: later)
    #expect(choice.failed(.closed, at: later + .seconds(1)) == later + .seconds(17))
    choice.accepted(at: later)
    let steady = later + ServerChoice.rendezvousSteadyTime
    #expect(choice.failed(.closed, at: steady) == steady + .seconds(2))
  }

  @Test(arguments: [NATSSession.Failure.refused, .revoked, .expired])
  func aRefusalIsNotAskedForAgainSoon(_ failure: NATSSession.Failure) {
    for (random, pause) in [(0.0, 150), (1, 300)] {
      var choice = ServerChoice(servers) { random }
      #expect(choice.failed(failure, at: start) == start + .seconds(pause))
    }
  }

  @Test func thereMayBeNoServer() {
    var choice = ServerChoice([]) { 1 }
    #expect(choice.server == nil)
    #expect(choice.failed(.closed, at: start) == start + .seconds(2))
  }
}
