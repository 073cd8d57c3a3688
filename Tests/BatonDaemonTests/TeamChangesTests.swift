// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Dispatch
import EventLoop
import Foundation
import Handoff
import JSONCoding
import TLS
import Teams
import TestSupport
import Testing
import Varlink

@testable import BatonDaemon

extension DaemonTests {
  /// What happens while a change of the teams is not yet on the disk.
  struct TeamChangesTests {
    /// A disk that is busy until the test lets it go on. Nothing is written until then.
    private final class BusyDisk: Sendable {
      private let goOn = DispatchSemaphore(value: 0)

      init(of machine: DaemonFixture) throws {
        let (goOn, isBusy) = (goOn, Outcome<Bool>())
        Task { @Loop in
          _ = try? await machine.daemon.membership.changes.make(for: .user(0)) { _ throws(Reason) in
            isBusy.set(.success(true))
            goOn.wait()
          }
        }
        _ = try isBusy.wait()
      }

      func release() { goOn.signal() }
    }

    private func waitForChanges(_ count: Int, at machine: DaemonFixture) throws {
      try waitUntil("\(count) changes wait") { try onLoop { machine.daemon.membership.changes.count == count } }
    }

    /// The names of the files of all invitations.
    private func invitations(of machine: DaemonFixture) throws -> [String] {
      let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(machine.directory)/state/teams")
      return paths.filter { $0.contains("/invitations/") }
    }

    @Test func othersAreAnsweredWhileInvitationsAreWritten() throws {
      try withTeam { a in
        let disk = try BusyDisk(of: a)
        let codes = (0..<8).map { _ in onThread { try a.invite() } }
        try waitForChanges(9, at: a)
        #expect(try a.status().teams.count == 1)
        #expect(try a.call(ListTeams.self, Nothing()).teams.count == 1)
        #expect(try a.offers().isEmpty)
        #expect(try !codes.contains(where: \.isSet) && invitations(of: a).isEmpty)
        disk.release()
        #expect(try Set(codes.map { try $0.wait() }).count == 8)
        #expect(try invitations(of: a).count == 8)
      }
    }

    @Test func nobodyIsAdmittedBeforeThatIsOnTheDisk() throws {
      try withDaemons("alpha", "beta") { machines, _ in
        let (alpha, beta) = (machines[0], machines[1])
        _ = try alpha.createTeam()
        let code = try alpha.invite()
        let disk = try BusyDisk(of: alpha)
        let team = onThread { try beta.join(code, at: alpha) }
        try waitForChanges(2, at: alpha)
        #expect(try !team.isSet && beta.status().teams.isEmpty)
        #expect(try alpha.call(ListDevices.self, ListDevices.Parameters()).devices.isEmpty)
        disk.release()
        #expect(try team.wait().name == "Demo")
        #expect(try alpha.call(ListDevices.self, ListDevices.Parameters()).devices.map(\.name) == ["beta"])
      }
    }

    @Test func nobodyIsRemovedBeforeThatIsOnTheDisk() throws {
      try withTeam { a in
        let member = try RawPeer.admitted(by: a)
        let device = try #require(try a.call(ListDevices.self, ListDevices.Parameters()).devices.first).deviceID
        #expect(device == member.device)
        let disk = try BusyDisk(of: a)
        let removal = onThread {
          try a.call(RevokeDevice.self, RevokeDevice.Parameters(device: device.text))
        }
        try waitForChanges(2, at: a)
        let team = member.team
        func count() throws -> Int { try onLoop { a.daemon.membership.revocations(of: team).entries.count } }
        #expect(try !removal.isSet && count() == 0)
        #expect(try a.call(ListDevices.self, ListDevices.Parameters()).devices.first?.revoked == nil)
        disk.release()
        #expect(try removal.wait().device.revoked != nil && count() == 1)
      }
    }

