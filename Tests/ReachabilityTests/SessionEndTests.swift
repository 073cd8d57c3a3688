// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

/// What follows the end of a session, and what makes the table try everything again.
@Suite struct SessionEndTests {
  /// Returns a machine with a steady session with a peer that it sees.
  private func connected(_ peer: PeerID = later, for duration: Duration = .seconds(60)) -> Machine {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: peer))
    machine.connectAfterSight(peer)
    machine.advance(duration)
    return machine
  }

  @Test(arguments: [Reason.peerUnreachable, .peerTimedOut])
  func aSessionThatIsLostIsMadeAgainAtOnce(reason: Reason) {
    for (peer, pause) in [(later, Duration.zero), (earlier, ReachabilityLimits.redialJitter / 2)] {
      var machine = connected(peer)
      let effects = machine.handle(.ended(peer, reason))
      #expect(effects + machine.pass(pause) == [.resolve(instance: "A"), .dial(peer, ["a1"])])
    }
  }

  @Test func thenThePausesBegin() {
    var machine = connected()
    _ = machine.handle(.ended(later, .peerUnreachable))
    let seen = machine.run(.seconds(8)) { effect in
      switch effect {
      case .resolve(let instance): .resolved(instance: instance, [])
      case .dial(let peer, _): .dialFailed(peer, .peerUnreachable)
      default: nil
      }
    }
    // The first attempt began immediately and has not been answered. The next one starts only after it has ended.
    #expect(seen.isEmpty)
    _ = machine.handle(.resolved(instance: "A", []))
    _ = machine.handle(.dialFailed(later, .peerUnreachable))
    let dials = machine.run(.seconds(8)) { effect in
      switch effect {
      case .resolve(let instance): .resolved(instance: instance, [])
      case .dial(let peer, _): .dialFailed(peer, .peerUnreachable)
      default: nil
      }
    }.compactMap { if case .dial = $0.effect { $0.after } else { nil } }
    #expect(dials == [seconds(0.5), seconds(1.5), seconds(3.5), seconds(7.5)])
  }

  @Test(arguments: [Reason.shuttingDown, .protocolViolation, .versionMismatch])
  func aSessionThatWasEndedIsTriedAgainLater(reason: Reason) {
    var machine = connected()
    #expect(machine.handle(.ended(later, reason)) == [])
    #expect(machine.wake == machine.now + Limits.dialBackoff.lowerBound / 2)
  }

  @Test func aSessionThatIsNotNeededIsMadeAgainWhenItIsWanted() {
    var machine = connected()
    #expect(machine.handle(.ended(later, .sessionIdle)) == [])
    #expect(machine.wake == nil)
    #expect(machine.handle(.networkChanged) == [])
    #expect(machine.wake == nil)
    #expect(machine.handle(.wanted(later)) == [.resolve(instance: "A"), .dial(later, ["a1"])])
  }

  @Test func aSessionThatBreaksAgainAndAgainIsMadeAgainLessAndLessOften() {
    var machine = connected(for: .zero)
    var pauses: [Duration] = []
    for _ in 0..<5 {
      machine.advance(.milliseconds(10))
      _ = machine.handle(.ended(later, .peerUnreachable))
      pauses.append(machine.pause)
      _ = machine.pass(machine.pause)
      _ = machine.connect(later, "a1")
    }
    // The peer is there, and its network may be good again at any time.
    #expect(pauses == [0.5, 1, 2, 2.5, 2.5].map(seconds))
    machine.advance(ReachabilityLimits.steadySessionTime)
    #expect(machine.handle(.ended(later, .peerUnreachable)).contains(.resolve(instance: "A")))
  }

  @Test(arguments: [Table.Event.networkChanged, .resumed])
  func everythingIsTriedWhenTheNetworkIsAnother(event: Table.Event) {
    var machine = connected()
    _ = machine.handle(.seen(instance: "B", of: Names.peer(201)))
    _ = machine.handle(.resolved(instance: "B", []))
    for _ in 0..<10 {
      _ = machine.pass(machine.pause)
      _ = machine.handle(.resolved(instance: "B", []))
    }
    let effects = machine.handle(event)
    #expect(effects.count == 2)
    #expect(effects.contains(.probe(later)) && effects.contains(.resolve(instance: "B")))
    #expect(machine.handle(.resolved(instance: "B", [])) == [.connectFailed(Names.peer(201), .peerUnreachable)])
    #expect(machine.wake == machine.now + Limits.dialBackoff.lowerBound / 2)
  }

  @Test func anAttemptOnTheOldNetworkIsGivenUp() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: later))
    _ = machine.handle(.resolved(instance: "A", ["a1"]))
    #expect(machine.handle(.networkChanged) == [.stopDialling(later), .resolve(instance: "A")])
    #expect(machine.handle(.resolved(instance: "A", ["a2"])) == [.dial(later, ["a2"])])
  }

  // MARK: Forgetting

  @Test func aPeerThatNobodySeesIsForgottenWithItsSession() {
    var machine = Machine()
    machine.beDialled(by: later)
    #expect(machine.handle(.ended(later, .peerUnreachable)) == [.forgotten(later), .dropped(later)])
    #expect(machine.table.peers.isEmpty)
  }

  @Test func aPeerIsKeptWhileSomethingWaitsForItsSession() {
    var machine = Machine()
    machine.beDialled(by: later)
    machine.advance(.seconds(60))
    machine.awaited = [later]
    #expect(!machine.handle(.ended(later, .peerUnreachable)).contains(.forgotten(later)))
    for _ in 0..<40 {
      #expect(machine.pause <= ReachabilityLimits.awaitedRedialTime)
      #expect(!machine.pass(machine.pause).contains(.forgotten(later)))
    }
    machine.awaited = []
    #expect(machine.pass(ReachabilityLimits.awaitedRedialTime).contains(.forgotten(later)))
    #expect(machine.table.peers.isEmpty)
  }

  @Test func anAwaitedPeerIsDialledAtShortIntervalsWhenItsAdvertsAreGone() {
    var machine = connected()
    machine.awaited = [later]
    _ = machine.handle(.lost(instance: "A"))
    _ = machine.handle(.ended(later, .peerUnreachable))
    _ = machine.handle(.dialFailed(later, .peerUnreachable))
    let dials = machine.run(.seconds(30)) { effect in
      if case .dial(let peer, _) = effect { .dialFailed(peer, .peerUnreachable) } else { nil }
    }
    #expect(dials.count { $0.effect == .dial(later, ["a1"]) } >= 29)
    #expect(!dials.contains { $0.effect == .forgotten(later) })
  }

  @Test func aRememberedPeerIsForgottenByOthersAndStillTried() {
    var machine = connected()
    #expect(machine.handle(.lost(instance: "A")) == [])
    #expect(machine.handle(.ended(later, .shuttingDown)) == [.forgotten(later)])
    #expect(machine.table.peers[later]?.isKnown == false)
    #expect(machine.pass(Limits.dialBackoff.lowerBound) == [.dial(later, ["a1"])])
  }

  @Test func flappingForLongLeavesNothing() {
    var machine = Machine()
    for round in 0..<10_000 {
      let peer = Names.peer(UInt8(round % 7) + 200)
      _ = machine.handle(.seen(instance: "I\(round)", of: peer))
      _ = machine.handle(.resolved(instance: "I\(round)", ["a\(round)"]))
      _ = machine.connect(peer, "a\(round)")
      machine.advance(.milliseconds(Int64(round % 3000)))
      _ = machine.handle(.ended(peer, [.peerUnreachable, .sessionIdle, .shuttingDown][round % 3]))
      if round % 2 == 0 { _ = machine.handle(.networkChanged) }
      if round % 5 != 0 { _ = machine.handle(.lost(instance: "I\(round)")) }
    }
    #expect(machine.table.peers.count == 7)
    for peer in machine.table.peers.values {
      #expect(peer.instances.count <= Limits.instancesPerPeer)
      #expect(peer.remembered.count == Limits.addressesPerPeer)
      #expect(peer.resolved.count <= 1)
    }
  }
}

extension Machine {
  /// Makes the attempt succeed that began when the peer was seen, or that is due.
  fileprivate mutating func connectAfterSight(_ peer: PeerID) {
    _ = connect(peer, "a1")
    #expect(wake == nil)
  }
}
