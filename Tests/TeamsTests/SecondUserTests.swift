// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import TLS
import Testing

@testable import Teams

/// A user of a machine joins a team that the machine is in for another user.
@Suite struct SecondUserTests {
  private let home = TestDirectory()
  private let away = TestDirectory()
  private let administrator: TeamStore
  private let store: TeamStore
  /// Of user 5.
  private let team: Team

  init() throws {
    administrator = try home.store()
    store = try away.store()
    let id = try administrator.create(name: "Home", owner: 1000, now: now).id
    let (code, joiner) = (try administrator.invite(id, now: now).code, try Joiner())
    let joined = try joiner.redeem(code, of: id, at: administrator, name: "desktop")
    team = try store.complete(joined, key: joiner.key, nonce: joiner.nonce, code: code, owner: 5, now: now)
  }

  private func code() throws -> InvitationCode { try administrator.invite(team.id, now: now).code }

  private var authority: Authority { get throws { try administrator.authority(of: administrator.team(team.id)) } }

  private func altered(_ joined: Joined, certificate: Certificate) throws -> Joined {
    var members = joined.members
    members["certificate"] = .string(try certificate.pem())
    return try #require(Joined(json: .object(members)))
  }

  // MARK: The administrator

  @Test func theMachineStaysOneDevice() throws {
    let devices = try administrator.devices(of: team.id)
    let (code, joiner) = (try code(), try Joiner(member: team))
    let joined = try joiner.redeem(code, of: team.id, at: administrator, name: "again")
    #expect(try Certificate(pem: joined.certificate).deviceID == joiner.key.deviceID)
    let shared = try store.complete(joined, key: joiner.key, nonce: joiner.nonce, code: code, owner: 6, now: now)
    for team in [shared, try away.store().team(team.id)] {
      #expect(team.owners == [5, 6] && team.device == self.team.device)
      #expect(try team.credentials.certificate.pem() == self.team.credentials.certificate.pem())
    }
    for administrator in [administrator, try home.store()] {
      #expect(try administrator.devices(of: team.id) == devices && devices.map(\.name) == ["desktop"])
    }
    #expect(throws: Reason.invitationUsed) { try Joiner(member: team).redeem(code, of: team.id, at: administrator) }
  }

  @Test func theAdministratorsOwnMachineIsNoDeviceOfTheList() throws {
    let devices = try administrator.devices(of: team.id)
    let own = try administrator.team(team.id)
    let (code, joiner) = (try code(), try Joiner(member: own))
    let joined = try joiner.redeem(code, of: team.id, at: administrator)
    let shared = try administrator.complete(
      joined,
      key: joiner.key,
      nonce: joiner.nonce,
      code: code,
      owner: 6,
      now: now
    )
    #expect(shared.owners == [6, 1000] && shared.device == own.device && shared.isAdministrator)
    #expect(try administrator.devices(of: team.id) == devices)
  }

  /// Everybody else is admitted, who makes the nonce of a device without its team's key, too.
  @Test func whoDoesNotKnowTheDiscoveryKeyIsANewDevice() throws {
    let strange = try TestDirectory().store().create(name: "Strange", owner: 0, now: now)
    let requested = try Joiner().key.deviceID
    for member in [nil, strange] {
      let joiner = try Joiner(member: member)
      #expect(joiner.nonce.count == Join.nonceLength)
      _ = try joiner.redeem(code(), of: team.id, at: administrator)
      #expect(try administrator.devices(of: team.id).last?.device == joiner.key.deviceID)
    }
    let credentials = team.credentials
    let nonce = credentials.joinNonce(for: requested)
    let all = try administrator.devices(of: team.id).map(\.device)
    #expect(credentials.member(ofJoinNonce: nonce, for: requested, among: all)?.device == team.device)
    #expect(credentials.member(ofJoinNonce: nonce, for: team.device, among: all) == nil, "It is for one key")
    #expect(credentials.member(ofJoinNonce: nonce, for: requested, among: all.filter { $0 != team.device }) == nil)
    #expect(strange.credentials.member(ofJoinNonce: nonce, for: requested, among: all) == nil)
    for length in [0, 16, 31] {
      #expect(credentials.member(ofJoinNonce: Array(nonce.prefix(length)), for: requested, among: all) == nil)
    }
    #expect(nonce != credentials.joinNonce(for: requested), "It is new each time")
  }

