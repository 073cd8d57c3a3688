// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Foundation
import Glibc
import Handoff
import JSONCoding
import Systemd
import TLS
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  struct ReachabilityTests {
    // MARK: Named by a user

    @Test func aMachineThatIsNamedIsReachedAndBothSidesOffer() throws {
      try withStrangers { a, b in
        #expect(try add("LocalHost:\(a.port)", to: b).address == "localhost:\(a.port)")
        try a.waitForSessions(1)
        let peer = try waitForState(.connected, at: b)
        #expect(peer.device == "alpha")
        #expect(peer.reason == nil)
        for (origin, receiver) in [(a, b), (b, a)] {
          let note = try origin.advertise(ControlActivity(activityType: "org.example.notes"))
          try receiver.waitForOffer(note.id, by: .session)
          #expect(try receiver.continueActivity(note.id).device == origin.name)
        }
      }
    }

    @Test func itIsReachedAgainAfterItsSessionWasLost() throws {
      try withStrangers { a, b in
        _ = try add(a.address, to: b)
        _ = try waitForState(.connected, at: b)
        for _ in 0..<3 {
          try cutSessions(of: a, b)
          try b.waitForSessions(1)
        }
        _ = try waitForState(.connected, at: b)
      }
    }

    @Test func namesAreKeptOverARestartUntilTheyAreRemoved() throws {
      try withStrangers { a, b in
        _ = try add(a.address, to: b)
        _ = try waitForState(.connected, at: b)
        try b.stop()
        let again = try DaemonFixture("beta", network: nil, directory: b.directory)
        _ = try waitForState(.connected, at: again)
        _ = try again.call(RemovePeer.self, RemovePeer.Parameters(address: a.address))
        #expect(try staticPeers(again).isEmpty)
        #expect(try again.failure(of: RemovePeer.self, RemovePeer.Parameters(address: a.address)) == .peerNotFound)
        #expect(try again.status().sessions == 1)
        try again.stop()
      }
    }

    @Test func aMachinesOwnAddressAndStrangersAreNoPeers() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let (a, b) = (machines[0], machines[1])
        _ = try a.createTeam()
        _ = try b.createTeam("Other")
        #expect(try add(a.address, to: a).state == .connecting)
        _ = try waitForState(.thisMachine, at: a)
        _ = try a.call(RemovePeer.self, RemovePeer.Parameters(address: a.address))
        _ = try add(b.address, to: a)
        #expect(try waitForState(.unreachable, at: a).reason == .otherTeam)
        #expect(try a.status().sessions == 0)
        _ = try a.call(RemovePeer.self, RemovePeer.Parameters(address: b.address))
        _ = try add("127.0.0.1:1", to: a)
        #expect(try waitForState(.unreachable, at: a).reason == .peerUnreachable)
      }
    }

    @Test func addressesAndTeamsAreChecked() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        let a = machines[0]
        #expect(try a.failure(of: AddPeer.self, AddPeer.Parameters(address: "nas")) == .teamNotFound)
        let team = try a.createTeam()
        for address in ["", "a b", "nas:0", "nas:x", "[::1", "a:b:c", "[nas:1]:2", "::1::2"] {
          #expect(try a.failure(of: AddPeer.self, AddPeer.Parameters(address: address)) == .addressInvalid)
        }
        #expect(try add("FE80::1%Eth0", to: a).address == "[fe80::1%Eth0]:22866")
        _ = try a.createTeam("Second")
        #expect(try a.failure(of: AddPeer.self, AddPeer.Parameters(address: "nas")) == .teamAmbiguous)
        _ = try a.call(LeaveTeam.self, LeaveTeam.Parameters(team: team.id.description))
        #expect(try staticPeers(a).isEmpty)
      }
    }

    @Test func thereIsALimitToNames() throws {
      try withTeam { a in
        let share = Limits.staticPeerShare
        let limit = getuid() == 0 ? share.total : share.perUser
        for number in 1...limit { _ = try add("127.0.0.1:\(number)", to: a) }
        #expect(try add("127.0.0.1:1", to: a).address == "127.0.0.1:1")
        #expect(try a.failure(of: AddPeer.self, AddPeer.Parameters(address: "127.0.0.1:999")) == .limitReached)
        #expect(try staticPeers(a).count == limit)
      }
    }

    // MARK: Remembered

    @Test func whereATeamWasJoinedIsRemembered() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let (a, b) = (machines[0], machines[1])
        try connect(machines)
        #expect(try staticPeers(b).isEmpty)
        try b.stop()
        try a.waitForSessions(0)
        let again = try DaemonFixture("beta", network: nil, directory: b.directory)
        try again.waitForSessions(1)
        try again.stop()
      }
    }

    @Test(arguments: [0, 1]) func aPeerIsReachedAfterARestartWithoutDiscovery(number: Int) throws {
      try withDaemons("alpha", "beta") { machines, _ in
        try connect(machines)
        // One of them dialled, and the other was told which address it can dial.
        let (first, second) = (machines[number], machines[1 - number])
        try first.stop()
        try second.waitForSessions(0)
        let third = try DaemonFixture(first.name, network: nil, directory: first.directory)
        try second.waitForSessions(1)
        #expect(try third.peers().map(\.device) == [second.name])
        try third.stop()
      }
    }

    @Test func aPeerThatStoppedIsNotListedThoughItIsRemembered() throws {
      try withTwoDaemons { a, b in
        try a.stop()
        try waitUntil("It is forgotten") { try b.peers().isEmpty }
        #expect(try b.offers().isEmpty)
      }
    }

    @Test func theNewestAddressesOfTheNewestPeersAreKept() throws {
      let place = try PlaceForFiles()
      let path = place.path
      let team = TeamID(bytes: Array(repeating: 1, count: 32))
      try waitOnLoop {
        guard let team else { return }
        func peer(_ number: Int) -> PeerID? {
          DeviceID(bytes: [UInt8(number / 256), UInt8(number % 256)] + Array(repeating: 0, count: 30))
            .map { PeerID(team: team, device: $0) }
        }
        let memory = RememberedAddresses(in: path, log: Log(level: .error))
        memory.loaded = [team: 1000]
        for number in 0...Limits.rememberedPeers {
          for last in 1...UInt8(Limits.addressesPerPeer + 1) {
            guard let peer = peer(number), let address = SocketAddress(bytes: [192, 0, 2, last], port: 7) else {
              return
            }
            memory.remember(peer, address, isFirst: true)
          }
        }
        await memory.save()
        let again = RememberedAddresses(in: path, log: Log(level: .error)).all
        #expect(again.count == Limits.rememberedPeers)
        #expect(again.first?.peer == peer(Limits.rememberedPeers))
        #expect(again.last?.peer == peer(1))
        #expect(
          again.allSatisfy { entry in
            entry.addresses.map(\.description) == ["192.0.2.5:7", "192.0.2.4:7", "192.0.2.3:7", "192.0.2.2:7"]
          }
        )
        memory.forget(team)
        await memory.save()
        #expect(RememberedAddresses(in: path, log: Log(level: .error)).all.isEmpty)
      }
    }

    @Test func manyPeersOfOneUserMakeNoneOfAnothersForgotten() throws {
      let place = try PlaceForFiles()
      let path = place.path
      try onLoop {
        let teams = try (1...2 as ClosedRange<UInt8>).map { number in
          try #require(TeamID(bytes: Array(repeating: number, count: 32)))
        }
        let address = try #require(SocketAddress(bytes: [192, 0, 2, 1], port: 7))
        @Loop func remember(_ number: Int, of team: TeamID) throws {
          let bytes = [UInt8(number / 256), UInt8(number % 256)] + Array(repeating: 0, count: 30)
          let device = try #require(DeviceID(bytes: bytes))
          memory.remember(PeerID(team: team, device: device), address, isFirst: true)
        }
        let memory = RememberedAddresses(in: path, log: Log(level: .error))
        memory.loaded = [teams[0]: 1000, teams[1]: 1001]
        for number in 0..<2 { try remember(number, of: teams[0]) }
        let last = Limits.rememberedPeers + 50
        for number in 0...last { try remember(number, of: teams[1]) }
        #expect(memory.all.count == Limits.rememberedPeers)
        #expect(memory.all.count { $0.peer.team == teams[0] } == 2)
        #expect(memory.all.first?.peer.device.bytes.prefix(2) == [UInt8(last / 256), UInt8(last % 256)])
      }
    }

    @Test func filesThatAreDamagedCountAsEmpty() throws {
      let place = try PlaceForFiles()
      let path = place.path
      for text in [
        "", "{}", "[1, {}, {\"team\": \"X\"}]", String(repeating: " ", count: AddressFile.addressFileLength + 1),
      ] {
        try place.write(text, to: "remembered-addresses.json")
        try place.write(text, to: "static-peers.json")
        try onLoop {
          #expect(RememberedAddresses(in: path, log: Log(level: .error)).all.isEmpty)
          #expect(StaticPeerList(in: path, log: Log(level: .error)).all.isEmpty)
        }
      }
    }

    // MARK: Said in a session

    @Test func whereAPeerSaysThatItListensIsKnownThoughItWasNotMetThere() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        let a = machines[0]
        _ = try a.createTeam()
        let member = try RawPeer.admitted(by: a)
        let peer = try RawPeer(member, port: a.port)
        let hosts = ["192.0.2.7", "127.0.0.1", "fe80::1", "what", "2001:db8::7"]
        let hello = Hello(minimum: 1, maximum: 1, device: "x", epoch: 1, revocations: 0, port: 7000, addresses: hosts)
        try peer.becomeReady(hello)
        let id = PeerID(team: member.team, device: member.device)
        let said = ["192.0.2.7:7000", "[2001:db8::7]:7000"]
        try waitUntil("It is known") { try onLoop { a.daemon.peers.saidBy(id) == said } }
        let address = try #require(SocketAddress(numericHost: "192.0.2.7", port: 7000))
        #expect(try onLoop { !a.daemon.peers.wasMet(at: address) })
        try a.stop()
        // It is still known after a restart, and an empty list takes it back.
        let again = try DaemonFixture("alpha", network: nil, directory: a.directory)
        #expect(try onLoop { again.daemon.peers.saidBy(id) == said && !again.daemon.peers.wasMet(at: address) })
        let returned = try RawPeer(member, port: again.port)
        var silent = hello
        silent.addresses = []
        try returned.becomeReady(silent)
        try waitUntil("It is no longer known") { try onLoop { again.daemon.peers.saidBy(id) == [] } }
        try again.stop()
      }
    }

    @Test func whatWasSaidIsKeptBesideWhereAPeerWasReached() throws {
      let place = try PlaceForFiles()
      let (path, name) = (place.path, "remembered-addresses.json")
      try waitOnLoop {
        let team = try #require(TeamID(bytes: Array(repeating: 1, count: 32)))
        let device = try #require(DeviceID(bytes: Array(repeating: 2, count: 32)))
        let peer = PeerID(team: team, device: device)
        // As an earlier version wrote it.
        let old = #"[{"addresses":["192.0.2.1:7"],"device":"\#(device.text)","team":"\#(team.text)"}]"#
        try place.write(old, to: name)
        let memory = RememberedAddresses(in: path, log: Log(level: .error))
        #expect(memory.all.map { $0.addresses.map(\.description) } == [["192.0.2.1:7"]])
        #expect(memory.all.first?.said == [])
        memory.loaded = [team: 1000]
        let said = (1...UInt8(Limits.saidAddresses + 1)).compactMap { SocketAddress(bytes: [10, 0, 0, $0], port: 7) }
        memory.remember(peer, said: said)
        memory.remember(peer, try #require(SocketAddress(bytes: [192, 0, 2, 2], port: 7)), isFirst: true)
        await memory.save()
        let again = RememberedAddresses(in: path, log: Log(level: .error)).all
        #expect(again.map { $0.addresses.map(\.description) } == [["192.0.2.2:7", "192.0.2.1:7"]])
        #expect(again.first?.said == Array(said.prefix(Limits.saidAddresses)))
        let other = try #require(TeamID(bytes: Array(repeating: 3, count: 32)))
        memory.rename(team, to: other)
        #expect(memory.all.first?.peer.team == other && memory.all.first?.said.count == Limits.saidAddresses)
      }
    }

    // MARK: The network

    @Test func aSessionThatDoesNotAnswerWhenTheNetworkChangedIsLetGoSoon() throws {
      let clock = try ManualClock.install()
      try withMember { a, peer in
        try a.waitForSessions(1)
        for number: UInt64 in 1...2 {
          try onLoop { number == 1 ? a.daemon.peers.networkChanged() : a.daemon.peers.resumed() }
          let asked = try peer.hear("ping") { if case .session(.ping(let ping)) = $0 { ping.number } else { nil } }
          #expect(asked == number)
          try peer.send(Pong(number: number))
          try peer.send(Ping(number: number))
          _ = try peer.hear("pong") { if case .session(.pong(let pong)) = $0 { pong } else { nil } }
        }
        try onLoop { a.daemon.peers.resumed() }
        try clock.pass(PeerSession.quickPongTime)
        _ = try peer.hear("ping") { if case .session(.ping(let ping)) = $0 { ping } else { nil } }
        #expect(try peer.farewell() == .peerTimedOut)
        try a.waitForSessions(0)
      }
    }

    @Test func peersAreDialledAtOnceWhenTheNetworkChanged() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha", "beta") { machines, network in
        let (a, b) = (machines[0], machines[1])
        try onLoop { network.resolves = false }
        _ = try a.createTeam()
        try a.admitByFiles(b)
        try waitUntil("They see each other") { try a.peers().count == 1 && b.peers().count == 1 }
        // Make the pauses long.
        for _ in 0..<20 {
          try clock.pass(.seconds(60))
          _ = try a.status()
        }
        try onLoop {
          network.resolves = true
          network.changeAddresses()
        }
        try waitUntil("They are connected") {
          try clock.pass(.milliseconds(1))
          return try a.status().sessions == 1 && b.status().sessions == 1
        }
      }
    }

    @Test func aPeerIsKeptWhileSomethingWaitsForItsSession() throws {
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let files = try a.advertiseFiles()
        var peer: RawPeer? = try RawPeer(member, port: a.port)
        try peer?.becomeReady()
        // A stream waits for the next session.
        let stream = try peer?.continueWithStream(files)
        peer = nil
        try waitUntil("Its end is noticed") { try a.status().sessions == 0 }
        #expect(try a.peers().map(\.state) == [.unreachable])
        peer = try RawPeer(member, port: a.port)
        try peer?.becomeReady()
        try a.waitForSessions(1)
        // Nothing waits any longer.
        try peer?.send(Reset(stream: peer?.firstStream ?? 0, reason: .streamReset))
        #expect(try stream.map { try a.outcome(of: $0) } == .streamReset)
        peer = nil
        try waitUntil("Its end is noticed") { try a.status().sessions == 0 }
        try waitUntil("It is forgotten") { try a.peers().isEmpty }
      }
    }

    @Test func anOfferIsContinuedAsSoonAsItsMachineIsThere() throws {
      try withDaemons("alpha", "beta") { machines, network in
        let (a, b) = (machines[0], machines[1])
        // The machine is listed because of its advert before it can be dialled, as right after its daemon has
        // started.
        try onLoop { network.resolves = false }
        _ = try a.createTeam()
        try a.admitByFiles(b)
        let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
        try b.waitForOffer(note.id, by: .advert)
        let id = note.id
        let outcome = onThread { try b.continueActivity(id).device }
        try waitUntil("It was tried") { try b.peers().first?.state == .unreachable }
        #expect(!outcome.isSet)
        try onLoop { network.resolves = true }
        #expect(try outcome.wait() == "alpha")
      }
    }
  }
}

/// Runs `body` with a team of two members that never see each other's adverts.
private func withStrangers(_ body: (DaemonFixture, DaemonFixture) throws -> Void) throws {
  try withDaemons("alpha", "beta", network: false) { machines, _ in
    _ = try machines[0].createTeam()
    try machines[0].admitByFiles(machines[1])
    try body(machines[0], machines[1])
  }
}

extension PeerTable {
  /// Where the peer says that it listens.
  fileprivate func saidBy(_ peer: PeerID) -> [String] { machine.peers[peer]?.said.map(\.description) ?? [] }
}

private func add(_ address: String, to machine: DaemonFixture) throws -> ControlStaticPeer {
  try machine.call(AddPeer.self, AddPeer.Parameters(address: address)).peer
}

private func staticPeers(_ machine: DaemonFixture) throws -> [ControlStaticPeer] {
  try machine.call(ListStaticPeers.self, Nothing()).peers
}

private func waitForState(_ state: ControlStaticPeer.State, at machine: DaemonFixture) throws -> ControlStaticPeer {
  try waitFor("\(machine.name) lists \(state)") { try staticPeers(machine).first { $0.state == state } }
}
