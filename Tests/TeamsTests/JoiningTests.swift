// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import TLS
import Testing

@testable import Teams

/// A machine that joins a team, with a code or with files.
@Suite struct JoiningTests {
  private let home = TestDirectory()
  private let away = TestDirectory()
  private let administrator: TeamStore
  private let store: TeamStore
  private let team: Team

  init() throws {
    administrator = try home.store()
    store = try away.store()
    team = try administrator.create(name: "Home", owner: 1000, now: now)
  }

  private func invited() throws -> (joined: Joined, joiner: Joiner, code: InvitationCode) {
    let (code, joiner) = (try administrator.invite(team.id, now: now).code, try Joiner())
    return (try joiner.redeem(code, of: team.id, at: administrator), joiner, code)
  }

  @discardableResult
  private func complete(
    _ joined: Joined,
    _ joiner: Joiner,
    _ code: InvitationCode,
    owner: UInt32 = 5,
    now: Int64 = now
  ) throws -> Team {
    try store.complete(joined, key: joiner.key, nonce: joiner.nonce, code: code, owner: owner, now: now)
  }

  /// Returns the message with one member replaced.
  private func altered(_ joined: Joined, _ member: String, _ value: JSON) throws -> Joined {
    var members = joined.members
    members[member] = value
    return try #require(Joined(json: .object(members)))
  }

  @Test func whoWasAdmittedIsAPeer() throws {
    let (joined, joiner, code) = try invited()
    let travelled = try #require(Joined(json: JSON(parsing: joined.json.bytes, depth: Limits.messageDepth)))
    #expect(travelled == joined)
    #expect(joined.json.bytes.count < Limits.framePayloadLength)
    try complete(travelled, joiner, InvitationCode(text: code.text))
    let member = try away.store().team(team.id)
    #expect(member.name == "Home" && member.owners == [5] && !member.isAdministrator)
    #expect(try member.device == joiner.key.deviceID && member.device != team.device)

    let server = try TLSEngine(.server(credentials: [team.credentials]))
    let client = try TLSEngine(.client(credentials: member.credentials), expecting: team.device)
    while client.pendingOutput + server.pendingOutput > 0 {
      try carry(from: client, to: server)
      try carry(from: server, to: client)
    }
    #expect(client.isEstablished && server.peer == member.device)
  }

