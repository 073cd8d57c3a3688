// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon
@testable import Teams

extension DaemonTests {
  struct JoiningTests {
    @Test func aCodeAdmitsAMachineAtAnAddress() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let made = try machines[0].createTeam()
        let joined = try machines[1].join(try machines[0].invite(), at: machines[0])
        #expect(joined.id == made.id)
        #expect(joined.name == "Demo")
        #expect(!joined.administrator)
        #expect(joined.deviceID != made.deviceID)
      }
    }

    @Test func aCodeFindsItsAdministratorAmongOthers() throws {
      try withDaemons("alpha", "beta", "gamma", "delta") { machines, _ in
        for machine in machines.prefix(3) { _ = try machine.createTeam("Team of \(machine.name)") }
        let code = try machines[1].invite()
        let reply = try machines[3].call(JoinTeam.self, JoinTeam.Parameters(code: code))
        #expect(reply.team.name == "Team of beta")
      }
    }

    @Test func aCodeThatWasUsedAdmitsNobodyElse() throws {
      try withDaemons("alpha", "beta", "gamma", network: false) { machines, _ in
        _ = try machines[0].createTeam()
        let code = try machines[0].invite()
        _ = try machines[1].join(code, at: machines[0])
        #expect(try reason { try machines[2].join(code, at: machines[0]) } == .invitationUsed)
        #expect(try machines[2].status().teams.isEmpty)
      }
    }

    @Test func ofTwoWhoUseACodeAtOnceOneIsAdmitted() throws {
      try withDaemons("alpha", "beta", "gamma", network: false) { machines, _ in
        let (alpha, beta, gamma) = (machines[0], machines[1], machines[2])
        _ = try alpha.createTeam()
        let code = try alpha.invite()
        let attempts = [beta, gamma].map { machine in onThread { try machine.join(code, at: alpha).id } }
        let results = attempts.map { attempt in Result { try attempt.wait() } }
        #expect(results.count { if case .success = $0 { true } else { false } } == 1)
        #expect(try [beta, gamma].map { try $0.status().teams.count }.sorted() == [0, 1])
      }
    }

    @Test func aCodeExpires() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        _ = try machines[0].createTeam()
        let code = try machines[0].invite()
        try clock.pass(Limits.invitationTime)
        #expect(try reason { try machines[1].join(code, at: machines[0]) } == .invitationExpired)
      }
    }

    @Test func aCodeThatNobodyGaveOutIsUnknown() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let code = InvitationCode(team: try machines[0].createTeam().id)
        // A machine that has given out no code cannot be distinguished from those of other teams.
        #expect(try reason { try machines[1].join(code.text, at: machines[0]) } == .invitationForeign)
        _ = try machines[0].invite()
        #expect(try reason { try machines[1].join(code.text, at: machines[0]) } == .invitationUnknown)
      }
    }

    @Test func aCodeOfAnotherTeamIsForeign() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        _ = try machines[0].createTeam()
        _ = try machines[1].createTeam("Other")
        let code = try machines[1].invite()
        _ = try machines[1].call(LeaveTeam.self, LeaveTeam.Parameters(team: "Other"))
        #expect(try reason { try machines[1].join(code, at: machines[0]) } == .invitationForeign)
      }
    }

    @Test func aMistypedCodeAndABadAddressAreRefusedAtOnce() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        let code = try machines[0].codeOfATeamThatIsGone()
        let mistyped = String(code.dropLast()) + (code.hasSuffix("0") ? "1" : "0")
        func join(_ code: String, _ address: String) throws -> Reason {
          try machines[0].failure(of: JoinTeam.self, JoinTeam.Parameters(code: code, address: address))
        }
        #expect(try join(mistyped, "127.0.0.1:1") == .invitationInvalid)
        for address in ["", "host:", "host:0", "host:65536", "[::1", "[::1]x", "a b"] {
          #expect(try join(code, address) == .addressInvalid, "\(address)")
        }
      }
    }

    @Test func aMachineThatDoesNotAnswerIsUnreachable() throws {
      try withDaemons("alpha", network: false) { machines, _ in
        let code = try machines[0].codeOfATeamThatIsGone()
        let parameters = JoinTeam.Parameters(code: code, address: "127.0.0.1:1")
        #expect(try machines[0].failure(of: JoinTeam.self, parameters) == .peerUnreachable)
      }
    }

    @Test func withoutAnAdministratorOnTheNetworkTheInviterIsNotFound() throws {
      let clock = try ManualClock.install()
      try withDaemons("alpha") { machines, _ in
        let alpha = machines[0]
        let code = try alpha.codeOfATeamThatIsGone()
        let attempt = onThread { try alpha.failure(of: JoinTeam.self, JoinTeam.Parameters(code: code)) }
        try waitUntil("The attempt ends when its time has passed") {
          try clock.pass(.seconds(1))
          return attempt.isSet
        }
        #expect(try attempt.wait() == .inviterNotFound)
      }
    }

    @Test func onlyAnAdministratorInvites() throws {
      try withTwoDaemons { a, b in
        #expect(try b.failure(of: InviteDevice.self, InviteDevice.Parameters()) == .notAdministrator)
        let code = try a.invite()
        #expect(try reason { try b.join(code, at: a) } == .alreadyMember)
      }
    }

    @Test func aMachineIsAdmittedByFiles() throws {
      try withDaemons("alpha", "beta") { machines, _ in
        let (a, b) = (machines[0], machines[1])
        let team = try a.createTeam()
        let request = try b.call(RequestMembership.self, Nothing()).request
        let approval = try a.call(ApproveRequest.self, ApproveRequest.Parameters(request: request)).approval
        #expect(
          try a.failure(of: ImportApproval.self, ImportApproval.Parameters(approval: approval)) == .approvalInvalid
        )
        #expect(try b.call(ImportApproval.self, ImportApproval.Parameters(approval: approval)).team.id == team.id)
        #expect(
          try b.failure(of: ImportApproval.self, ImportApproval.Parameters(approval: approval)) == .approvalInvalid
        )
        #expect(
          try a.failure(of: ApproveRequest.self, ApproveRequest.Parameters(request: "nonsense")) == .requestInvalid
        )
        try a.waitForSessions(1)
      }
    }

    @Test func aJoinThatRunsWhenTheDaemonStopsFails() throws {
      try withDaemons("alpha") { machines, _ in
        let alpha = machines[0]
        let code = try alpha.codeOfATeamThatIsGone()
        let attempt = onThread { try alpha.failure(of: JoinTeam.self, JoinTeam.Parameters(code: code)) }
        try waitUntil("The join runs") { try onLoop { alpha.daemon.joinings.count == 1 } }
        try alpha.stop()
        #expect(try attempt.wait() == .shuttingDown)
      }
    }

    @Test func whatWasSeenBeforeJoiningCountsAfterwards() throws {
      try withDaemons("alpha", "beta") { machines, network in
        let (a, b) = (machines[0], machines[1])
        // Only beta can see the other, so only beta can dial. It saw alpha's instance before it could read its
        // advert.
        guard let hidden = b.discovery, let viewer = a.discovery else { throw TestFailure("No discovery") }
        try onLoop { network.hide(hidden, from: viewer) }
        _ = try a.createTeam()
        try waitUntil("alpha is published") { try onLoop { network.publications.count == 1 } }
        _ = try b.call(JoinTeam.self, JoinTeam.Parameters(code: try a.invite()))
        try b.waitForSessions(1)
      }
    }
  }
}
