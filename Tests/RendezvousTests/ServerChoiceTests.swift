import Activity
import Testing

@testable import Rendezvous

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
    var pauses: [Duration] = []
    for _ in 0..<10 { pauses.append(start.duration(to: choice.failed(.timedOut, at: start))) }
    #expect(pauses.prefix(3) == [.seconds(2), .seconds(4), .seconds(8)])
    #expect(pauses.last == Limits.rendezvousBackoff.upperBound)
    choice.reset()
    #expect(choice.failed(.timedOut, at: start) == start + .seconds(2))
  }

  @Test func onlyASteadyConnectionIsASuccess() {
    var choice = ServerChoice(servers) { 1 }
    for _ in 0..<3 { _ = choice.failed(.closed, at: start) }
    choice.accepted(at: start)
    #expect(choice.failed(.closed, at: start + .seconds(1)) == start + .seconds(17))
    choice.accepted(at: start)
    let later = start + Limits.rendezvousSteadyTime
    #expect(choice.failed(.closed, at: later) == later + .seconds(2))
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
