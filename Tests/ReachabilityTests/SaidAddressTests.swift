// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

/// Where peers say that they listen.
@Suite struct SaidAddressTests {
  /// A peer that dialled this machine, said where it listens, and has left.
  private func left(saying addresses: [String]) -> Machine {
    var machine = Machine()
    machine.beDialled(by: later)
    #expect(machine.handle(.said(later, addresses)) == [])
    _ = machine.handle(.ended(later, .shuttingDown))
    return machine
  }

  @Test func theyAreDialledWhenTheSessionIsLost() {
    var machine = Machine()
    machine.beDialled(by: later)
    _ = machine.handle(.said(later, ["s1", "s2"]))
    machine.advance(.seconds(60))
    let effects = machine.handle(.ended(later, .peerUnreachable))
    #expect(effects == [.forgotten(later), .dial(later, ["s1", "s2"])])
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.connectFailed(later, .peerUnreachable)])
    #expect(machine.pass(Limits.dialBackoff.lowerBound) == [.dial(later, ["s1", "s2"])])
  }

  @Test func theyComeAfterThoseWhereItWasReachedAndEachIsDialledOnce() {
    var machine = Machine()
    _ = machine.connect(later, "a1")
    _ = machine.handle(.said(later, ["s1", "a1", "s2", "s1"]))
    _ = machine.handle(.seen(instance: "A", of: later))
    _ = machine.handle(.ended(later, .peerUnreachable))
    #expect(machine.handle(.wanted(later)) == [.resolve(instance: "A"), .dial(later, ["a1", "s1", "s2"])])
    #expect(machine.handle(.resolved(instance: "A", ["s2", "r1"])) == [.dial(later, ["r1"])])
  }

  @Test func theyAreNoSignThatThePeerWasMet() {
    var machine = Machine()
    #expect(machine.handle(.said(later, ["s1"])) == [.dial(later, ["s1"])])
    #expect(!machine.table.hasMet(later))
    #expect(machine.table.isDoubtful("s1", of: later))
    #expect(machine.table.peers[later]?.remembered == [])
    _ = machine.connect(later, "s1")
    #expect(machine.table.hasMet(later))
    #expect(machine.table.peers[later]?.remembered == ["s1"])
  }

  @Test func thePeerIsKeptForThem() {
    var machine = left(saying: ["s1"])
    #expect(machine.table.peers[later]?.isKnown == false)
    #expect(machine.handle(.networkChanged) == [.dial(later, ["s1"])])
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.connectFailed(later, .peerUnreachable)])
    #expect(machine.handle(.said(later, [])) == [.dropped(later)])
    #expect(machine.table.peers.isEmpty && machine.wake == nil)
  }

  @Test func theNewestReplaceTheOthers() {
    var machine = left(saying: ["s1", "s2"])
    _ = machine.handle(.said(later, ["s3"]))
    #expect(machine.handle(.wanted(later)) == [.dial(later, ["s3"])])
    // What failed is not dialled again while it waits for discovery, but for a user who waits.
    _ = machine.handle(.seen(instance: "A", of: later))
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [])
    #expect(machine.handle(.wanted(later)) == [.dial(later, ["s3"])])
  }

  @Test func thereIsALimitAndRoomForAllKinds() {
    var machine = Machine()
    for number in 1...Limits.addressesPerPeer { _ = machine.connect(later, "a\(number)") }
    _ = machine.handle(.said(later, (0..<Limits.saidAddresses + 3).map { "s\($0)" }))
    #expect(machine.table.peers[later]?.said.count == Limits.saidAddresses)
    _ = machine.handle(.ended(later, .shuttingDown))
    for number in 1...Limits.instancesPerPeer { _ = machine.handle(.seen(instance: "\(number)", of: later)) }
    // Only the last instance is asked late, and its addresses still have their places.
    for number in 1...Limits.instancesPerPeer {
      let addresses = ["\(number) 1", "\(number) 2"]
      #expect(machine.handle(.resolved(instance: "\(number)", addresses)) == [.dial(later, addresses)])
    }
  }

  @Test func othersTeamsAndThisMachineSayNothing() {
    var machine = Machine()
    #expect(machine.handle(.said(Names.peer(1, team: Names.otherTeam), ["s1"])) == [])
    #expect(machine.handle(.said(Names.peer(100), ["s1"])) == [])
    #expect(machine.table.peers.isEmpty)
  }
}
