// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

/// How and when a peer is tried again.
@Suite struct AttemptTests {
  @Test func aPeerThatIsSeenIsDialledAtOnceByTheLowerSide() {
    var machine = Machine()
    #expect(machine.handle(.seen(instance: "A", of: later)) == [.resolve(instance: "A")])
    #expect(machine.handle(.resolved(instance: "A", ["a1", "a2"])) == [.dial(later, ["a1", "a2"])])
    #expect(machine.wake == nil)
  }

  @Test func theOtherSideWaitsForTheCourtesyAndThenDialsToo() {
    var machine = Machine()
    #expect(machine.handle(.seen(instance: "A", of: earlier)) == [])
    #expect(machine.wake == machine.now + Limits.dialCourtesy)
    #expect(machine.pass(Limits.dialCourtesy) == [.resolve(instance: "A")])
  }

  @Test func allInstancesAreAskedTheNewestFirst() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: earlier))
    _ = machine.handle(.seen(instance: "B", of: earlier))
    #expect(machine.pass(Limits.dialCourtesy) == [.resolve(instance: "B"), .resolve(instance: "A")])
    #expect(machine.handle(.resolved(instance: "A", [])) == [])
    #expect(machine.handle(.resolved(instance: "B", ["dead"])) == [.dial(earlier, ["dead"])])
    #expect(machine.handle(.dialFailed(earlier, .peerUnreachable)) == [.connectFailed(earlier, .peerUnreachable)])
  }

  @Test func anAttemptIsOverWhenEveryInstanceHasAnswered() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: earlier))
    _ = machine.handle(.seen(instance: "B", of: earlier))
    _ = machine.pass(Limits.dialCourtesy)
    #expect(machine.handle(.resolved(instance: "B", ["dead"])) == [.dial(earlier, ["dead"])])
    #expect(machine.handle(.dialFailed(earlier, .peerUnreachable)) == [])
    #expect(machine.handle(.resolved(instance: "A", ["dead", "a1"])) == [.dial(earlier, ["a1"])])
    #expect(machine.handle(.dialFailed(earlier, .certificateExpired)) == [.connectFailed(earlier, .certificateExpired)])
    #expect(machine.table.peers[earlier]?.reason == .certificateExpired)
  }

  /// At an old address may be anyone.
  @Test func whatAStrangerSaysDoesNotHideWhatAMemberSays() {
    for (first, second) in [(Reason.versionMismatch, Reason.otherTeam), (.otherTeam, .versionMismatch)] {
      var machine = Machine()
      _ = machine.handle(.seen(instance: "A", of: earlier))
      _ = machine.handle(.seen(instance: "B", of: earlier))
      _ = machine.pass(Limits.dialCourtesy)
      _ = machine.handle(.resolved(instance: "B", ["one"]))
      _ = machine.handle(.dialFailed(earlier, first))
      _ = machine.handle(.resolved(instance: "A", ["two"]))
      #expect(machine.handle(.dialFailed(earlier, second)) == [.connectFailed(earlier, .versionMismatch)])
    }
  }

  @Test func anInstanceThatAppearsMeanwhileJoinsTheAttempt() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: later))
    _ = machine.handle(.resolved(instance: "A", ["dead"]))
    #expect(machine.handle(.seen(instance: "B", of: later)) == [.resolve(instance: "B")])
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [])
    #expect(machine.handle(.resolved(instance: "B", ["b1"])) == [.dial(later, ["b1"])])
  }

  /// Others may have recorded adverts of the peer, and answer first.
  @Test func everyInstanceHasItsShareOfWhatIsDialled() {
    var machine = Machine()
    _ = machine.connect(later, "r")
    _ = machine.handle(.ended(later, .shuttingDown))
    var effects: [Effect] = []
    for number in 0..<Limits.instancesPerPeer { effects += machine.handle(.seen(instance: "\(number)", of: later)) }
    for number in 0..<Limits.instancesPerPeer - 1 {
      let addresses = (0..<Limits.addressesPerInstance).map { "\(number) \($0)" }
      effects += machine.handle(.resolved(instance: "\(number)", addresses))
    }
    let last = machine.handle(.resolved(instance: "\(Limits.instancesPerPeer - 1)", ["true 1", "true 2"]))
    #expect(last == [.dial(later, ["true 1", "true 2"])])
    let dialled = effects.reduce(2) { if case .dial(_, let addresses) = $1 { $0 + addresses.count } else { $0 } }
    #expect(dialled <= Limits.dialledAddresses, "\(dialled) addresses")
  }

  @Test func whereDiscoveryKnowsNothingItsLastAnswerIsDialled() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: later))
    _ = machine.handle(.resolved(instance: "A", ["a1"]))
    _ = machine.handle(.dialFailed(later, .peerUnreachable))
    #expect(machine.handle(.wanted(later)) == [.resolve(instance: "A")])
    #expect(machine.handle(.resolved(instance: "A", [])) == [.dial(later, ["a1"])])
  }

  @Test func pausesDoubleUpToTheLongest() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: later))
    _ = machine.handle(.resolved(instance: "A", []))
    var due = Limits.dialBackoff.lowerBound / 2
    for _ in 0..<12 {
      #expect(machine.wake == machine.now + due)
      #expect(machine.pass(due) == [.resolve(instance: "A")])
      #expect(machine.handle(.resolved(instance: "A", [])) == [.connectFailed(later, .peerUnreachable)])
      due = min(due * 2, Limits.dialBackoff.upperBound / 2)
    }
    #expect(due == Limits.dialBackoff.upperBound / 2)
    // A new instance is a reason to start again, but not immediately, because others may have recorded an advert.
    #expect(machine.handle(.seen(instance: "B", of: later)) == [])
    #expect(machine.wake == machine.now + ReachabilityLimits.strangeRedialTime)
  }

  @Test func aUserWhoWaitsIsNotKeptByTheSchedule() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: earlier))
    #expect(machine.handle(.wanted(earlier)) == [.resolve(instance: "A")])
    #expect(machine.handle(.wanted(earlier)) == [])
    #expect(machine.handle(.resolved(instance: "A", [])) == [.connectFailed(earlier, .peerUnreachable)])
    #expect(machine.handle(.wanted(Names.peer(7))) == [.connectFailed(Names.peer(7), .peerNotFound)])
  }

  /// What is under way may wait for an answer that was lost, and TCP asks again after a second.
  @Test func aUserWhoWaitsIsNotKeptByADialThatIsUnderWay() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: later))
    _ = machine.handle(.resolved(instance: "A", ["a1"]))
    #expect(machine.handle(.wanted(later)) == [.dialAgain(later)])
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.connectFailed(later, .peerUnreachable)])
    #expect(machine.handle(.wanted(later)) == [.resolve(instance: "A")])
    _ = machine.handle(.resolved(instance: "A", ["a1"]))
    // One has answered.
    _ = machine.handle(.opened(later, isDialler: true))
    #expect(machine.handle(.wanted(later)) == [])
  }

  @Test func aPeerThatThisMachineWasNotAllowedToDialIsTriedAgainSoon() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: later))
    for _ in 0..<12 {
      _ = machine.handle(.resolved(instance: "A", ["a1"]))
      _ = machine.handle(.dialFailed(later, .limitReached))
      #expect(machine.pause <= ReachabilityLimits.limitedRedialTime)
      _ = machine.pass(machine.pause)
    }
    // A dial that fails waits as long as it would have.
    _ = machine.handle(.resolved(instance: "A", ["a1"]))
    _ = machine.handle(.dialFailed(later, .peerUnreachable))
    #expect(machine.pause == Limits.dialBackoff.upperBound / 2)
  }

  @Test func aPeerThatDialsUsIsWaitedFor() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: later))
    _ = machine.handle(.resolved(instance: "A", ["a1"]))
    _ = machine.handle(.opened(later, isDialler: false))
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [])
    #expect(machine.wake == nil)
    #expect(
      machine.handle(.openingEnded(later, .handshakeTimedOut, isDialler: false))
        == [.connectFailed(later, .handshakeTimedOut)]
    )
    #expect(machine.wake != nil)
  }

  @Test func aSessionEndsWhatIsUnderWay() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: later))
    _ = machine.handle(.resolved(instance: "A", ["a1"]))
    _ = machine.handle(.opened(later, isDialler: false))
    #expect(machine.handle(.ready(later, address: nil, isDialler: false)) == [.stopDialling(later)])
    #expect(machine.wake == nil)
    #expect(machine.table.peers[later]?.isDialling == false)
  }

  @Test func anAnswerThatComesTooLateIsDropped() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: later))
    machine.beDialledDuringAttempt(by: later)
    #expect(machine.handle(.resolved(instance: "A", ["a1"])) == [])
    #expect(machine.handle(.resolved(instance: "Z", ["z1"])) == [])
  }

  @Test func peersOfOtherTeamsAreNotDialled() {
    var machine = Machine()
    let stranger = Names.peer(1, team: Names.otherTeam)
    #expect(machine.handle(.seen(instance: "A", of: stranger)) == [])
    #expect(machine.handle(.remembered(stranger, ["a1"])) == [])
    #expect(machine.table.peers.isEmpty)
    #expect(machine.wake == nil)
  }

  @Test func aTeamThatIsLeftTakesItsPeersAlong() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: later))
    _ = machine.handle(.resolved(instance: "A", ["a1"]))
    _ = machine.handle(.named([StaticPeer(team: Names.team, address: "h")]))
    #expect(
      machine.handle(.teamsChanged([:])) == [
        .stopDialling(later), .forgotten(later), .dropped(later), .released(instance: "A"),
        .stopDiallingNamed(StaticPeer(team: Names.team, address: "h")),
      ]
    )
    #expect(machine.table.peers.isEmpty && machine.table.named.isEmpty)
  }
}

extension Machine {
  fileprivate mutating func beDialledDuringAttempt(by peer: PeerID) {
    _ = handle(.opened(peer, isDialler: false))
    #expect(handle(.ready(peer, address: nil, isDialler: false)) == [.stopDialling(peer)])
  }
}
