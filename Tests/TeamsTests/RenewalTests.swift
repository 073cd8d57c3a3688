// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import TLS
import Testing

@testable import Teams

/// A team whose key was lost or stolen, and the team that takes its place.
@Suite struct RenewalTests {
  private let home = TestDirectory()
  private let away = TestDirectory()
  private let third = TestDirectory()
  /// The machine with the key, which was lost.
  private let lost: TeamStore
  /// The machines that remain.
  private let desktop: TeamStore
  private let tablet: TeamStore
  private let old: TeamID

  init() throws {
    lost = try home.store()
    desktop = try away.store()
    tablet = try third.store()
    old = try lost.create(name: "Home", owner: 1000, now: now).id
    for store in [desktop, tablet] {
      _ = try store.import(lost.approve(store.request(owner: 5), in: old, now: now), owner: 5, now: now)
    }
  }

  private typealias Renewed = (team: Team, code: InvitationCode, expires: Int64)

  /// Does what `baton team renew --accept` does.
  @discardableResult
  private func accept(
    _ code: InvitationCode,
    of renewed: TeamID,
    by store: TeamStore,
    at administrator: TeamStore,
    replacing old: TeamID? = nil,
    owner: UInt32 = 5,
    now: Int64 = now
  ) throws -> Team {
    let old = try store.team(old ?? self.old)
    let key = ((try? store.team(renewed)) ?? old).credentials.key
    let nonce = SystemRandom.bytes(Join.nonceLength)
    let joined = try administrator.redeem(
      code.keys.identity,
      of: renewed,
      request: CertificateRequest.make(for: key).pem(),
      name: "tablet",
      nonce: nonce,
      certificate: old.credentials.certificate.pem(),
      now: now
    )
    return try store.complete(joined, key: key, nonce: nonce, code: code, owner: owner, replacing: old.id, now: now)
  }

  private func ids(_ store: TeamStore) -> [TeamID] { store.teams.map(\.id) }

  @Test func aNewTeamIsInThePlaceOfTheOld() throws {
    let before = try desktop.team(old)
    let renewed = try desktop.renew(old, user: 5, now: now)
    #expect(renewed.team.id != old && renewed.team.name == "Home" && renewed.team.owners == [5])
    #expect(renewed.team.device == before.device && renewed.team.isAdministrator, "It is the device that it was")
    #expect(renewed.expires == now + 3600)
    for store in [desktop, try away.store()] {
      #expect(ids(store) == [renewed.team.id] && store.teams.first?.replaces == [old])
    }
    #expect(renewed.team.credentials.discoveryKey != before.credentials.discoveryKey)
    #expect(renewed.team.credentials.revocations.all.isEmpty)
    try renewed.team.credentials.certificate.verify(under: renewed.team.credentials.authority, now: now)
  }

  /// The other machines all follow with the same code.
  @Test func theOthersComeAlongWithOneCode() throws {
    let renewed = try desktop.renew(old, user: 5, now: now)
    let fourth = TestDirectory()
    let laptop = try fourth.store()
    _ = try laptop.import(lost.approve(laptop.request(owner: 5), in: old, now: now), owner: 5, now: now)
    for (store, place) in [(tablet, third), (laptop, fourth)] {
      let device = try store.team(old).device
      let team = try accept(renewed.code, of: renewed.team.id, by: store, at: desktop)
      #expect(team.device == device && !team.isAdministrator)
      for store in [store, try place.store()] { #expect(ids(store) == [renewed.team.id]) }
      try team.credentials.certificate.verify(under: renewed.team.credentials.authority, now: now)
    }
    #expect(try desktop.devices(of: renewed.team.id).count == 2)
    // What was signed with the old key is useless there.
    let stolen = try lost.team(old).credentials.certificate
    #expect(throws: TLSError.self) { try stolen.verify(under: renewed.team.credentials.authority, now: now) }
  }

  /// Anyone with the old key can make certificates and remove everybody from the old team, but does not know the code.
  @Test func onlyMachinesOfTheOldTeamComeAlong() throws {
    let thief = try lost.team(old)
    try lost.revoke(tablet.team(old).device, of: old, now: now)
    let list = try #require(try lost.team(old).credentials.revocations.newest)
    for store in [desktop, tablet] {
      _ = try store.take(list.list.der, discoveryKey: list.discoveryKey, of: old, now: now)
    }
    let renewed = try desktop.renew(old, user: 5, now: now)
    func redeem(_ key: PrivateKey, _ certificate: String?, _ identity: [UInt8]? = nil) throws {
      _ = try desktop.redeem(
        identity ?? renewed.code.keys.identity,
        of: renewed.team.id,
        request: CertificateRequest.make(for: key).pem(),
        certificate: certificate,
        now: now
      )
    }
    let stranger = try PrivateKey.make()
    let strange = try Authority.make(now: now)
    let request = try CertificateRequest(pem: CertificateRequest.make(for: stranger).pem())
    for certificate in [
      nil, "", "garbage", try thief.credentials.certificate.pem(), try strange.sign(request, now: now).pem(),
      String(repeating: "x", count: Limits.certificateLength + 1),
    ] {
      #expect(throws: Reason.requestInvalid) { try redeem(stranger, certificate) }
    }
    let unknown = Array(repeating: UInt8(1), count: 16)
    #expect(throws: Reason.invitationUnknown) {
      try redeem(tablet.team(old).credentials.key, tablet.team(old).credentials.certificate.pem(), unknown)
    }
    #expect(try desktop.devices(of: renewed.team.id).isEmpty)
    // None of that has used up the code. Even an expired certificate counts, because nobody could renew it.
    let late = now + 3000
    try accept(renewed.code, of: renewed.team.id, by: tablet, at: desktop, now: late)
  }

