import Activity
import Reachability
import Testing

/// When peers are met at relays, and when relays are left.
struct RelayTests {
  private var machine = Machine()

  /// A server tells of a peer, with one address, which is being dialled.
  private mutating func find() {
    #expect(machine.handle(.seen(instance: "i", of: later)) == [.resolve(instance: "i")])
    #expect(machine.handle(.resolved(instance: "i", ["a"])) == [.dial(later, ["a"])])
    #expect(machine.handle(.canMeet(later, true)) == [])
  }

  @Test mutating func aPeerThatIsNotReachedIsAskedToDialAndThenMet() {
    find()
    #expect(machine.pass(Limits.relayAskTime - .milliseconds(1)) == [])
    #expect(machine.pass(.milliseconds(1)) == [.askToDial(later)])
    #expect(machine.pass(Limits.relayPatience - Limits.relayAskTime - .milliseconds(1)) == [])
    #expect(machine.pass(.milliseconds(1)) == [.meet(later)])
    // The address may still answer.
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [])
    #expect(machine.handle(.meetingFailed(later, .peerTimedOut)) == [.connectFailed(later, .peerTimedOut)])
  }

  @Test mutating func aRelayIsUsedAtOnceIfNothingElseIsLeft() {
    find()
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.meet(later)])
    // Only once in an attempt.
    #expect(machine.handle(.meetingFailed(later, .peerUnreachable)) == [.connectFailed(later, .peerUnreachable)])
    #expect(machine.pass(machine.pause) == [.resolve(instance: "i")])
    #expect(machine.handle(.resolved(instance: "i", [])) == [.dial(later, ["a"])])
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.meet(later)])
  }

  @Test mutating func aPeerThatFailedIsTriedAgainWhenItCanBeMet() {
    _ = machine.handle(.seen(instance: "i", of: later))
    #expect(machine.handle(.resolved(instance: "i", [])) == [.connectFailed(later, .peerUnreachable)])
    #expect(machine.handle(.canMeet(later, true)) == [.resolve(instance: "i")])
    #expect(machine.handle(.resolved(instance: "i", [])) == [.meet(later)])
  }

  @Test mutating func nobodyIsMetWithoutAServerOrWithASession() {
    #expect(machine.handle(.canMeet(later, true)) == [])
    find()
    _ = machine.handle(.canMeet(later, false))
    _ = machine.connect(later, "a")
    #expect(machine.handle(.canMeet(later, true)) == [])
    #expect(machine.pass(Limits.relayPatience) == [])
  }

  private mutating func meet() {
    find()
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.meet(later)])
    #expect(machine.handle(.opened(later, isDialler: false)) == [])
    #expect(
      machine.handle(.ready(later, address: nil, isDialler: false, isRelayed: true)) == [.stopDialling(later)]
    )
  }

  @Test mutating func aDirectPathIsLookedForWhileARelayIsUsed() {
    meet()
    // Without jitter, a pause is half of what is due.
    var pauses: [Duration] = []
    for _ in 0..<7 {
      pauses.append(machine.pause)
      #expect(machine.pass(machine.pause) == [.resolve(instance: "i")])
      #expect(machine.handle(.resolved(instance: "i", ["a"])) == [.dial(later, ["a"])])
      // Nothing has failed for anybody who waits.
      #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [])
    }
    #expect(pauses.prefix(3) == [.seconds(5), .seconds(10), .seconds(20)])
    #expect(pauses.last == .seconds(150))
  }

  @Test mutating func otherAddressesAndNetworksAreAReasonToLeaveARelay() {
    meet()
    #expect(machine.handle(.seen(instance: "j", of: later)).contains(.resolve(instance: "j")))
    _ = machine.handle(.resolved(instance: "i", []))
    _ = machine.handle(.resolved(instance: "j", []))
    _ = machine.handle(.dialFailed(later, .peerUnreachable))
    let effects = machine.handle(.networkChanged)
    #expect(effects.contains(.probe(later)) && effects.contains(.resolve(instance: "i")))
  }

  @Test mutating func aDirectSessionIsNotLeft() {
    meet()
    #expect(machine.pass(machine.pause) == [.resolve(instance: "i")])
    #expect(machine.handle(.resolved(instance: "i", ["a"])) == [.dial(later, ["a"])])
    #expect(machine.handle(.opened(later, isDialler: true)) == [.stopDialling(later)])
    #expect(
      machine.handle(.ready(later, address: "a", isDialler: true)) == [.remember(later, "a", isFirst: true)]
    )
    #expect(machine.wake == nil)
    #expect(machine.table.peers[later]?.isRelayed == false)
  }

  @Test mutating func aLostRelayIsUsedAgain() {
    meet()
    machine.advance(Limits.steadySessionTime)
    #expect(machine.handle(.ended(later, .peerUnreachable)).contains(.resolve(instance: "i")))
    #expect(machine.handle(.resolved(instance: "i", ["a"])) == [.dial(later, ["a"])])
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.meet(later)])
  }
}