  /// Any user can have as many refused as there is time for.
  @Test func whatIsRefusedIsFewLines() throws {
    var (logged, uptime) = ([String](), Int64(100))
    let store = try TeamStore.open(directory: away.path, now: now, log: { logged.append($0) }, uptime: { uptime })
    let team = try store.create(name: "Home", owner: 1000, now: now)
    func refuse() { #expect(throws: Reason.requestInvalid) { try store.approve("x", in: team.id, now: now) } }
    for _ in 0..<100 { refuse() }
    #expect(logged.count == 20)
    uptime += 10
    for _ in 0..<2 { refuse() }
    #expect(logged.count == 22)
    #expect(logged.suffix(2).first == "Suppressed 80 lines about refusals")
  }

  private func carry(from: TLSEngine, to: TLSEngine) throws {
    var bytes: [UInt8] = []
    from.withOutput { output in
      bytes = Array(output)
      return output.count
    }
    try bytes.withUnsafeBytes { try to.receive($0) }
  }

  @Test func anAnswerThatIsNotWholeIsRefused() throws {
    let (joined, joiner, code) = try invited()
    let other = try invited()
    let strange = try TestDirectory().store().create(name: "Strange", owner: 0, now: now)
    let answers: [(Joined, Reason)] = [
      (try altered(joined, "certificate", "garbage"), .protocolViolation),
      (try altered(joined, "authority", "garbage"), .protocolViolation),
      (try altered(joined, "authority", .string(team.credentials.authority.changedPEM())), .protocolViolation),
      (try altered(joined, "discoveryKey", ""), .protocolViolation),
      (try altered(joined, "team", ""), .protocolViolation),
      (try altered(joined, "team", "a\u{1b}b"), .protocolViolation),
      // Another machine's certificate, and another team's authority.
      (other.joined, .protocolViolation),
      (try altered(joined, "authority", .string(strange.credentials.authority.pem())), .otherTeam),
      // A device that pretends to be an authority.
      (try altered(joined, "authority", .string(joined.certificate)), .protocolViolation),
    ]
    for (answer, reason) in answers {
      #expect(throws: reason) { try complete(answer, joiner, code) }
    }
    let foreign = InvitationCode(team: strange.id)
    #expect(throws: Reason.otherTeam) { try complete(joined, joiner, foreign) }
    for (time, reason) in [
      (now + 11 * 365 * 86400, Reason.certificateExpired), (Authority.earliest - 2 * 86400, .certificateExpired),
    ] {
      #expect(throws: reason) { try complete(joined, joiner, code, now: time) }
    }
    #expect(store.teams.isEmpty)
    #expect(try away.names(in: away.path + "/teams").isEmpty, "All of it or nothing")
    try complete(joined, joiner, code)
  }

  /// The certificate that the machine shows to every peer admits nobody. A second user needs a certificate that was
  /// made for that user's request.
  @Test func theMachinesOwnCertificateIsNoAnswer() throws {
    let (joined, joiner, code) = try invited()
    let team = try complete(joined, joiner, code)
    let second = try Joiner(key: joiner.key)
    #expect(throws: Reason.protocolViolation) { try complete(joined, second, code, owner: 6) }
    let again = try administrator.invite(team.id, now: now).code
    let answer = try second.redeem(again, of: team.id, at: administrator)
    #expect(throws: Reason.protocolViolation) { try complete(answer, Joiner(key: joiner.key), again, owner: 6) }
    let shared = try complete(answer, second, again, owner: 6)
    #expect(shared.owners == [5, 6] && shared.device == team.device)
  }

  /// Nor where the machine is in no team: an administrator of any version shows the nonce.
  @Test func aCertificateThatIsNotForTheRequestIsNoAnswer() throws {
    let (code, joiner) = (try administrator.invite(team.id, now: now).code, try Joiner())
    let request = joiner.request
    let joined = try administrator.redeem(code.keys.identity, of: team.id, request: request, now: now)
    #expect(throws: Reason.protocolViolation) { try complete(joined, joiner, code) }
    #expect(store.teams.isEmpty)
  }

  /// What the sender of an approval knew of removals does not matter where this machine knows more.
  @Test func theListsOfThisMachineCount() throws {
    let (joined, joiner, code) = try invited()
    try complete(joined, joiner, code)
    let request = try store.request(owner: 6)
    let approval = try administrator.approve(request, in: team.id, now: now)
    let admitted = try CertificateRequest(pem: request).deviceID
    try administrator.revoke(admitted, of: team.id, now: now)
    let newest = try #require(try administrator.team(team.id).credentials.revocations.newest)
    #expect(try store.take(newest.list.der, discoveryKey: newest.discoveryKey, of: team.id, now: now))
    #expect(throws: Reason.certificateRevoked) { try store.import(approval, owner: 6, now: now) }
    #expect(try store.team(team.id).owners == [5])
  }

  @Test func aCertificateOfAnotherSignerIsRefused() throws {
    let (joined, joiner, code) = try invited()
    let strange = try TestDirectory().store().create(name: "Strange", owner: 0, now: now)
    let request = try CertificateRequest(pem: joiner.request)
    let fake = try Authority.make(now: now).sign(request, nonce: joiner.nonce, now: now)
    let answer = try altered(joined, "certificate", .string(fake.pem()))
    #expect(throws: Reason.otherTeam) { try complete(answer, joiner, code) }
    #expect(strange.id != team.id && store.teams.isEmpty)
  }

  @Test func joiningTwiceIsNothingNew() throws {
    let (first, second) = (try invited(), try invited())
    let member = try complete(first.joined, first.joiner, first.code)
    #expect(throws: Reason.alreadyMember) { try complete(second.joined, second.joiner, second.code) }
    // Another user of the machine was admitted too: the machine stays the device that it is.
    let shared = try complete(second.joined, second.joiner, second.code, owner: 4)
    #expect(shared.device == member.device && shared.owners == [4, 5])
    let loaded = try away.store()
    #expect(loaded.teams(of: 4).map(\.device) == [member.device] && loaded.teams(of: 6).isEmpty)
  }

  @Test func thereAreSoManyTeamsToJoinAndNoMore() throws {
    for _ in 0..<Limits.teamShare.perUser { _ = try store.create(name: "Other", owner: 5, now: now) }
    let (joined, joiner, code) = try invited()
    #expect(throws: Reason.teamLimitReached) { try complete(joined, joiner, code) }
  }

  @Test func filesAdmitAsACodeDoes() throws {
    let request = try store.request(owner: 5)
    let approval = try administrator.approve(request, in: team.id, now: now)
    #expect(approval.utf8.count < Limits.enrolmentFileLength)
    let restarted = try away.store()
    #expect(throws: Reason.approvalInvalid, "It is another user's") {
      try restarted.import(approval, owner: 6, now: now)
    }
    let member = try restarted.import(approval, owner: 5, now: now)
    #expect(member.id == team.id && member.owners == [5] && member.name == "Home")
    #expect(try away.names(in: away.path + "/pending").isEmpty)
    #expect(throws: Reason.approvalInvalid) { try restarted.import(approval, owner: 5, now: now) }
  }

