// SPDX-License-Identifier: Apache-2.0

import Activity

@testable import Handoff

/// Instances, addresses, dials, meetings at relays and sessions in any order. Nothing is dialled twice, no peer is
/// forgotten that can be reached, no session stays at a relay for want of trying, and no table outgrows its limit.
enum ReachabilityFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 0, 0, 0, 3, 0, 2, 3, 0, 1, 0, 7, 0, 1, 0, 10, 0, 0, 3, 9, 9],
    [3, 0, 13, 7, 3, 14, 0, 1, 3, 12, 0, 15, 1, 200, 3],
    [0, 16, 0, 200, 3, 17, 1], [0, 2, 0, 0, 0, 2, 19, 1, 3, 2, 11, 0, 2, 20, 0, 0, 2, 8, 0, 0, 1], Array(0..<255),
  ]

  static let length = 128

  static func run(_ input: [UInt8]) throws {
    var world = World(choices: Choices(input))
    while !world.choices.isOver {
      world.step()
      world.check()
    }
  }

  private typealias Table = ReachabilityCore<String>

  private struct World {
    var choices: Choices
    var last = Table.Event.wake
    var table = Table(random: { 0.5 })
    var now = ContinuousClock.now
    var wake: ContinuousClock.Instant?
    var awaited: Set<PeerID> = []
    var dialled: Set<PeerID> = []
    var asked: Set<String> = []
    var namedDials: Set<StaticPeer> = []
    var openings: [(peer: PeerID, isDialler: Bool)] = []
    var sessions: Set<PeerID> = []
    var relayed: Set<PeerID> = []
    var meetings: Set<PeerID> = []
    var teams: Set<TeamID> = [Names.team]

    static let peers = [1, 2, 200, 201].map { Names.peer($0) } + [Names.peer(1, team: Names.otherTeam)]
    static let hosts = ["h1", "h2", "h3"].map { StaticPeer(team: Names.team, address: $0) }

    init(choices: Choices) {
      self.choices = choices
      tell(.teamsChanged([Names.team: Names.device(100)]))
    }

    mutating func step() {
      now += .milliseconds([0, 100, 3_000, 400_000][choices.number(below: 4)])
      if let wake, wake <= now { tell(.wake) }
      let peer = choices.pick(Self.peers)
      switch choices.number(below: 22) {
      case 0: tell(.seen(instance: instance(peer), of: peer))
      case 1: tell(.seen(instance: instance(peer), of: peer, isDoubtful: true))
      case 2: tell(.lost(instance: instance(peer)))
      case 3, 4:
        guard !asked.isEmpty else { return }
        let instance = choices.pick(asked.sorted())
        asked.remove(instance)
        tell(.resolved(instance: instance, addresses()))
      case 5:
        guard let peer = dialled.min(by: { $0.device < $1.device }) else { return }
        dialled.remove(peer)
        tell(.dialFailed(peer, .peerUnreachable))
      case 6:
        guard let peer = dialled.min(by: { $0.device < $1.device }) else { return }
        dialled.remove(peer)
        open(peer, isDialler: true)
      case 7: if teams.contains(peer.team) { open(peer, isDialler: false) }
      case 8, 9:
        guard !openings.isEmpty else { return }
        let (peer, isDialler) = openings.remove(at: choices.number(below: min(256, openings.count)))
        if choices.flag() { return tell(.openingEnded(peer, .handshakeTimedOut, isDialler: isDialler)) }
        sessions.insert(peer)
        let isRelayed = choices.number(below: 3) == 0
        if isRelayed { relayed.insert(peer) } else { relayed.remove(peer) }
        let address = isDialler && !isRelayed ? "a\(choices.number(below: 6))" : nil
        tell(.ready(peer, address: address, isDialler: isDialler, isRelayed: isRelayed))
      case 10:
        guard sessions.remove(peer) != nil else { return }
        relayed.remove(peer)
        tell(.ended(peer, choices.pick([.peerUnreachable, .peerTimedOut, .shuttingDown, .sessionIdle])))
      case 11: tell(.wanted(peer))
      case 12: tell(choices.flag() ? .networkChanged : .resumed)
      case 13: tell(.named(Set(Self.hosts.prefix(choices.number(below: 4)))))
      case 14:
        guard let host = namedDials.min(by: { $0.address < $1.address }) else { return }
        namedDials.remove(host)
        if choices.flag() { return tell(.failedNamed(host, .peerUnreachable)) }
        tell(.reachedNamed(host, choices.flag() && peer.team == Names.team ? peer : nil))
      case 15: if sessions.contains(peer) { tell(.told(peer, "t\(choices.number(below: 6))")) }
      case 16: tell(.remembered(peer, addresses()))
      case 17: awaited = choices.flag() ? [peer] : []
      case 18: tell(.said(peer, addresses()))
      case 19: tell(.canMeet(peer, choices.number(below: 4) > 0))
      case 20:
        guard let peer = meetings.min(by: { $0.device < $1.device }) else { return }
        if choices.flag() { return open(peer, isDialler: true) }
        meetings.remove(peer)
        tell(.meetingFailed(peer, choices.pick([.peerUnreachable, .peerTimedOut])))
      default:
        // Many peers that were never met.
        let first = choices.byte() & 0xC0
        for number in first...first + 63 { tell(.seen(instance: "\(number)", of: Names.peer(number))) }
      }
    }

    private mutating func instance(_ peer: PeerID) -> String { "\(peer.device.bytes[0]).\(choices.number(below: 12))" }

    private mutating func addresses() -> [String] {
      let first = choices.byte()
      return (0..<choices.number(below: 24)).map { "a\(Int(first) + $0)" }
    }

    private mutating func open(_ peer: PeerID, isDialler: Bool) {
      openings.append((peer, isDialler))
      tell(.opened(peer, isDialler: isDialler))
    }

    private mutating func tell(_ event: Table.Event) {
      var effects = table.handle(event, at: now, awaited: awaited)
      guard case .wake(let instant)? = effects.popLast() else { fatalError("The last effect of \(event) is no wake") }
      wake = instant
      hold(instant.map { $0 > now } ?? true, "It would be woken without end after \(event)")
      for effect in effects {
        switch effect {
        case .resolve(let instance): asked.insert(instance)
        case .dial(let peer, let addresses):
          hold(!addresses.isEmpty && Set(addresses).count == addresses.count, "Addresses to dial after \(event)")
          hold(addresses.count <= Limits.addressesPerInstance, "\(addresses.count) addresses")
          hold(teams.contains(peer.team), "A peer of another's team is dialled")
          dialled.insert(peer)
        case .stopDialling(let peer):
          dialled.remove(peer)
          meetings.remove(peer)
        case .meet(let peer):
          hold(!sessions.contains(peer), "It is met in a session after \(event)")
          hold(meetings.insert(peer).inserted, "It is met twice after \(event)")
        case .askToDial(let peer):
          hold(table.peers[peer]?.canMeet == true, "It is asked in vain after \(event)")
        case .dialNamed(let host): hold(namedDials.insert(host).inserted, "It is dialled twice after \(event)")
        case .stopDiallingNamed(let host): namedDials.remove(host)
        case .probe(let peer): hold(sessions.contains(peer), "A probe without a session after \(event)")
        case .released(let instance):
          hold(!table.peers.values.contains { $0.instances.contains(instance) }, "\(instance) is kept after \(event)")
        case .wake: fatalError("Two wakes")
        default: break
        }
      }
      last = event
    }

    func check() {
      let openingsOfPeer = openings.reduce(into: [:]) { $0[$1.peer, default: 0] += 1 }
      for (id, peer) in table.peers {
        hold((peer.readySince != nil) == sessions.contains(id), "A session after \(last)")
        same(peer.attempt?.isDialling ?? false, dialled.contains(id), "Dialling after \(last)")
        hold(peer.instances.count <= Limits.instancesPerPeer, "\(peer.instances.count) instances")
        hold(peer.remembered.count <= Limits.addressesPerPeer, "\(peer.remembered.count) addresses")
        hold(peer.said.count <= Limits.saidAddresses, "\(peer.said.count) said addresses")
        let tried = peer.attempt?.tried.count ?? 0
        hold(tried <= Limits.dialledAddresses, "\(tried) addresses in one attempt")
        same(peer.openings, openingsOfPeer[id] ?? 0, "Openings after \(last)")
        same(peer.attempt?.isMeeting ?? false, meetings.contains(id), "Meeting after \(last)")
        same(peer.isRelayed, relayed.contains(id), "A relay after \(last)")
        if peer.isRelayed {
          hold(peer.attempt != nil || peer.due != nil || peer.openings > 0, "It stays at a relay after \(last)")
        } else if peer.readySince != nil {
          hold(peer.attempt == nil && peer.due == nil, "It is dialled in a session")
        }
        let isWaiting = peer.readySince == nil && peer.attempt == nil && peer.openings == 0 && !peer.isIdle
        if isWaiting, table.hasWay(to: id) { hold(peer.due != nil, "\(id) is stuck after \(last)") }
      }
      for (host, named) in table.named {
        same(named.isDialling, namedDials.contains(host), "Dialling \(host) after \(last)")
        let isConnected = named.peer.map(sessions.contains) ?? false
        hold(named.isDialling || isConnected || named.due != nil, "\(host) is stuck after \(last)")
      }
      hold(dialled.allSatisfy { table.peers[$0] != nil }, "One that is not known is dialled after \(last)")
      hold(sessions.allSatisfy { table.peers[$0] != nil }, "A session with one that is not known after \(last)")
      let most = Limits.knownPeers + Limits.rememberedPeers + openings.count + sessions.count
      hold(table.peers.count <= most, "\(table.peers.count) peers")
    }
  }
}
