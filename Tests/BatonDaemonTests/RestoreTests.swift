// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import TLS
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon

extension DaemonTests {
  /// Machines whose state was restored from a backup, and the machines that were with them in the meantime.
  struct RestoreTests {
    /// Both lists were made from one backup. Each of two members receives a different one, and they meet before the
    /// administrator returns.
    @Test func nobodyWhoWasRemovedComesInAgainAndAllMeetAgain() throws {
      try withDaemons("alpha", "beta", "gamma", "delta", "epsilon") { machines, network in
        try connect(machines)
        for machine in machines.reversed() { try machine.stop() }
        try machines[0].copyState()
        // Only beta learns of the first removal.
        var (alpha, beta) = (try machines[0].again(network), try machines[1].again(network))
        try alpha.waitForSessions(1)
        try alpha.revoke("delta")
        try waitUntil("beta knows") { try held(by: beta) == held(by: alpha) }
        try alpha.stop()
        try beta.stop()
        // Only gamma learns of the second removal, and the device that was removed first is back.
        try machines[0].putStateBack()
        alpha = try machines[0].again(network)
        try alpha.revoke("epsilon")
        let gamma = try machines[2].again(network)
        let delta = try machines[3].again(network)
        for machine in [alpha, gamma, delta] { try machine.waitForSessions(2) }
        try alpha.stop()
        beta = try machines[1].again(network)
        for machine in [beta, gamma] { try machine.waitForSessions(1) }
        try delta.waitForSessions(0)
        let epsilon = try machines[4].again(network)
        try waitUntil("Both hold both lists") {
          try held(by: beta) == held(by: gamma) && onLoop { [beta] in beta.daemon.revocationLists[0].all.count } == 2
        }
        // The administrator merges the two into one list.
        alpha = try machines[0].again(network)
        let members = [alpha, beta, gamma]
        for machine in members { try machine.waitForSessions(2) }
        try waitUntil("There is one list") {
          let lists = try members.map { member in try onLoop { member.daemon.revocationLists[0] } }
          return lists.allSatisfy { $0.all.count == 1 && $0 == lists[0] && $0.entries.count == 2 }
        }
        for machine in members {
          let peers = try machine.peers()
          #expect(peers.count == 2 && !peers.contains { ["delta", "epsilon"].contains($0.device) })
        }
        let note = try gamma.advertise(ControlActivity(activityType: "org.example.notes"))
        for machine in [alpha, beta] { try machine.waitForOffer(note.id, by: .session) }
        for machine in [delta, epsilon] { #expect(try machine.status().sessions == 0) }
        // The next removal works as usual.
        try alpha.revoke("gamma")
        for machine in [alpha, beta] { try machine.waitForSessions(1) }
        try gamma.waitForSessions(0)
        for machine in [epsilon, alpha, beta, delta, gamma] { try machine.stop() }
      }
    }

    /// In the meantime, more devices were removed than there are old keys that are kept.
    @Test func aMemberThatWasAwayForLongComesBack() throws {
      try withDaemons("alpha", "beta") { machines, network in
        try connect(machines)
        try machines[1].stop()
        var alpha = machines[0]
        for _ in 0...Limits.previousDiscoveryKeys {
          try alpha.revoke(try RawPeer.admitted(by: alpha).device.text)
        }
        // It dials where the others were.
        var beta = try machines[1].again(nil)
        try waitUntil("It has the list") { try held(by: beta) == held(by: alpha) }
        for machine in [alpha, beta] { try machine.waitForSessions(1) }
        try beta.stop()
        for _ in 0...Limits.previousDiscoveryKeys {
          try alpha.revoke(try RawPeer.admitted(by: alpha).device.text)
        }
        try alpha.stop()
        // Now the others dial where it was.
        beta = try machines[1].again(nil)
        alpha = try machines[0].again(nil)
        try waitUntil("It has the list") { try held(by: beta) == held(by: alpha) }
        for machine in [beta, alpha] { try machine.waitForSessions(1) }
        for machine in [beta, alpha] { try machine.stop() }
      }
    }

    /// Nor is either machine where it was, for example because it is on another network.
    @Test func aMachineWhoseAdvertNobodyCanReadIsFound() throws {
      try withDaemons("alpha", "beta", "gamma") { machines, network in
        try connect(Array(machines.prefix(2)))
        _ = try machines[2].createTeam("Other")
        try machines[1].stop()
        for _ in 0...Limits.previousDiscoveryKeys {
          try machines[0].revoke(try RawPeer.admitted(by: machines[0]).device.text)
        }
        try machines[0].stop()
        let alpha = try DaemonFixture("alpha", network: network, directory: machines[0].directory)
        let beta = try DaemonFixture("beta", network: network, directory: machines[1].directory)
        for machine in [alpha, beta] { try machine.waitForSessions(1) }
        try waitUntil("It has the list") { try held(by: beta) == held(by: alpha) }
        let note = try alpha.advertise(ControlActivity(activityType: "org.example.notes"))
        try beta.waitForOffer(note.id, by: .session)
        // Strangers are not dialled.
        let counters = try machines[2].status().counters
        #expect(counters[.sessionsBegun] == 0 && counters[.connectionsRefused].isEmpty)
        for machine in [beta, alpha] { try machine.stop() }
      }
    }

    /// The machine has not been in a session since, and nobody knows where it is.
    @Test func aMachineWithAnotherKeyIsReachedWhereAUserSays() throws {
      try withDaemons("alpha", "beta", "gamma", network: false) { machines, _ in
        let (alpha, beta, gamma) = (machines[0], machines[1], machines[2])
        _ = try alpha.createTeam()
        try alpha.admitByFiles(beta)
        _ = try gamma.createTeam("Other")
        for _ in 0...Limits.previousDiscoveryKeys {
          try alpha.revoke(try RawPeer.admitted(by: alpha).device.text)
        }
        for (machine, other) in [(alpha, beta), (beta, alpha)] {
          var replies = try machine.connect().replies(of: Diagnose.self, Diagnose.Parameters(peer: other.address))
          var findings: [Diagnose.Reply] = []
          while let finding = try replies.next() { findings.append(finding) }
          let said = findings.first { $0.check == .peer }?.detail
          #expect(said == "\(other.address) is \(other.name), and it's responding.")
          #expect(try machine.status().sessions == 0)
        }
        // A stranger is still recognized as one.
        _ = try beta.call(AddPeer.self, AddPeer.Parameters(address: gamma.address))
        try waitUntil("It is none") {
          try beta.call(ListStaticPeers.self, Nothing()).peers.map(\.reason) == [.otherTeam]
        }
        _ = try beta.call(AddPeer.self, AddPeer.Parameters(address: alpha.address))
        for machine in [alpha, beta] { try machine.waitForSessions(1) }
      }
    }

    @Test func whomTheAdministratorMeetsItCanRemove() throws {
      try withDaemons("alpha", "beta") { machines, network in
        _ = try machines[0].createTeam()
        try machines[0].stop()
        try machines[0].copyState()
        var alpha = try machines[0].again(network)
        let beta = machines[1]
        _ = try beta.join(try alpha.invite(), at: alpha)
        let known = try alpha.call(ListDevices.self, ListDevices.Parameters()).devices
        try alpha.waitForSessions(1)
        try alpha.stop()
        try machines[0].putStateBack()
        alpha = try machines[0].again(network)
        try alpha.waitForSessions(1)
        let devices = try alpha.call(ListDevices.self, ListDevices.Parameters()).devices
        #expect(devices.map(\.name) == ["beta"] && devices.map(\.deviceID) == known.map(\.deviceID))
        #expect(devices.map(\.serial) == known.map(\.serial))
        try alpha.revoke("beta")
        for machine in [alpha, beta] { try machine.waitForSessions(0) }
        try alpha.stop()
      }
    }
  }
}

extension DaemonFixture {
  fileprivate func revoke(_ device: String) throws {
    _ = try call(RevokeDevice.self, RevokeDevice.Parameters(device: device))
  }
}

/// Returns the digest of the lists that a machine holds of its only team.
private func held(by machine: DaemonFixture) throws -> [UInt8]? {
  try onLoop { machine.daemon.revocationLists.first?.digest }
}
