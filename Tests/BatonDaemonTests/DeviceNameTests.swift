// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import Handoff
import JSONCoding
import Systemd
import TLS
import Teams
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  /// Which name belongs to which device.
  struct DeviceNameTests {
    private func become(_ name: String, _ peer: RawPeer) throws {
      try peer.becomeReady(Hello(minimum: 1, maximum: 1, device: name, epoch: 1, revocations: 0))
    }

    /// A device that was met under a name, and has gone.
    private func meet(_ name: String, _ daemon: DaemonFixture) throws -> Credentials {
      let member = try RawPeer.admitted(by: daemon)
      let peer = try RawPeer(member, port: daemon.port)
      try become(name, peer)
      try daemon.waitForSessions(1)
      peer.hangUp()
      try daemon.waitForSessions(0)
      return member
    }

    private func listed(_ member: Credentials, at daemon: DaemonFixture) throws -> ControlPeer? {
      try daemon.call(ListPeers.self, Nothing()).peers.first { $0.deviceID == member.device }
    }

    private func label(_ name: String, _ member: Credentials) -> String { "\(name) (\(member.device.text.prefix(8)))" }

    @Test func anotherMachineDoesNotGetTheNameOfOneThatIsOff() throws {
      try withTeam { a in
        let real = try meet("desktop", a)
        let member = try RawPeer.admitted(by: a)
        let peer = try RawPeer(member, port: a.port)
        try become("tablet", peer)
        try a.waitForSessions(1)
        #expect(try listed(member, at: a)?.device == "tablet")
        // The name changes while the machine is connected.
        for name in ["desktop", "DESKTOP", "dеsktop", "desk\u{200B}top"] {
          try peer.send(Renamed(device: name))
          // Of a name with something that nobody sees, what is seen.
          let label = label(VisibleText.line(name) ?? name, member)
          try waitUntil("It has digits") { try listed(member, at: a)?.device == label }
          #expect(try listed(member, at: a)?.claim == name)
        }
        #expect(try listed(real, at: a)?.device == "desktop" && listed(real, at: a)?.claim == nil)
        peer.hangUp()
        try a.waitForSessions(0)
        let again = try RawPeer(member, port: a.port)
        try become("desktop", again)
        try waitUntil("It has digits") { try listed(member, at: a)?.device == label("desktop", member) }
      }
    }

    @Test func itIsKnownAfterARestart() throws {
      try withTeam { a in
        let real = try meet("desktop", a)
        try a.stop()
        let again = try DaemonFixture("alpha", network: nil, directory: a.directory)
        let away = try again.call(ListPeers.self, Nothing()).peers
        #expect(away.contains { $0.device == "desktop" && $0.deviceID == real.device && $0.state != .connected })
        let since = try #require(try listed(real, at: again)?.awaySince)
        #expect(abs(Double(since) - Date.now.timeIntervalSince1970) < 60)
        let member = try RawPeer.admitted(by: again)
        let peer = try RawPeer(member, port: again.port)
        try become("desktop", peer)
        try again.waitForSessions(1)
        #expect(try listed(member, at: again)?.device == label("desktop", member))
        // The one that comes back has its name.
        let back = try RawPeer(real, port: again.port)
        try become("desktop", back)
        try again.waitForSessions(2)
        #expect(try listed(real, at: again)?.device == "desktop" && listed(real, at: again)?.awaySince == nil)
        try again.stop()
      }
    }

    /// A file can have an entry that an older version has written beside one that it did not understand.
    @Test func theNewestEntryOfADeviceCounts() throws {
      var names = DeviceNames()
      let peer = PeerID(team: try #require(TeamID(bytes: [UInt8](repeating: 1, count: 32))), device: try unknown)
      names.restore(DeviceNames.Entry(names: ["desktop"], claim: "desktop", met: 7), of: peer)
      names.restore(DeviceNames.Entry(names: ["desktop"], claim: "old"), of: peer)
      #expect(names[peer] == DeviceNames.Entry(names: ["desktop"], claim: "desktop", met: 7))
    }

    /// An administrator who admits many devices to one team makes none of another one forgotten.
    @Test func aTeamHasALimit() throws {
      try withTeam { a in
        let place = try PlaceForFiles()
        let path = place.path
        try waitOnLoop {
          let teams = try (1...2 as ClosedRange<UInt8>).map { number in
            try #require(TeamID(bytes: [UInt8](repeating: number, count: 32)))
          }
          @Loop func remembered() -> RememberedNames {
            RememberedNames(in: path, membership: a.daemon.membership, own: { "alpha" }, log: Log(level: .error))
          }
          let names = remembered()
          @Loop func meet(_ number: Int, in team: TeamID) throws {
            let bytes = [UInt8(number / 256), UInt8(number % 256)] + [UInt8](repeating: 0, count: 30)
            let peer = PeerID(team: team, device: try #require(DeviceID(bytes: bytes)))
            _ = names.said("name \(number)", by: peer)
          }
          try meet(0, in: teams[0])
          for number in 0...Limits.admittedDevices { try meet(number, in: teams[1]) }
          await names.save()
          let again = remembered()
          #expect(again.devices(in: teams[0]).map(\.label) == ["name 0"])
          let labels = Set(again.devices(in: teams[1]).map(\.label))
          #expect(labels.count == Limits.admittedDevices && !labels.contains("name 0") && labels.contains("name 256"))
        }
      }
    }

    @Test func aMachineThatLeavesIsForgotten() throws {
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let peer = try RawPeer(member, port: a.port)
        try become("desktop", peer)
        try a.waitForSessions(1)
        try peer.send(Bye(reason: .teamLeft))
        try a.waitForSessions(0)
        try waitUntil("It is forgotten") { try listed(member, at: a) == nil }
        let other = try RawPeer.admitted(by: a)
        let next = try RawPeer(other, port: a.port)
        try become("desktop", next)
        try a.waitForSessions(1)
        #expect(try listed(other, at: a)?.device == "desktop")
      }
    }

    @Test func aPersonGivesItToTheNewMachine() throws {
      try withTeam { a in
        let real = try meet("desktop", a)
        let member = try RawPeer.admitted(by: a)
        let peer = try RawPeer(member, port: a.port)
        try become("desktop", peer)
        try a.waitForSessions(1)
        let reply = try a.call(AcceptName.self, AcceptName.Parameters(deviceID: member.device))
        #expect(reply.device == "desktop" && reply.former == real.device)
        #expect(try listed(member, at: a)?.device == "desktop" && listed(member, at: a)?.claim == nil)
        #expect(try a.failure(of: AcceptName.self, AcceptName.Parameters(deviceID: try unknown)) == .peerNotFound)
        let back = try RawPeer(real, port: a.port)
        try become("desktop", back)
        try a.waitForSessions(2)
        #expect(try listed(real, at: a)?.device == label("desktop", real))
        try a.stop()
        let again = try DaemonFixture("alpha", network: nil, directory: a.directory)
        #expect(try listed(member, at: again)?.device == "desktop")
        #expect(try listed(real, at: again)?.device == label("desktop", real))
        try again.stop()
      }
    }

    private var unknown: DeviceID {
      get throws { try #require(DeviceID(bytes: [UInt8](repeating: 9, count: 32))) }
    }

    @Test func aMachineThatIsRemovedLosesItsName() throws {
      try withTeam { a in
        let real = try meet("desktop", a)
        let member = try RawPeer.admitted(by: a)
        let peer = try RawPeer(member, port: a.port)
        try become("desktop", peer)
        try a.waitForSessions(1)
        #expect(try listed(member, at: a)?.device == label("desktop", member))
        _ = try a.call(RevokeDevice.self, RevokeDevice.Parameters(device: real.device.text))
        try waitUntil("It has the name") { try listed(member, at: a)?.device == "desktop" }
        #expect(try listed(real, at: a) == nil)
      }
    }

    /// The key of the team goes to nobody by a name that belongs to another device.
    @Test func nobodyIsPromotedOrRemovedByTheNameOfAnother() throws {
      try withTeam { a in
        let real = try RawPeer.admitted(by: a)
        let peer = try RawPeer(real, port: a.port)
        try become("kitchen", peer)
        try a.waitForSessions(1)
        try peer.send(Renamed(device: "desktop"))
        try waitUntil("It has another name") { try listed(real, at: a)?.device == "desktop" }
        peer.hangUp()
        try a.waitForSessions(0)
        // The other one was invited as desktop, and never came.
        let impostor = try RawPeer.admitted(by: a)
        let device = impostor.device
        try onLoop {
          let team = try #require(a.daemon.membership.teams.first)
          let peer = PeerID(team: team.id, device: device)
          a.daemon.membership.met(peer, name: "desktop", certificate: impostor.certificate)
          a.daemon.membership.recordMet()
        }
        #expect(try a.failure(of: PromoteDevice.self, PromoteDevice.Parameters(device: "desktop")) == .nameTaken)
        #expect(try a.failure(of: RevokeDevice.self, RevokeDevice.Parameters(device: "desktop")) == .nameTaken)
        let digits = String(device.text.prefix(6))
        #expect(try a.call(RevokeDevice.self, RevokeDevice.Parameters(device: digits)).device.deviceID == device)
      }
    }

    @Test func nobodyIsCalledAsThisMachine() throws {
      try withTeam { a in
        let member = try meet("Alpha", a)
        #expect(try listed(member, at: a)?.device == label("Alpha", member))
      }
    }

    @Test func offersAndAgentsHaveTheSameName() throws {
      try withTwoDaemons { a, b in
        let own = try #require(try b.call(ListTeams.self, Nothing()).teams.first).deviceID
        let offer = try b.advertise(ControlActivity(activityType: "org.example.page"))
        #expect(try a.waitForOffer(offer.id, by: .session).device == "beta")
        // Another device has had the name, as if it had been met before.
        try onLoop {
          let peer = PeerID(team: a.daemon.membership.teams[0].id, device: own)
          let other = PeerID(team: peer.team, device: try unknown)
          _ = a.daemon.peers.names.said("gamma", by: other)
          a.daemon.peers.name(peer, a.daemon.peers.names.said("gamma", by: peer))
        }
        let label = "gamma (\(own.text.prefix(8)))"
        try waitUntil("The offer has digits") { try a.offers().first?.device == label }
        #expect(try a.continueActivity(offer.id).device == label)
      }
    }
  }
}