  @Test func theNonceIsAsThePublishedProtocolSays() throws {
    let (requested, random) = (try Joiner().key.deviceID, Array(0..<16) as [UInt8])
    let key = HMACSHA256.authenticate(Array("baton join nonce 1".utf8), key: team.credentials.discoveryKey)
    let code = HMACSHA256.authenticate(random + team.device.bytes + requested.bytes, key: key)
    #expect(team.credentials.joinNonce(for: requested, random: random) == random + code.prefix(16))
  }

  /// The machine was away when another was removed. Its answer holds no newer key: nobody remembers who has it.
  @Test func aMachineThatWasAwayIsKnownAndToldNothing() throws {
    let other = try Joiner()
    _ = try other.redeem(code(), of: team.id, at: administrator)
    try administrator.revoke(other.key.deviceID, of: team.id, now: now)
    let (code, joiner) = (try code(), try Joiner(member: team))
    let joined = try joiner.redeem(code, of: team.id, at: administrator)
    #expect(joined.discoveryKey == team.credentials.discoveryKey && joined.revocations == nil)
    #expect(try administrator.team(team.id).credentials.discoveryKey != joined.discoveryKey)
    #expect(try administrator.devices(of: team.id).count == 2)
    let shared = try store.complete(joined, key: joiner.key, nonce: joiner.nonce, code: code, owner: 6, now: now)
    #expect(shared.owners == [5, 6])
  }

  @Test func aDeviceThatWasRemovedIsRefused() throws {
    try administrator.revoke(team.device, of: team.id, now: now)
    let code = try code()
    for store in [administrator, try home.store()] {
      #expect(throws: Reason.certificateRevoked) { try Joiner(member: team).redeem(code, of: team.id, at: store) }
    }
    // Nobody has used the code.
    _ = try Joiner().redeem(code, of: team.id, at: administrator)
  }

  // MARK: The receipt

  private func receipt() throws -> (certificate: Certificate, joiner: Joiner) {
    let joiner = try Joiner(member: team)
    let joined = try joiner.redeem(code(), of: team.id, at: administrator)
    return (try Certificate(pem: joined.certificate), joiner)
  }