  @Test func theCodeIsGoodForAnHourAndALaterOneForOneMachine() throws {
    let renewed = try desktop.renew(old, user: 5, now: now)
    for time in [now + 3600, now] {
      #expect(throws: Reason.invitationExpired) {
        try accept(renewed.code, of: renewed.team.id, by: tablet, at: desktop, now: time)
      }
    }
    let code = try desktop.invite(renewed.team.id, now: now).code
    try accept(code, of: renewed.team.id, by: tablet, at: desktop)
    #expect(ids(tablet) == [renewed.team.id])
    #expect(throws: Reason.invitationUsed) {
      try accept(code, of: renewed.team.id, by: desktop, at: desktop, replacing: renewed.team.id)
    }
  }

  @Test func aCodeOfAnotherTeamReplacesNothing() throws {
    let renewed = try desktop.renew(old, user: 5, now: now)
    let strange = try TestDirectory().store()
    let theirs = try strange.create(name: "Home", owner: 1, now: now)
    let code = try strange.invite(theirs.id, now: now).code
    let key = try tablet.team(old).credentials.key
    let request = try CertificateRequest.make(for: key).pem()
    let joined = try strange.redeem(code.keys.identity, of: theirs.id, request: request, nonce: [1], now: now)
    // The user has typed the right code, but the stranger's answer belongs to another team.
    #expect(throws: Reason.otherTeam) {
      try tablet.complete(joined, key: key, nonce: [1], code: renewed.code, owner: 5, replacing: old, now: now)
    }
    #expect(ids(tablet) == [old])
    // A user who is not in the old team cannot replace it.
    #expect(throws: Reason.teamNotFound) {
      try accept(renewed.code, of: renewed.team.id, by: tablet, at: desktop, owner: 6)
    }
    #expect(ids(tablet) == [old])
  }

  // MARK: The old team

  @Test func theOldTeamIsEnteredNoMore() throws {
    let key = try PassphraseKey(passphrase: "correct horse battery")
    let text = try tablet.backUp(old, by: 5, machine: "tablet", addresses: [], key: key, now: now)
    let approval = try lost.approve(tablet.request(owner: 5), in: old, now: now)
    let code = try lost.invite(old, now: now).code
    let renewed = try desktop.renew(old, user: 5, now: now)
    try accept(renewed.code, of: renewed.team.id, by: tablet, at: desktop)
    #expect(tablet.isReplaced(code, for: 5) && !tablet.isReplaced(renewed.code, for: 5))
    for store in [tablet, try third.store()] {
      #expect(throws: Reason.teamRenewed) { try store.import(approval, owner: 5, now: now) }
      let backup = try store.open(BackupFile(text: text), with: key)
      for user in [5, 0] as [UInt32] {
        #expect(throws: Reason.teamRenewed) { try store.restore(backup, for: user, now: now) }
      }
      let joiner = try Joiner()
      let again = try lost.invite(old, now: now).code
      let joined = try joiner.redeem(again, of: old, at: lost)
      #expect(throws: Reason.teamRenewed) {
        try store.complete(joined, key: joiner.key, nonce: joiner.nonce, code: again, owner: 5, now: now)
      }
    }
    // A backup of the new team contains this, and it survives several renewals.
    let second = try desktop.renew(renewed.team.id, user: 5, now: now)
    #expect(second.team.replaces == [renewed.team.id, old])
    let saved = try desktop.backUp(second.team.id, by: 5, machine: "desktop", addresses: [], key: key, now: now)
    let elsewhere = try TestDirectory().store()
    let restored = try elsewhere.restore(elsewhere.open(BackupFile(text: saved), with: key), for: 5, now: now)
    #expect(restored.replaces == second.team.replaces)
    #expect(throws: Reason.teamRenewed) {
      try elsewhere.restore(elsewhere.open(BackupFile(text: text), with: key), for: 5, now: now)
    }
  }

  @Test func aBackupOfTheNewTeamReplacesTheOldOneWhereItIsRestored() throws {
    let key = try PassphraseKey(passphrase: "correct horse battery")
    let renewed = try desktop.renew(old, user: 5, now: now).team
    let text = try desktop.backUp(renewed.id, by: 5, machine: "desktop", addresses: [], key: key, now: now)
    _ = try tablet.restore(tablet.open(BackupFile(text: text), with: key), for: 5, now: now)
    for store in [tablet, try third.store()] { #expect(ids(store) == [renewed.id]) }
  }

  @Test func soManyAreRememberedAndNotMore() throws {
    var id = old
    for _ in 0..<TeamDescription.replacedTeams + 2 { id = try desktop.renew(id, user: 5, now: now).team.id }
    #expect(try away.store().team(id).replaces.count == TeamDescription.replacedTeams)
  }

  /// The new team exists, but the machine stops before it has left the old one.
  @Test func aCrashBetweenTheTwoLeavesTheNewOneAlone() throws {
    let kept = home.path + "-kept"
    defer { try? FileManager.default.removeItem(atPath: kept) }
    for place in [away, third] {
      let directory = place.directory(of: old)
      try FileManager.default.copyItem(atPath: directory, toPath: kept)
      if place === away {
        _ = try desktop.renew(old, user: 5, now: now)
      } else {
        let renewed = try #require(desktop.teams.first)
        let code = try desktop.invite(renewed.id, now: now).code
        try accept(code, of: renewed.id, by: tablet, at: desktop)
      }
      try FileManager.default.moveItem(atPath: kept, toPath: directory)
      let again = try place.store()
      #expect(again.teams.count == 1 && again.teams.first?.replaces == [old])
      #expect(!FileManager.default.fileExists(atPath: directory))
    }
  }

  @Test func whatIsNotWholeIsNothing() throws {
    // If the new team's directory cannot be made, nothing changes.
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: away.path + "/teams")
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: away.path + "/teams")
    }
    guard getuid() != 0 else { return }
    #expect(throws: Reason.storageFailed) { try desktop.renew(old, user: 5, now: now) }
    #expect(ids(desktop) == [old])
  }

  // MARK: Several users

  @Test func oneOfSeveralUsersGoesAloneAndRootTakesAllAlong() throws {
    // Another user of the desktop is in the team, too.
    let key = try desktop.team(old).credentials.key
    let code = try lost.invite(old, now: now).code
    let nonce = SystemRandom.bytes(Join.nonceLength)
    let joined = try lost.redeem(
      code.keys.identity,
      of: old,
      request: CertificateRequest.make(for: key).pem(),
      nonce: nonce,
      now: now
    )
    #expect(try desktop.complete(joined, key: key, nonce: nonce, code: code, owner: 6, now: now).owners == [5, 6])
    #expect(throws: Reason.teamNotFound) { try desktop.renew(old, user: 7, now: now) }
    let renewed = try desktop.renew(old, user: 5, now: now)
    for store in [desktop, try away.store()] {
      #expect(try store.team(old).owners == [6] && store.team(renewed.team.id).owners == [5])
    }
    // The other user follows, and the machine stays one device.
    let team = try accept(renewed.code, of: renewed.team.id, by: desktop, at: desktop, owner: 6)
    #expect(team.owners == [5, 6] && ids(desktop) == [team.id])
    let all = try desktop.renew(team.id, user: 0, now: now)
    #expect(all.team.owners == [5, 6] && ids(desktop) == [all.team.id])
    // Root moves all the users at the same time.
    try accept(desktop.invite(all.team.id, now: now).code, of: all.team.id, by: tablet, at: desktop, owner: 0)
    #expect(try tablet.team(all.team.id).owners == [5])
  }

  @Test func theInvitationsFileIsReadAsItWasWritten() throws {
    let renewal = try Invitation.Renewal(of: lost.team(old).credentials)
    #expect(Invitation.Renewal(json: renewal.json) == renewal)
    let invitation = Invitation(
      key: Array(repeating: 1, count: 32),
      expires: 5,
      uptime: 3,
      boot: "b",
      origin: "o",
      renewal: renewal
    )
    #expect(Invitation(bytes: invitation.bytes)?.renewal == renewal)
    #expect(Invitation(bytes: invitation.moved(to: "p").bytes)?.renewal == renewal)
    let plain = Invitation(key: Array(repeating: 1, count: 32), expires: 5, uptime: 3, boot: "b", origin: "o")
    for wrong in ["1", "{}", #"{"authority":1}"#] {
      let json = String(decoding: plain.bytes, as: UTF8.self)
      #expect(Invitation(bytes: Array("\(json.dropLast()),\"renewal\":\(wrong)}".utf8)) == nil)
    }
  }
}
