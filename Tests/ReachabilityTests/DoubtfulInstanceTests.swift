// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

/// Instances that a removed device may have made up, because it has an old discovery key.
@Suite struct DoubtfulInstanceTests {
  @Test func theyPushNoOthersOut() {
    var machine = Machine()
    for number in 0..<Limits.instancesPerPeer { _ = machine.handle(.seen(instance: "\(number)", of: later)) }
    for number in 100..<120 {
      #expect(machine.handle(.seen(instance: "\(number)", of: later, isDoubtful: true)) == [])
    }
    #expect(machine.table.peers[later]?.instances == (0..<Limits.instancesPerPeer).map(String.init))
  }

  @Test func theyHaveFewPlacesAndGiveThemUp() throws {
    var machine = Machine()
    for number in 0..<20 { _ = machine.handle(.seen(instance: "\(number)", of: later, isDoubtful: true)) }
    #expect(machine.table.peers[later]?.instances == ["18", "19"])
    for number in 100..<100 + Limits.instancesPerPeer { _ = machine.handle(.seen(instance: "\(number)", of: later)) }
    let peer = try #require(machine.table.peers[later])
    #expect(peer.instances == (100..<100 + Limits.instancesPerPeer).map(String.init) && peer.doubtful.isEmpty)
  }

  /// Discovery keeps a place for what a peer has.
  @Test func whatIsPushedOutIsReleased() {
    var machine = Machine()
    machine.beDialled(by: later)
    for number in 0..<Limits.instancesPerPeer { _ = machine.handle(.seen(instance: "\(number)", of: later)) }
    #expect(machine.handle(.seen(instance: "new", of: later)) == [.released(instance: "0")])
    #expect(machine.handle(.seen(instance: "false", of: later, isDoubtful: true)) == [])
    #expect(machine.table.peers[later]?.holds("new") == true && machine.table.peers[later]?.holds("false") == false)
  }

  @Test func oneThatTurnsOutToBeTrueIsDoubtfulNoMore() {
    var machine = Machine()
    _ = machine.handle(.seen(instance: "A", of: later, isDoubtful: true))
    #expect(machine.table.peers[later]?.doubtful == ["A"])
    _ = machine.handle(.seen(instance: "A", of: later))
    #expect(machine.table.peers[later]?.doubtful == [] && machine.table.peers[later]?.instances == ["A"])
    _ = machine.handle(.lost(instance: "A"))
    #expect(machine.table.peers[later]?.instances == [])
  }

  /// This also holds for a device that was met. Otherwise each new name would make this machine dial the addresses
  /// behind it.
  @Test func anotherOneIsNoReasonToDialAtOnce() {
    var machine = Machine()
    _ = machine.connect(later, "a1")
    _ = machine.handle(.ended(later, .peerUnreachable))
    _ = machine.pass(ReachabilityLimits.redialJitter)
    _ = machine.handle(.dialFailed(later, .peerUnreachable))
    for _ in 0..<8 {
      let wake = machine.wake
      machine.advance(wake.map { machine.now.duration(to: $0) } ?? .zero)
      _ = machine.handle(.wake)
      _ = machine.handle(.dialFailed(later, .peerUnreachable))
    }
    let due = machine.wake
    #expect(due.map { $0 > machine.now + ReachabilityLimits.strangeRedialTime } == true)
    #expect(machine.handle(.seen(instance: "A", of: later, isDoubtful: true)) == [])
    #expect(machine.wake == machine.now + ReachabilityLimits.strangeRedialTime)
    // An instance that is not doubtful is a reason.
    #expect(machine.handle(.seen(instance: "B", of: later)).contains(.resolve(instance: "B")))
  }

  @Test func theirAddressesAreFewAndDoubtful() {
    var machine = Machine()
    _ = machine.connect(later, "a1")
    _ = machine.handle(.ended(later, .peerUnreachable))
    _ = machine.handle(.seen(instance: "A", of: later, isDoubtful: true))
    _ = machine.handle(.seen(instance: "B", of: later))
    _ = machine.pass(Limits.dialCourtesy)
    let false1 = (0..<10).map { "f\($0)" }
    let dialled = Array(false1.prefix(Limits.addressesPerDoubtfulInstance))
    #expect(machine.handle(.resolved(instance: "A", false1)) == [.dial(later, dialled)])
    #expect(machine.handle(.resolved(instance: "B", ["f9", "b1"])) == [.dial(later, ["f9", "b1"])])
    #expect(dialled.allSatisfy { machine.table.isDoubtful($0, of: later) })
    #expect(["a1", "f9", "b1"].allSatisfy { !machine.table.isDoubtful($0, of: later) })
    #expect(machine.table.isDoubtful("a1", of: earlier), "Nobody has met it")
  }
}