    /// What cannot be written is refused and changes nothing, whatever waits behind it.
    @Test func aDeviceThatAnotherMachineHasRemovedIsDroppedWhateverTheDiskDoes() throws {
      try withDaemons("alpha", "beta", "gamma") { machines, _ in
        let (alpha, beta, gamma) = (machines[0], machines[1], machines[2])
        try connect(machines)
        let note = try gamma.advertise(ControlActivity(activityType: "org.example.notes"))
        try beta.waitForOffer(note.id, by: .session)
        let disk = try BusyDisk(of: beta)
        _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: "gamma"))
        try waitUntil("beta lets it go") { try beta.status().sessions == 1 && beta.offers().isEmpty }
        #expect(try onLoop { beta.daemon.membership.changes.count } == 2)
        disk.release()
        try waitForChanges(0, at: beta)
        #expect(try beta.peers().count == 1)
      }
    }

    @Test func aFailureIsOfOneChange() throws {
      try withTeam { a in
        let state = URL(filePath: "\(a.directory)/state/teams")
        let team = try #require(try FileManager.default.contentsOfDirectory(atPath: state.path).first)
        let folder = state.appending(path: "\(team)/invitations")
        try FileManager.default.removeItem(at: folder)
        try Data().write(to: folder)
        let disk = try BusyDisk(of: a)
        let code = onThread { try a.failure(of: InviteDevice.self, InviteDevice.Parameters()) }
        try waitForChanges(2, at: a)
        let other = onThread { try a.createTeam("Other") }
        try waitForChanges(3, at: a)
        #expect(!code.isSet && !other.isSet)
        disk.release()
        #expect(try code.wait() == .storageFailed)
        #expect(try other.wait().name == "Other")
        let id = try #require(try a.status().teams.first { $0.name == "Demo" }).id.description
        #expect(try onLoop { a.daemon.membership.teams.filter { a.daemon.membership.isInviting(to: $0.id) } }.isEmpty)
        try FileManager.default.removeItem(at: folder)
        _ = try a.call(InviteDevice.self, InviteDevice.Parameters(team: id))
        #expect(try invitations(of: a).count == 1)
      }
    }

    @Test func aUserLeavesRoomForOthers() throws {
      try withTeam { a in
        let disk = try BusyDisk(of: a)
        func change(for cause: TeamChanges.Cause) -> Outcome<Bool> {
          let outcome = Outcome<Bool>()
          Task { @Loop in
            do throws(Reason) {
              try await a.daemon.membership.changes.make(for: cause) { _ throws(Reason) in }
              outcome.set(.success(true))
            } catch { outcome.set(.failure(error)) }
          }
          return outcome
        }
        let made = (0..<64).map { _ in change(for: .user(7)) }
        try waitForChanges(65, at: a)
        #expect(throws: Reason.limitReached) { try change(for: .user(7)).wait() }
        let other = change(for: .user(8))
        try waitForChanges(66, at: a)
        // What one peer causes takes nothing from the others, nor from users.
        let team = try #require(try onLoop { a.daemon.membership.teams.first?.id })
        let peers = try (0..<2).map {
          PeerID(team: team, device: try #require(DeviceID(bytes: [UInt8](repeating: $0, count: 32))))
        }
        let limit = TeamChanges.peerLimits.each
        let caused = (0..<limit).map { _ in change(for: .peer(peers[0])) }
        try waitForChanges(66 + limit, at: a)
        #expect(throws: Reason.limitReached) { try change(for: .peer(peers[0])).wait() }
        let more = [change(for: .peer(peers[1])), change(for: .user(8)), change(for: .user(0)), change(for: .daemon)]
        try waitForChanges(70 + limit, at: a)
        disk.release()
        for outcome in made + [other] + caused + more { #expect(try outcome.wait()) }
      }
    }

    /// What is being written when the daemon stops is on the disk when it has stopped. What waits is not made.
    @Test func aDaemonThatStopsWaitsForTheDisk() throws {
      try withTeam { a in
        let disk = try BusyDisk(of: a)
        let other = onThread { try a.failure(of: CreateTeam.self, CreateTeam.Parameters(name: "Other")) }
        try waitForChanges(2, at: a)
        let stopped = onThread { try a.stop() }
        try waitUntil("It stops") { try onLoop { a.daemon.isStopping } }
        #expect(!stopped.isSet)
        disk.release()
        try stopped.wait()
        #expect(try other.wait() == .shuttingDown, "It is answered all the same")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(a.directory)/state/teams").count == 1)
        try a.again(nil).stop()
      }
    }
  }
}
