// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

/// Peers that are known without discovery.
@Suite struct AddressTests {
  private let host = StaticPeer(team: Names.team, address: "host")

  // MARK: Remembered

  @Test func aRememberedPeerIsDialledWithoutDiscovery() {
    var machine = Machine()
    #expect(machine.handle(.remembered(later, ["a1", "a2"])) == [.dial(later, ["a1", "a2"])])
    #expect(machine.table.peers[later]?.isKnown == false)
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.connectFailed(later, .peerUnreachable)])
    #expect(machine.wake == machine.now + Limits.dialBackoff.lowerBound / 2)
  }

  @Test func itIsDialledWhileDiscoveryIsAsked() {
    var machine = Machine()
    _ = machine.handle(.remembered(earlier, ["a1"]))
    _ = machine.handle(.seen(instance: "A", of: earlier))
    #expect(machine.pass(Limits.dialCourtesy) == [.resolve(instance: "A"), .dial(earlier, ["a1"])])
    #expect(machine.handle(.dialFailed(earlier, .peerUnreachable)) == [])
    #expect(machine.handle(.resolved(instance: "A", ["a1", "a2"])) == [.dial(earlier, ["a2"])])
  }

  @Test func theNewestAddressesAreRemembered() {
    var machine = Machine()
    for number in 1...Limits.addressesPerPeer + 2 {
      #expect(machine.connect(later, "a\(number)").contains(.remember(later, "a\(number)", isFirst: true)))
      _ = machine.handle(.ended(later, .shuttingDown))
    }
    #expect(machine.table.peers[later]?.remembered == ["a6", "a5", "a4", "a3"])
    // This address is not new.
    #expect(!machine.connect(later, "a6").contains(.remember(later, "a6", isFirst: true)))
    _ = machine.handle(.ended(later, .shuttingDown))
    #expect(machine.connect(later, "a4").contains(.remember(later, "a4", isFirst: true)))
    #expect(machine.table.peers[later]?.remembered == ["a4", "a6", "a5", "a3"])
  }

  @Test func whereThePeerDialledItsWordIsRememberedLast() {
    var machine = Machine()
    machine.beDialled(by: later)
    #expect(machine.table.peers[later]?.remembered == [])
    #expect(machine.handle(.told(later, "a0")) == [.remember(later, "a0", isFirst: false)])
    #expect(machine.handle(.told(later, "a0")) == [])
    for number in 1...Limits.addressesPerPeer { _ = machine.connect(later, "a\(number)") }
    #expect(machine.table.peers[later]?.remembered == ["a4", "a3", "a2", "a1"])
    #expect(machine.handle(.told(later, "a5")) == [.remember(later, "a5", isFirst: false)])
    #expect(machine.table.peers[later]?.remembered == ["a4", "a3", "a2", "a5"])
  }

  @Test func onlyWhoHasASessionIsBelieved() {
    var machine = Machine()
    #expect(machine.handle(.told(later, "a0")) == [])
    _ = machine.handle(.seen(instance: "A", of: later))
    #expect(machine.handle(.told(later, "a0")) == [])
  }

  @Test func thereIsALimitToPeers() {
    var machine = Machine()
    func peer(_ number: Int) -> PeerID {
      let bytes = [UInt8(number / 256), UInt8(number % 256)] + Array(repeating: 0, count: 30)
      return PeerID(team: Names.team, device: DeviceID(bytes: bytes)!)
    }
    for number in 0..<Limits.knownPeers { _ = machine.handle(.seen(instance: "\(number)", of: peer(number))) }
    // A peer that is known only from adverts makes room for another one, and peers that were dialled in vain go first.
    _ = machine.pass(Limits.dialCourtesy)
    _ = machine.handle(.resolved(instance: "7", []))
    #expect(machine.table.hasRoom(for: peer(Limits.knownPeers)))
    _ = machine.handle(.seen(instance: "one more", of: peer(Limits.knownPeers)))
    #expect(machine.table.peers.count == Limits.knownPeers)
    #expect(machine.table.peers[peer(7)] == nil)
    #expect(machine.table.peers[peer(Limits.knownPeers)] != nil)
    // Peers that were met do not make room.
    for number in 0...Limits.knownPeers where number != 7 {
      _ = machine.handle(.opened(peer(number), isDialler: false))
      _ = machine.handle(.ready(peer(number), address: nil, isDialler: false))
    }
    #expect(!machine.table.hasRoom(for: peer(7)))
    _ = machine.handle(.seen(instance: "7", of: peer(7)))
    #expect(machine.table.peers[peer(7)] == nil)
    for number in 0...Limits.rememberedPeers {
      _ = machine.handle(.remembered(peer(2 * Limits.knownPeers + number), ["a"]))
    }
    #expect(machine.table.peers.count == Limits.knownPeers + Limits.rememberedPeers)
  }

  // MARK: Named by a user

  @Test func aNamedAddressIsDialledUntilItAnswers() {
    var machine = Machine()
    #expect(machine.handle(.named([host])) == [.dialNamed(host)])
    #expect(machine.table.named[host]?.isDialling == true)
    #expect(machine.handle(.failedNamed(host, .peerUnreachable)) == [])
    #expect(machine.table.named[host]?.reason == .peerUnreachable)
    #expect(machine.pass(Limits.dialBackoff.lowerBound) == [.dialNamed(host)])
    #expect(machine.handle(.reachedNamed(host, later)) == [])
    _ = machine.connect(later, "a1")
    #expect(machine.table.named[host]?.peer == later)
    #expect(machine.wake == nil)
  }

  @Test func itIsNotDialledWhileItsPeerHasASession() {
    var machine = Machine()
    machine.beDialled(by: later)
    #expect(machine.handle(.named([host])) == [.dialNamed(host)])
    #expect(machine.handle(.reachedNamed(host, later)) == [])
    #expect(machine.wake == nil)
    #expect(machine.handle(.networkChanged) == [.probe(later)])
    #expect(machine.wake == nil)
    machine.advance(.seconds(60))
    _ = machine.handle(.ended(later, .peerUnreachable))
    #expect(machine.pass(Limits.dialBackoff.lowerBound) == [.dialNamed(host)])
    // The peer was faster.
    _ = machine.handle(.opened(later, isDialler: false))
    #expect(machine.handle(.ready(later, address: nil, isDialler: false)) == [.stopDiallingNamed(host)])
  }

  @Test func aUserWhoWaitsIsNotKeptByADialOfItThatIsUnderWay() {
    var machine = Machine()
    _ = machine.handle(.named([host]))
    _ = machine.handle(.reachedNamed(host, later))
    _ = machine.connect(later, "a1")
    _ = machine.handle(.ended(later, .shuttingDown))
    #expect(machine.handle(.wanted(later)) == [.dialNamed(host), .dial(later, ["a1"])])
    #expect(machine.handle(.wanted(later)) == [.dialNamedAgain(host), .dialAgain(later)])
    _ = machine.handle(.failedNamed(host, .peerUnreachable))
    #expect(machine.handle(.wanted(later)) == [.dialNamed(host), .dialAgain(later)])
  }

  @Test func aSessionThatDoesNotComeAboutIsTriedAgain() {
    var machine = Machine()
    _ = machine.handle(.named([host]))
    _ = machine.handle(.reachedNamed(host, later))
    _ = machine.handle(.opened(later, isDialler: true))
    #expect(machine.handle(.openingEnded(later, .versionMismatch, isDialler: true)).contains(.dropped(later)))
    #expect(machine.table.named[host]?.reason == .versionMismatch)
    #expect(machine.pass(Limits.dialBackoff.lowerBound) == [.dialNamed(host)])
  }

  @Test func aUserWhoWaitsForItsPeerIsNotKeptByTheSchedule() {
    var machine = Machine()
    machine.beDialled(by: later)
    _ = machine.handle(.seen(instance: "A", of: later))
    _ = machine.handle(.named([host]))
    _ = machine.handle(.reachedNamed(host, later))
    _ = machine.handle(.ended(later, .sessionIdle))
    #expect(machine.wake == machine.now + Limits.dialBackoff.upperBound)
    #expect(machine.handle(.wanted(later)) == [.dialNamed(host), .resolve(instance: "A")])
  }

  @Test func thisMachineIsAskedRarely() {
    var machine = Machine()
    _ = machine.handle(.named([host]))
    _ = machine.handle(.reachedNamed(host, nil))
    #expect(machine.table.named[host]?.isThisMachine == true)
    #expect(machine.wake == machine.now + Limits.dialBackoff.upperBound)
    #expect(machine.handle(.networkChanged) == [.dialNamed(host)])
  }

  @Test func aNameThatIsRemovedIsNotDialledAnyMore() {
    var machine = Machine()
    _ = machine.handle(.named([host]))
    #expect(machine.handle(.named([])) == [.stopDiallingNamed(host)])
    #expect(machine.handle(.failedNamed(host, .peerUnreachable)) == [])
    #expect(machine.handle(.reachedNamed(host, later)) == [])
    #expect(machine.table.named.isEmpty)
    #expect(machine.wake == nil)
  }

  @Test func thereIsALimitToNames() {
    var machine = Machine()
    _ = machine.handle(
      .named(Set((0...ReachabilityLimits.namedPeers).map { StaticPeer(team: Names.team, address: "\($0)") }))
    )
    #expect(machine.table.named.count == ReachabilityLimits.namedPeers)
  }
}