  @Test func otherApprovalsAreRefused() throws {
    let approval = try administrator.approve(store.request(owner: 5), in: team.id, now: now)
    let elsewhere = try administrator.approve(Joiner().request, in: team.id, now: now)
    var members = try #require(JSON(parsing: approval.utf8, depth: 4).object)
    for text in ["", "garbage", "{}", "[]", elsewhere, String(repeating: " ", count: 20_000) + approval] {
      #expect(throws: Reason.approvalInvalid) { try store.import(text, owner: 5, now: now) }
    }
    members["version"] = 2
    #expect(throws: Reason.versionMismatch) { try store.import(JSON.object(members).text, owner: 5, now: now) }
    members["version"] = 1
    for name in members.keys where name != "version" {
      var fewer = members
      fewer[name] = nil
      #expect(throws: Reason.approvalInvalid) { try store.import(JSON.object(fewer).text, owner: 5, now: now) }
      fewer[name] = 1
      #expect(throws: Reason.approvalInvalid) { try store.import(JSON.object(fewer).text, owner: 5, now: now) }
    }
    members["unknown"] = "ignored"
    _ = try store.import(JSON.object(members).text, owner: 5, now: now)
  }

  @Test func aRequestThatCannotBeReadDoesNotSpeakAgainstTheApproval() throws {
    let approval = try administrator.approve(store.request(owner: 5), in: team.id, now: now)
    let pending = away.path + "/pending"
    let path = try "\(pending)/\(#require(away.names(in: pending).first))"
    let key = try String(contentsOfFile: path, encoding: .utf8)
    try away.write(String(key.dropLast(40)), to: path)
    #expect(throws: Reason.storageFailed) { try store.import(approval, owner: 5, now: now) }
    #expect(away.logged.contains { $0.contains(path) })
    try away.write(key, to: path)
    _ = try store.import(approval, owner: 5, now: now)
  }

  @Test func requestsAreKeptInReasonableNumber() throws {
    let first = try store.request(owner: 5)
    _ = try store.request(owner: 6)
    let pending = away.path + "/pending"
    for name in try away.names(in: pending) {
      let date = Date(timeIntervalSince1970: TimeInterval(now - 100))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(pending)/\(name)")
    }
    for _ in 1..<TeamStore.pendingRequestsPerUser { _ = try store.request(owner: 5) }
    #expect(try away.names(in: pending).count == TeamStore.pendingRequestsPerUser + 1)
    let last = try store.request(owner: 5)
    #expect(try away.names(in: pending).count == TeamStore.pendingRequestsPerUser + 1)
    let forgotten = try administrator.approve(first, in: team.id, now: now)
    #expect(throws: Reason.approvalInvalid) { try store.import(forgotten, owner: 5, now: now) }
    _ = try store.import(administrator.approve(last, in: team.id, now: now), owner: 5, now: now)
  }

  @Test func ofRequestsThatWereMadeInOneSecondTheOldestIsForgotten() throws {
    let pending = away.path + "/pending"
    var requests: [String] = []
    var known: Set<String> = []
    for number in 0..<TeamStore.pendingRequestsPerUser {
      requests.append(try store.request(owner: 5))
      let name = try #require(try Set(away.names(in: pending)).subtracting(known).first)
      known.insert(name)
      let date = Date(timeIntervalSince1970: Double(now - 100) + Double(number) / 100)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(pending)/\(name)")
    }
    _ = try store.request(owner: 5)
    let (first, second) = (requests[0], requests[1])
    let forgotten = try administrator.approve(first, in: team.id, now: now)
    #expect(throws: Reason.approvalInvalid) { try store.import(forgotten, owner: 5, now: now) }
    _ = try store.import(administrator.approve(second, in: team.id, now: now), owner: 5, now: now)
  }
}
