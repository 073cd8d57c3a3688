// SPDX-License-Identifier: Apache-2.0

import Activity
import SeededGenerator
import Testing

@testable import Handoff

/// Random events in any order: no peer gets stuck, and nothing grows without limit.
@Suite struct EventFuzzTests {
  /// The shell's side: what is in progress, and therefore which events can happen.
  private struct World {
    var machine = Machine()
    var random: SeededGenerator
    var dialled: Set<PeerID> = []
    var asked: Set<String> = []
    var namedDials: Set<StaticPeer> = []
    var openings: [(peer: PeerID, isDialler: Bool)] = []
    var sessions: Set<PeerID> = []
    var relayed: Set<PeerID> = []
    var meetings: Set<PeerID> = []
    let peers = [1, 2, 200, 201].map { Names.peer($0) }
    let hosts = ["h1", "h2", "h3"].map { StaticPeer(team: Names.team, address: $0) }

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func step() {
      machine.advance(.milliseconds(number(4) == 0 ? number(400_000) : number(300)))
      machine.awaited = number(5) == 0 ? [peers[number(4)]] : []
      let peer = peers[number(4)]
      switch number(21) {
      case 0: tell(.seen(instance: "\(peer.device.bytes[0]).\(number(12))", of: peer))
      case 1: tell(.lost(instance: "\(peer.device.bytes[0]).\(number(12))"))
      case 2, 3:
        guard let instance = asked.randomElement(using: &random) else { return tell(.wake) }
        asked.remove(instance)
        tell(.resolved(instance: instance, (0..<number(3)).map { "a\($0)" }))
      case 4, 5:
        guard let peer = dialled.randomElement(using: &random) else { return tell(.wake) }
        dialled.remove(peer)
        if number(2) == 0 { return tell(.dialFailed(peer, .peerUnreachable)) }
        open(peer, isDialler: true)
      case 6: open(peer, isDialler: false)
      case 7, 8, 9:
        guard !openings.isEmpty else { return tell(.wake) }
        let (peer, isDialler) = openings.remove(at: number(openings.count))
        if number(3) == 0 { return tell(.openingEnded(peer, .handshakeTimedOut, isDialler: isDialler)) }
        sessions.insert(peer)
        relayed.remove(peer)
        let isRelayed = number(3) == 0
        if isRelayed { relayed.insert(peer) }
        let address = isDialler && !isRelayed ? "a\(number(6))" : nil
        tell(.ready(peer, address: address, isDialler: isDialler, isRelayed: isRelayed))
      case 10:
        guard sessions.remove(peer) != nil else { return tell(.wake) }
        relayed.remove(peer)
        tell(.ended(peer, [.peerUnreachable, .peerTimedOut, .shuttingDown, .sessionIdle][number(4)]))
      case 11: tell(.wanted(peer))
      case 12: tell(number(2) == 0 ? .networkChanged : .resumed)
      case 13: tell(.named(Set(hosts.prefix(number(4)))))
      case 14:
        guard let host = namedDials.randomElement(using: &random) else { return tell(.wake) }
        namedDials.remove(host)
        if number(2) == 0 { return tell(.failedNamed(host, .peerUnreachable)) }
        tell(.reachedNamed(host, number(4) == 0 ? nil : peer))
      case 15: tell(.told(peer, "t\(number(6))"))
      case 16: tell(.canMeet(peer, number(4) > 0))
      case 17, 18:
        guard let peer = meetings.randomElement(using: &random) else { return tell(.wake) }
        if number(2) == 0 { return open(peer, isDialler: true) }
        meetings.remove(peer)
        tell(.meetingFailed(peer, [.peerUnreachable, .peerTimedOut][number(2)]))
      case 19: tell(.said(peer, (0..<number(12)).map { "s\($0)" }))
      default: tell(.remembered(peer, (0..<number(3)).map { "a\($0)" }))
      }
    }

    private mutating func open(_ peer: PeerID, isDialler: Bool) {
      openings.append((peer, isDialler))
      tell(.opened(peer, isDialler: isDialler))
    }

    private mutating func tell(_ event: Table.Event) {
      for effect in machine.handle(event) {
        switch effect {
        case .resolve(let instance): asked.insert(instance)
        case .dial(let peer, let addresses):
          #expect(!addresses.isEmpty && Set(addresses).count == addresses.count, "\(event)")
          dialled.insert(peer)
        case .stopDialling(let peer):
          dialled.remove(peer)
          meetings.remove(peer)
        case .meet(let peer): #expect(!sessions.contains(peer) && meetings.insert(peer).inserted, "\(event)")
        case .askToDial(let peer): #expect(machine.table.peers[peer]?.canMeet == true, "\(event)")
        case .dialNamed(let host): #expect(namedDials.insert(host).inserted, "\(event)")
        case .stopDiallingNamed(let host): namedDials.remove(host)
        case .probe(let peer): #expect(sessions.contains(peer), "\(event)")
        default: break
        }
      }
      check(event)
    }

    private func check(_ event: Table.Event) {
      let table = machine.table
      for (id, peer) in table.peers {
        #expect((peer.readySince != nil) == sessions.contains(id), "\(event)")
        #expect(peer.openings == openings.count { $0.peer == id }, "\(event)")
        #expect(peer.attempt?.isDialling ?? false == dialled.contains(id), "\(event)")
        #expect(peer.attempt?.isMeeting ?? false == meetings.contains(id), "\(event)")
        #expect(peer.isRelayed == relayed.contains(id), "\(event)")
        if peer.isRelayed {
          // A direct path is looked for.
          #expect(peer.attempt != nil || peer.due != nil || peer.openings > 0, "\(event)")
        } else if peer.readySince != nil {
          #expect(peer.attempt == nil && peer.due == nil, "\(event)")
        }
        let isWaiting = peer.readySince == nil && peer.attempt == nil && peer.openings == 0 && !peer.isIdle
        if isWaiting, table.hasWay(to: id) { #expect(peer.due != nil, "stuck after \(event): \(peer)") }
        #expect(peer.instances.count <= Limits.instancesPerPeer && peer.remembered.count <= Limits.addressesPerPeer)
        #expect(peer.said.count <= Limits.saidAddresses)
      }
      for (host, named) in table.named {
        #expect(named.isDialling == namedDials.contains(host), "\(event)")
        let isConnected = named.peer.map(sessions.contains) ?? false
        #expect(named.isDialling || isConnected || named.due != nil, "stuck after \(event): \(named)")
      }
      #expect(dialled.allSatisfy { table.peers[$0] != nil }, "\(event)")
    }
  }

  @Test(arguments: seeds(1...20)) func noPeerIsStuck(seed: UInt64) {
    var world = World(seed: seed)
    for _ in 0..<2_000 { world.step() }
  }
}