  @Test func aReceiptIsRefusedByPeersWhateverTheirClock() throws {
    let (receipt, joiner) = try receipt()
    let authority = team.credentials.authority
    #expect(receipt.isReceipt && receipt.isSigned(by: authority) && !team.credentials.certificate.isReceipt)
    let (day, year): (Int64, Int64) = (86400, 365 * 86400)
    let begin = Authority.earliest
    for time in [-year, -day, -1, 0, 1, day, begin - 2 * day, begin - 1, begin, begin + 1, now, now + 50 * year] {
      #expect(throws: TLSError.self, "\(time)") { try receipt.verify(under: authority, now: time) }
    }
    let credentials = try Credentials(
      key: joiner.key,
      certificate: receipt,
      authority: authority,
      discoveryKey: team.credentials.discoveryKey
    )
    let own = try administrator.team(team.id)
    let server = try TLSEngine(.server(credentials: [own.credentials]))
    let client = try TLSEngine(.client(credentials: credentials), expecting: own.device)
    let error = #expect(throws: TLSError.self) {
      while client.pendingOutput + server.pendingOutput > 0 {
        try carry(from: client, to: server)
        try carry(from: server, to: client)
      }
    }
    #expect(error?.reason == .certificateExpired && !server.isEstablished)
  }

  private func carry(from: TLSEngine, to: TLSEngine) throws {
    var bytes: [UInt8] = []
    from.withOutput { output in
      bytes = Array(output)
      return output.count
    }
    try bytes.withUnsafeBytes { try to.receive($0) }
  }

  /// There, certificates count that have ended.
  @Test func aReceiptIsNoWayIntoARenewedTeam() throws {
    let (receipt, joiner) = try receipt()
    let renewed = try administrator.renew(team.id, user: 1000, now: now)
    func redeem(_ joiner: Joiner, _ certificate: Certificate) throws {
      let pem = try certificate.pem()
      _ = try joiner.redeem(renewed.code, of: renewed.team.id, at: administrator, certificate: pem)
    }
    #expect(throws: Reason.requestInvalid) { try redeem(joiner, receipt) }
    try redeem(Joiner(key: team.credentials.key), team.credentials.certificate)
  }

  // MARK: The machine

  @Test func anOlderAdministratorsCertificateIsTaken() throws {
    let (code, joiner) = (try code(), try Joiner(member: team))
    let joined = try joiner.redeem(code, of: team.id, at: administrator)
    let request = try CertificateRequest(pem: joiner.request)
    let ordinary = try authority.sign(request, nonce: joiner.nonce, now: now)
    let answer = try altered(joined, certificate: ordinary)
    let shared = try store.complete(answer, key: joiner.key, nonce: joiner.nonce, code: code, owner: 6, now: now)
    #expect(shared.owners == [5, 6] && shared.device == team.device)
    #expect(try shared.credentials.certificate.pem() == team.credentials.certificate.pem())
  }

  @Test func whatTheAuthorityHasNotSaidToThisRequestIsNoProof() throws {
    let (code, joiner) = (try code(), try Joiner(member: team))
    let joined = try joiner.redeem(code, of: team.id, at: administrator)
    let request = try CertificateRequest(pem: joiner.request)
    let stranger = try Authority.make(now: now)
    let answers: [(Certificate, Reason)] = [
      (try authority.sign(request, now: now), .protocolViolation),
      (try authority.receipt(for: request, nonce: Joiner().nonce), .protocolViolation),
      (try authority.receipt(for: CertificateRequest(pem: Joiner().request), nonce: joiner.nonce), .protocolViolation),
      (try stranger.sign(request, nonce: joiner.nonce, now: now), .otherTeam),
      (try stranger.receipt(for: request, nonce: joiner.nonce), .otherTeam),
    ]
    for (certificate, reason) in answers {
      let answer = try altered(joined, certificate: certificate)
      #expect(throws: reason) {
        try store.complete(answer, key: joiner.key, nonce: joiner.nonce, code: code, owner: 6, now: now)
      }
    }
    #expect(try store.team(team.id).owners == [5])
  }

  /// A machine that others refuse lets nobody in.
  @Test func aMachineThatIsOutTakesNoUser() throws {
    let (code, joiner) = (try code(), try Joiner(member: team))
    let joined = try joiner.redeem(code, of: team.id, at: administrator)
    func complete(_ time: Int64 = now) throws {
      _ = try store.complete(joined, key: joiner.key, nonce: joiner.nonce, code: code, owner: 6, now: time)
    }
    #expect(throws: Reason.certificateExpired) { try complete(now + 400 * 86400) }
    try administrator.revoke(team.device, of: team.id, now: now)
    let newest = try #require(try administrator.team(team.id).credentials.revocations.newest)
    _ = try store.take(newest.list.der, discoveryKey: newest.discoveryKey, of: team.id, now: now)
    #expect(throws: Reason.certificateRevoked) { try complete() }
    #expect(try store.team(team.id).owners == [5])
  }

  /// All have left the team meanwhile: what was to prove the code is not enough to be a device.
  @Test func aReceiptAloneMakesNoTeam() throws {
    let (code, joiner) = (try code(), try Joiner(member: team))
    let joined = try joiner.redeem(code, of: team.id, at: administrator)
    try store.leave(team.id, user: 5)
    #expect(throws: Reason.certificateExpired) {
      try store.complete(joined, key: joiner.key, nonce: joiner.nonce, code: code, owner: 6, now: now)
    }
    #expect(store.teams.isEmpty)
  }

  // MARK: Renewed teams

  /// Another user of the machine has joined the new team as a device of its own.
  @Test func whoComesAlongFromAnotherTeamReplacesThatForHimselfAlone() throws {
    let old = try administrator.create(name: "Old", owner: 1000, now: now).id
    _ = try store.import(administrator.approve(store.request(owner: 6), in: old, now: now), owner: 6, now: now)
    let shared = try store.add(owner: 7, to: store.team(old))
    let renewed = try administrator.renew(old, user: 1000, now: now)
    let code = try administrator.invite(renewed.team.id, now: now).code
    let first = try Joiner()
    let admitted = try first.redeem(code, of: renewed.team.id, at: administrator)
    let new = try store.complete(admitted, key: first.key, nonce: first.nonce, code: code, owner: 5, now: now)
    #expect(new.device != shared.device)

    let joiner = try Joiner(key: shared.credentials.key, member: new)
    let certificate = try shared.credentials.certificate.pem()
    let joined = try joiner.redeem(renewed.code, of: new.id, at: administrator, certificate: certificate)
    let team = try store.complete(
      joined,
      key: joiner.key,
      nonce: joiner.nonce,
      code: renewed.code,
      owner: 6,
      replacing: old,
      now: now
    )
    for store in [store, try away.store()] {
      #expect(try store.team(team.id).owners == [5, 6] && store.team(team.id).device == new.device)
      #expect(try store.team(old).owners == [7])
    }
    #expect(try administrator.devices(of: team.id).map(\.device) == [new.device])
  }
}
