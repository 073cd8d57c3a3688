// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import JSONCoding
import TLS
import Teams
import TestSupport
import Testing

@testable import BatonDaemon

private let passphrase = "correct horse battery"

extension DaemonTests {
  /// Several machines with the team's key, certificates that expire, and teams that are renewed.
  struct AdministratorTests {
    // MARK: Promotion

    @Test func aPromotedMachineAdmitsAndRemoves() throws {
      try withDaemons("alpha", "beta", "gamma") { machines, _ in
        let (alpha, beta, gamma) = (machines[0], machines[1], machines[2])
        try connect([alpha, beta])
        let reply = try alpha.promote("beta")
        #expect(reply.device.administrator && reply.device.name == "beta")
        #expect(try beta.teams().map(\.administrator) == [true])
        try waitUntil("beta is told whom the other has admitted, and who that is") { try beta.devices() == ["alpha"] }
        _ = try gamma.join(try beta.invite(), at: beta)
        for machine in machines { try machine.waitForSessions(2) }
        try waitUntil("alpha knows it, too") { try alpha.devices() == ["beta", "gamma"] }
        _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: "gamma"))
        for machine in [alpha, beta] { try machine.waitForSessions(1) }
        // A list cuts the session that it ends at once, and is written after that.
        try waitUntil("beta has written the list") {
          let devices = try beta.call(ListDevices.self, ListDevices.Parameters()).devices
          return devices.filter { $0.revoked != nil }.map(\.name) == ["gamma"]
        }
        // Promoting again changes nothing.
        #expect(try alpha.promote("beta").device.administrator)
        // Each can remove the other.
        let removed = try beta.call(RevokeDevice.self, RevokeDevice.Parameters(device: "alpha")).device
        #expect(removed.administrator && removed.revoked != nil)
        try beta.waitForSessions(0)
      }
    }

    @Test func whatCannotBePromotedIsSaid() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let (alpha, beta) = (machines[0], machines[1])
        _ = try alpha.createTeam()
        try alpha.admitByFiles(beta)
        let lost = try RawPeer.admitted(by: alpha)
        func failure(_ device: String, at machine: DaemonFixture) throws -> Reason {
          try machine.failure(of: PromoteDevice.self, PromoteDevice.Parameters(device: device))
        }
        let id = try beta.teams()[0].deviceID.text
        #expect(try failure(id, at: alpha) == .peerUnreachable)
        #expect(try failure("alpha", at: alpha) == .notPermitted)
        #expect(try failure("nobody", at: alpha) == .peerNotFound)
        #expect(try failure("alpha", at: beta) == .notAdministrator)
        _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: lost.device.text))
        #expect(try failure(lost.device.text, at: alpha) == .certificateRevoked)
        #expect(try alpha.call(ListDevices.self, ListDevices.Parameters()).devices.allSatisfy { !$0.administrator })
      }
    }

    /// One device does not answer, as earlier versions do, and one refuses.
    @Test func aDeviceThatDoesNotTakeTheKeyIsTold() throws {
      let clock = try ManualClock.install()
      try withMember { alpha, peer in
        let answers: [(Promoted?, Reason)] = [
          (Promoted(reason: .storageFailed), .storageFailed), (nil, .peerTimedOut),
        ]
        for (answer, expected) in answers {
          let call = onThread { try alpha.failure(of: PromoteDevice.self, PromoteDevice.Parameters(device: "gamma")) }
          let sent = try peer.hear("the key") { if case .team(.promote(let promote)) = $0 { promote } else { nil } }
          #expect(sent.authorityKey.contains("PRIVATE KEY"))
          if let answer {
            try peer.send(answer)
          } else {
            try clock.pass(Administration.promotionTime)
          }
          #expect(try call.wait() == expected)
        }
        #expect(try alpha.call(ListDevices.self, ListDevices.Parameters()).devices.map(\.administrator) == [true])
      }
    }

    /// Two connections that cross become one session. What was sent on the other one may be lost.
    @Test func aKeyOnASessionThatIsReplacedIsSentAgain() throws {
      try withTeam { alpha in
        let member = try RawPeer.admitted(by: alpha)
        let old = try RawPeer(member, port: alpha.port)
        try old.becomeReady()
        try alpha.waitForSessions(1)
        let call = onThread { try alpha.promote("gamma") }
        let first = try old.hear("the key") { if case .team(.promote(let promote)) = $0 { promote } else { nil } }
        let new = try RawPeer(member, port: alpha.port)
        try new.becomeReady(RawPeer.hello(epoch: 2))
        #expect(try old.farewell() == .duplicateSession)
        let second = try new.hear("the key") { if case .team(.promote(let promote)) = $0 { promote } else { nil } }
        #expect(second == first)
        try new.send(Promoted())
        #expect(try call.wait().device.name == "gamma")
      }
    }

    /// A member pretends to be an administrator.
    @Test func onlyAnAdministratorIsBelieved() throws {
      try withDaemons("alpha", "beta") { machines, _ in
        let (alpha, beta) = (machines[0], machines[1])
        try connect(machines)
        let member = try RawPeer.admitted(by: alpha)
        let authority = try Authority.make(now: 1_800_000_000)
        let made = Admitted.Device(
          device: try PrivateKey.make().deviceID,
          serial: [1],
          name: "x",
          admitted: 1,
          isAdministrator: true
        )
        for machine in machines {
          let peer = try RawPeer(member, port: machine.port)
          try peer.becomeReady()
          try peer.send(Admitted(devices: [made]))
          try peer.send(Promoted())
          let certificate = try member.certificate.pem()
          try peer.send(Promote(certificate: certificate, authorityKey: try authority.key.pem()))
          let answer = try peer.hear("the answer") {
            if case .team(.promoted(let promoted)) = $0 { promoted } else { nil }
          }
          #expect(answer.reason == .notAdministrator)
          try peer.send(Renewed(certificate: try member.certificate.pem()))
          #expect(try peer.farewell() == .protocolViolation)
        }
        #expect(try beta.teams().map(\.administrator) == [false])
        #expect(try !alpha.devices().contains("x"))
      }
    }

    // MARK: Lists of two administrators

    @Test func whatBothDoApartComesTogether() throws {
      try withDaemons("alpha", "beta", "gamma", "delta", "epsilon") { machines, network in
        let (alpha, beta, gamma) = (machines[0], machines[1], machines[2])
        try connect(machines)
        _ = try alpha.promote("beta")
        // Neither learns what the other does.
        for machine in machines { try machine.stop() }
        let first = try DaemonFixture("alpha", network: nil, directory: alpha.directory)
        _ = try first.call(RevokeDevice.self, RevokeDevice.Parameters(device: "delta"))
        try first.stop()
        let second = try DaemonFixture("beta", network: nil, directory: beta.directory)
        _ = try second.call(RevokeDevice.self, RevokeDevice.Parameters(device: "epsilon"))
        try second.stop()
        let again = try [alpha, beta, gamma].map {
          try DaemonFixture($0.name, network: network, directory: $0.directory)
        }
        for machine in again { try machine.waitForSessions(2) }
        func lists() throws -> [RevocationLists] {
          try again.flatMap { machine in try onLoop { machine.daemon.revocationLists } }
        }
        try waitUntil("All hold one list of both") {
          let lists = try lists()
          return lists.allSatisfy { $0.all.count == 1 && $0.entries.count == 2 && $0 == lists[0] }
        }
        for machine in again.prefix(2) {
          let removed = try machine.call(ListDevices.self, ListDevices.Parameters()).devices.filter {
            $0.revoked != nil
          }
          #expect(Set(removed.map(\.name)) == ["delta", "epsilon"])
          _ = try machine.invite()
        }
        for machine in again { try machine.stop() }
      }
    }

    // MARK: Certificates

    @Test func aCertificateIsRenewedOverASession() throws {
      let clock = try ManualClock.install()
      try withTeam { alpha in
        let member = try RawPeer.admitted(by: alpha)
        func ask(isDue: Bool = true) throws -> Certificate? {
          let peer = try RawPeer(member, port: alpha.port)
          try peer.becomeReady()
          try peer.send(Renew())
          try peer.send(Ping(number: 7))
          let answer = try peer.hear("an answer") { message -> String? in
            switch message {
            case .team(.renewed(let renewed)): renewed.certificate
            // A certificate comes after what is written for it.
            case .session(.pong): isDue ? nil : ""
            default: nil
            }
          }
          return answer.isEmpty ? nil : try Certificate(pem: answer)
        }
        #expect(try ask(isDue: false) == nil, "It is too early")
        let before = try alpha.teams()[0].expires
        try clock.pass(.seconds(250 * 86_400))
        try waitUntil("the administrator's own is renewed by time alone") {
          try alpha.teams()[0].expires > before + 240 * 86_400
        }
        let renewed = try #require(try ask())
        #expect(renewed.isFor(member.key) && !renewed.isAdministrator)
        let serials = try alpha.call(ListDevices.self, ListDevices.Parameters()).devices.map(\.serial)
        let digits = try renewed.serial.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(serials == [digits])
        #expect(try ask(isDue: false) == nil, "So soon it gets no other")
        try clock.pass(Administration.renewalInterval)
        #expect(try ask() != nil)
      }
    }

    @Test func aMachineAsksByItself() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha", "beta") { machines, network in
        let (alpha, beta) = (machines[0], machines[1])
        try connect(machines)
        let before = try beta.teams()[0]
        for machine in machines { try machine.stop() }
        try clock.pass(.seconds(250 * 86_400))
        let administrator = try DaemonFixture("alpha", network: network, directory: alpha.directory)
        let again = try DaemonFixture("beta", network: network, directory: beta.directory)
        try waitUntil("It has another certificate") { try again.teams()[0].expires > before.expires + 240 * 86_400 }
        #expect(try again.teams()[0].deviceID == before.deviceID)
        // It presents the new certificate in the next session.
        try again.stop()
        let later = try DaemonFixture("beta", network: network, directory: beta.directory)
        for machine in [administrator, later] { try machine.waitForSessions(1) }
        #expect(try later.teams()[0].expires > before.expires + 240 * 86_400)
        for machine in [later, administrator] { try machine.stop() }
      }
    }

    // MARK: Passphrases

    @Test func aLockedKeyRenewsWhenItIsOpened() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha", network: false) { machines, _ in
        let alpha = machines[0]
        #expect(
          try alpha.failure(of: CreateTeam.self, CreateTeam.Parameters(name: "Demo", passphrase: "short"))
            == .passphraseTooShort
        )
        let team = try alpha.call(CreateTeam.self, CreateTeam.Parameters(name: "Demo", passphrase: passphrase)).team
        #expect(team.passphrase && team.administrator)
        let member = try RawPeer.admitted(by: alpha)
        try alpha.stop()
        try clock.pass(.seconds(250 * 86_400))
        let again = try DaemonFixture("alpha", network: nil, directory: alpha.directory)
        #expect(try again.failure(of: InviteDevice.self, InviteDevice.Parameters()) == .passphraseNeeded)
        let device = RevokeDevice.Parameters(device: member.device.text)
        #expect(try again.failure(of: RevokeDevice.self, device) == .passphraseNeeded)
        #expect(try again.failure(of: SetPassphrase.self, SetPassphrase.Parameters()) == .passphraseNeeded)
        let peer = try RawPeer(member, port: again.port)
        try peer.becomeReady()
        try peer.send(Renew())
        try waitUntil("It is known to wait") {
          try onLoop { again.daemon.administration.waiting(in: team.id) } == 1
        }
        let wrong = UnlockTeam.Parameters(passphrase: "another one altogether")
        #expect(try again.failure(of: UnlockTeam.self, wrong) == .passphraseWrong)
        let right = UnlockTeam.Parameters(passphrase: passphrase)
        #expect(try again.call(UnlockTeam.self, right).team.expires > team.expires + 240 * 86_400)
        let renewed = try peer.hear("a certificate") {
          if case .team(.renewed(let renewed)) = $0 { renewed } else { nil }
        }
        #expect(try Certificate(pem: renewed.certificate).isFor(member.key))
        _ = try again.invite()
        #expect(try again.call(SetPassphrase.self, SetPassphrase.Parameters()).team.passphrase == false)
        // There is no longer anything to unlock.
        #expect(try again.call(UnlockTeam.self, wrong).team.passphrase == false)
        peer.hangUp()
        try again.stop()
      }
    }

    // MARK: Renewed teams

    @Test func theRemainingMachinesTakeANewTeamOver() throws {
      // This test assumes that alpha was stolen.
      try withDaemons("alpha", "beta", "gamma") { machines, _ in
        let (alpha, beta, gamma) = (machines[0], machines[1], machines[2])
        try connect(machines)
        let old = try beta.teams()[0]
        _ = try gamma.call(AddPeer.self, AddPeer.Parameters(address: "nowhere.invalid:1"))
        let renewed = try beta.call(RenewTeam.self, RenewTeam.Parameters())
        #expect(renewed.replaced == old.id.description && renewed.team.id != old.id)
        #expect(renewed.team.name == old.name && renewed.team.deviceID == old.deviceID && renewed.team.administrator)
        try beta.waitForSessions(0)
        #expect(try beta.teams().map(\.id) == [renewed.team.id])
        // Until their users act, the others stay in the old team.
        #expect(try gamma.teams().map(\.id) == [old.id])
        let gammaID = try gamma.teams()[0].deviceID
        let joined = try gamma.call(
          JoinTeam.self,
          JoinTeam.Parameters(code: renewed.code, replaces: old.id.description)
        ).team
        #expect(joined.id == renewed.team.id && joined.deviceID == gammaID && !joined.administrator)
        for machine in [beta, gamma] {
          try machine.waitForSessions(1)
          #expect(try machine.teams().map(\.id) == [renewed.team.id])
        }
        #expect(try beta.devices() == ["gamma"])
        let named = try gamma.call(ListStaticPeers.self, Nothing()).peers
        #expect(named.map(\.address) == ["nowhere.invalid:1"] && named.map(\.team) == [joined.id.description])
        try alpha.waitForSessions(0)
        let note = try beta.advertise(ControlActivity(activityType: "org.example.notes"))
        try gamma.waitForOffer(note.id, by: .session)
        #expect(try alpha.offers().isEmpty)
        // The thief's codes admit nobody.
        let trap = try alpha.invite()
        #expect(try reason { try gamma.join(trap, at: alpha) } == .teamRenewed)
        #expect(
          try gamma.failure(of: JoinTeam.self, JoinTeam.Parameters(code: trap, replaces: joined.id.description))
            == .teamRenewed
        )
        // The machine with the stolen key is not in the new team, and cannot follow it without the code.
        let thief = JoinTeam.Parameters(code: renewed.code, replaces: "0000000000")
        #expect(try alpha.failure(of: JoinTeam.self, thief) == .teamNotFound)
      }
    }

    /// If the thief has removed all others from the old team, they still find one another.
    @Test func aTeamIsRenewedWithoutASessionInTheOldOne() throws {
      try withDaemons("alpha", "beta", "gamma") { machines, _ in
        let (alpha, beta, gamma) = (machines[0], machines[1], machines[2])
        try connect(machines)
        for name in ["beta", "gamma"] {
          _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: name))
        }
        for machine in machines { try machine.waitForSessions(0) }
        let old = try gamma.teams()[0].id.description
        let renewed = try beta.call(RenewTeam.self, RenewTeam.Parameters())
        let join = JoinTeam.Parameters(code: renewed.code, address: beta.address, replaces: old)
        _ = try gamma.call(JoinTeam.self, join)
        for machine in [beta, gamma] { try machine.waitForSessions(1) }
      }
    }
  }
}

extension DaemonFixture {
  fileprivate func teams() throws -> [ControlTeam] { try call(ListTeams.self, Nothing()).teams }

  /// Returns the names of the devices that were admitted, sorted.
  fileprivate func devices() throws -> [String] {
    try call(ListDevices.self, ListDevices.Parameters()).devices.map(\.name).sorted()
  }

  fileprivate func promote(_ device: String) throws -> PromoteDevice.Reply {
    try call(PromoteDevice.self, PromoteDevice.Parameters(device: device))
  }
}
