// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
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
    machine.advance(ReachabilityLimits.steadySessionTime)
    #expect(machine.handle(.ended(later, .peerUnreachable)).contains(.resolve(instance: "i")))
    #expect(machine.handle(.resolved(instance: "i", ["a"])) == [.dial(later, ["a"])])
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.meet(later)])
  }

  @Test mutating func whoCanNoLongerBeMetIsNotMet() {
    find()
    #expect(machine.handle(.canMeet(later, false)) == [])
    #expect(machine.pass(Limits.relayPatience) == [])
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.connectFailed(later, .peerUnreachable)])
  }

  @Test mutating func whoCanBeMetLaterIsMetInTheSameAttempt() {
    _ = machine.handle(.seen(instance: "i", of: later))
    #expect(machine.handle(.resolved(instance: "i", ["a"])) == [.dial(later, ["a"])])
    #expect(machine.pass(Limits.relayPatience + .seconds(1)) == [])
    #expect(machine.handle(.canMeet(later, true)) == [.askToDial(later), .meet(later)])
    #expect(machine.handle(.canMeet(later, false)) == [])
    #expect(machine.handle(.canMeet(later, true)) == [], "Only once in an attempt")
  }

  /// A connection to an address of the peer is made, and ends before it becomes the session.
  @Test mutating func aDirectConnectionThatFailsIsNotTheLastOne() {
    meet()
    #expect(machine.pass(machine.pause) == [.resolve(instance: "i")])
    #expect(machine.handle(.resolved(instance: "i", ["a"])) == [.dial(later, ["a"])])
    #expect(machine.handle(.opened(later, isDialler: true)) == [.stopDialling(later)])
    #expect(machine.handle(.openingEnded(later, .handshakeTimedOut, isDialler: true)) == [])
    #expect(machine.pause == .seconds(10))
    #expect(machine.pass(machine.pause) == [.resolve(instance: "i")])
  }

  @Test(arguments: [false, true]) mutating func aSessionThatNobodyNeedsIsNotMadeAgain(isDialling: Bool) {
    meet()
    if isDialling {
      #expect(machine.pass(machine.pause) == [.resolve(instance: "i")])
      #expect(machine.handle(.resolved(instance: "i", ["a"])) == [.dial(later, ["a"])])
    }
    #expect(machine.handle(.ended(later, .sessionIdle)) == (isDialling ? [.stopDialling(later)] : []))
    #expect(machine.wake == nil)
    #expect(machine.handle(.networkChanged) == [])
    #expect(machine.handle(.wanted(later)) == [.resolve(instance: "i")])
  }

  /// The attempt to leave the relay becomes one to meet there again.
  @Test mutating func aRelayThatIsLostWhileItIsBeingLeftIsUsedAgain() {
    meet()
    #expect(machine.pass(machine.pause) == [.resolve(instance: "i")])
    #expect(machine.handle(.resolved(instance: "i", ["a"])) == [.dial(later, ["a"])])
    #expect(machine.handle(.ended(later, .peerUnreachable)) == [])
    #expect(machine.run(Limits.relayPatience) { _ in nil }.map(\.effect) == [.askToDial(later), .meet(later)])
  }

  /// What is being dialled on the old network cannot answer, and long pauses were for that network.
  @Test mutating func anotherNetworkBeginsAnew() {
    meet()
    for _ in 0..<6 {
      #expect(machine.pass(machine.pause) == [.resolve(instance: "i")])
      _ = machine.handle(.resolved(instance: "i", ["a"]))
      _ = machine.handle(.dialFailed(later, .peerUnreachable))
    }
    #expect(machine.pass(machine.pause) == [.resolve(instance: "i")])
    #expect(machine.handle(.resolved(instance: "i", ["a"])) == [.dial(later, ["a"])])
    let effects = machine.handle(.networkChanged)
    #expect(effects == [.probe(later), .stopDialling(later), .resolve(instance: "i")])
    #expect(machine.handle(.resolved(instance: "i", ["a"])) == [.dial(later, ["a"])])
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [])
    #expect(machine.pause == .seconds(5))
  }

  @Test mutating func theReasonOfTheAttemptIsTheOneThatSaysMost() {
    find()
    #expect(machine.handle(.dialFailed(later, .handshakeTimedOut)) == [.meet(later)])
    let failed = machine.handle(.meetingFailed(later, .peerUnreachable))
    #expect(failed == [.connectFailed(later, .handshakeTimedOut)])
    // No meeting is under way.
    #expect(machine.handle(.meetingFailed(later, .peerTimedOut)) == [])
  }

  @Test mutating func theSessionAtARelayIsTakenWhoeverIsTheDialler() {
    find()
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.meet(later)])
    #expect(machine.handle(.opened(later, isDialler: true)) == [.stopDialling(later)])
    #expect(machine.handle(.ready(later, address: nil, isDialler: true, isRelayed: true)) == [])
    #expect(machine.table.peers[later]?.isRelayed == true && machine.pause == .seconds(5))
  }
}
