// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import JSONCoding
import TLS
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon
@testable import Teams

extension DaemonTests {
  /// A user of a machine joins, while another user of the machine is in a team or not.
  struct SecondUserTests {
    /// A user makes up a code with another user's team in it, and answers it himself.
    @Test func aMadeUpCodeDoesNotTellWhoseTeamsThereAre() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let (alpha, beta) = (machines[0], machines[1])
        let team = try alpha.createTeam()
        let code = InvitationCode(team: team.id)
        // alpha is in the team, and beta is not.
        let joins = try [alpha, alpha, beta, beta].map { try $0.whatIsSaid(of: code, team.id, by: alpha) }
        #expect(joins.allSatisfy { $0.nonce?.count == Join.nonceLength && $0.certificate == nil })
        #expect(Set(joins.map(\.nonce)).count == joins.count)
        let devices = try joins.map { try CertificateRequest(pem: $0.request).deviceID }
        #expect(Set(devices + [team.deviceID]).count == joins.count + 1)
        #expect(Set(joins.map { $0.json.bytes.count }).count == 1)
      }
    }

    /// On the administrator's machine, and on another one.
    @Test func aSecondUserMakesNoSecondDevice() throws {
      try withTwoDaemons { alpha, beta in
        for (machine, owners) in [(alpha, 2), (beta, 2)] {
          let code = try InvitationCode(text: alpha.invite())
          #expect(try machine.join(code, as: 4711, at: alpha.port) == nil)
          #expect(try onLoop { machine.daemon.membership.teams.map(\.owners.count) } == [owners])
        }
        let devices = try alpha.call(ListDevices.self, ListDevices.Parameters()).devices
        #expect(devices.map(\.name) == ["beta"])
      }
    }
  }
}

extension DaemonFixture {
  /// - Returns: Why the user is not in the team then.
  fileprivate func join(_ code: InvitationCode, as user: UserID, at port: UInt16) throws -> Reason? {
    try beginToJoin(code, as: user, at: port).wait()
  }

  private func beginToJoin(_ code: InvitationCode, as user: UserID, at port: UInt16) throws -> Outcome<Reason?> {
    let outcome = Outcome<Reason?>()
    try onLoop {
      self.daemon.joinings.begin(
        code,
        address: ("127.0.0.1", port),
        deviceName: "alpha",
        owner: user,
        replacing: nil
      ) { result in
        guard case .failure(let reason) = result else { return outcome.set(.success(nil)) }
        outcome.set(.success(reason))
      }
    }
    return outcome
  }

  /// What a user who is in no team says to a machine that knows the code.
  ///
  /// - Parameter witness: Of the team. Its certificate is not shown.
  fileprivate func whatIsSaid(of code: InvitationCode, _ team: TeamID, by witness: DaemonFixture) throws -> Join {
    let inviter = try SilentListener()
    let context = try TLSContext.server(
      credentials: [try RawPeer.admitted(by: witness)],
      joinable: [(team, code.serverNameKey)],
      invitation: { _, _ in code.keys.preSharedKey }
    )
    let result = try beginToJoin(code, as: 4711, at: inviter.port)
    let peer = try RawPeer(answering: inviter.accept(), as: context)
    guard let frame = try peer.nextFrame(), frame.type == Join.frameType,
      let join = Join(json: try JSON(parsing: frame.payload, depth: Limits.messageDepth))
    else { throw TestFailure("No join") }
    try peer.send(Refused(reason: .invitationExpired).frame)
    #expect(try result.wait() == .invitationExpired)
    return join
  }
}
