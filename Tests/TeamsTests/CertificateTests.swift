// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS
import Testing

@testable import Teams

private let day: Int64 = 86_400

/// Certificates that expire after a year and are renewed earlier.
@Suite struct CertificateTests {
  private let home = TestDirectory()
  private let away = TestDirectory()
  private let store: TeamStore
  private let member: TeamStore
  private let team: TeamID

  init() throws {
    store = try home.store()
    member = try away.store()
    team = try store.create(name: "Home", owner: 1000, now: now).id
    _ = try member.import(store.approve(member.request(owner: 5), in: team, now: now), owner: 5, now: now)
  }

  private func certificate(in store: TeamStore) throws -> Certificate { try store.team(team).credentials.certificate }

  private func isGood(_ store: TeamStore, at time: Int64) throws -> Bool {
    let credentials = try store.team(team).credentials
    return (try? credentials.certificate.verify(under: credentials.authority, now: time)) != nil
  }

  @Test func aCertificateIsRenewedInItsLastThirdAndNotBefore() throws {
    let first = try certificate(in: member)
    #expect(try store.renew(first, in: team, now: now + 243 * day) == nil)
    let later = now + 244 * day
    let renewed = try #require(try store.renew(first, in: team, now: later))
    #expect(try member.take(certificate: renewed, of: team, now: later))
    for store in [member, try away.store(now: later)] {
      #expect(try certificate(in: store).expires == later + 365 * day)
      #expect(try certificate(in: store).deviceID == first.deviceID)
    }
    #expect(try !isGood(member, at: later + 366 * day) && isGood(member, at: now + 400 * day))
    #expect(try !member.take(certificate: renewed, of: team, now: later), "It is no better than itself")
  }

  /// A renewed certificate can be revoked, even after a restart.
  @Test func whoIsRenewedIsNotedFirst() throws {
    let later = now + 300 * day
    let first = try certificate(in: member)
    try store.learn("desktop", serial: first.serial, of: first.deviceID, in: team, now: now)
    let renewed = try Certificate(pem: try #require(try store.renew(first, in: team, now: later)))
    for store in [store, try home.store(now: later)] {
      let device = try #require(try store.devices(of: team).first)
      #expect(try device.serial == renewed.serial && device.name == "desktop" && device.admitted == now)
    }
    // The store does not know the device, because its state was restored.
    try home.write("{\"devices\":[]}", to: home.directory(of: team) + "/devices.json")
    _ = try store.renew(first, in: team, now: later)
    #expect(try store.devices(of: team).map(\.device) == [first.deviceID])
  }

  @Test func aRemovedDeviceIsNotRenewed() throws {
    let first = try certificate(in: member)
    try store.revoke(first.deviceID, of: team, now: now)
    #expect(throws: Reason.certificateRevoked) { try store.renew(first, in: team, now: now + 300 * day) }
  }

  @Test func onlyWhoHasTheKeyRenews() throws {
    let first = try certificate(in: store)
    #expect(throws: Reason.notAdministrator) { try member.renew(first, in: team, now: now + 300 * day) }
  }

  @Test func whatIsOfNoUseIsRefused() throws {
    let later = now + 300 * day
    let first = try certificate(in: member)
    let authority = try store.authority(of: store.team(team))
    let stranger = try Authority.make(now: now)
    let other = try PrivateKey.make()
    let wrong = [
      "", "garbage", try stranger.renew(first, isAdministrator: false, now: later).pem(),
      try authority.sign(CertificateRequest.make(for: other), now: later).pem(),
      try certificate(in: store).pem(),
    ]
    for text in wrong {
      #expect(throws: Reason.certificateInvalid) { try member.take(certificate: text, of: team, now: later) }
    }
    // This certificate is valid, but expires earlier than the present one.
    let late = try #require(try store.renew(first, in: team, now: later))
    let earlier = try authority.renew(first, isAdministrator: false, now: now - day).pem()
    #expect(try !member.take(certificate: earlier, of: team, now: now))
    #expect(try certificate(in: member).serial == first.serial)
    #expect(try member.take(certificate: late, of: team, now: later))
    #expect(throws: Reason.teamNotFound) {
      try TestDirectory().store().take(certificate: late, of: team, now: later)
    }
  }

  // MARK: The administrator's own

  @Test func theAdministratorsOwnIsRenewedAtAStartAndWhileItRuns() throws {
    let first = try certificate(in: store)
    #expect(!store.renewOwnCertificate(of: team, now: now + 243 * day))
    #expect(store.renewOwnCertificate(of: team, now: now + 244 * day))
    let second = try certificate(in: store)
    #expect(
      try second.expires == now + (244 + 365) * day && second.isAdministrator && second.deviceID == first.deviceID
    )
    let again = try home.store(now: now + 500 * day)
    #expect(try certificate(in: again).expires == now + (500 + 365) * day)
    // The machine was off for years.
    let late = try home.store(now: now + 5000 * day)
    #expect(try isGood(late, at: now + 5001 * day))
    #expect(!member.renewOwnCertificate(of: team, now: now + 300 * day), "It does not have the key")
  }

  /// Earlier versions made such certificates, for 10 years.
  @Test func aCertificateThatDoesNotNameTheAdministratorIsMadeAnew() throws {
    let authority = try store.authority(of: store.team(team))
    let old = try authority.renew(certificate(in: store), isAdministrator: false, now: now + 9 * 365 * day)
    try home.write(old.pem(), to: home.directory(of: team) + "/device.pem")
    #expect(try certificate(in: home.store()).isAdministrator)
  }

  @Test func certificatesOfTenYearsGoOn() throws {
    let authority = try store.authority(of: store.team(team))
    let old = try authority.renew(certificate(in: member), isAdministrator: false, now: now + 9 * 365 * day)
    try away.write(old.pem(), to: away.directory(of: team) + "/device.pem")
    let again = try away.store(now: now + 3000 * day)
    #expect(try isGood(again, at: now + 3000 * day) && !certificate(in: again).isDue(now: now + 3000 * day))
    #expect(try store.renew(certificate(in: again), in: team, now: now + 3000 * day) == nil)
  }

  @Test func aClockThatWasSetBackMakesNothingWorse() throws {
    let first = try certificate(in: store)
    for time in [0, Authority.earliest, now - 1000 * day] { #expect(!store.renewOwnCertificate(of: team, now: time)) }
    #expect(try certificate(in: store).serial == first.serial)
  }

  @Test func aDiskThatTakesNothingLeavesWhatIsThere() throws {
    let first = try certificate(in: store)
    try home.write("x", to: home.directory(of: team) + "/ca.key")
    #expect(!store.renewOwnCertificate(of: team, now: now + 300 * day))
    #expect(try certificate(in: store).serial == first.serial)
    #expect(home.logged.contains { $0.contains("Couldn't replace") })
  }

  // MARK: Away for too long

  @Test func aMachineWhoseCertificateEndedJoinsAgainAsTheDeviceThatItIs() throws {
    for late in [now + 100 * day, now + 400 * day] {
      let code = try store.invite(team, now: late).code
      let key = try member.team(team).credentials.key
      let nonce = SystemRandom.bytes(Join.nonceLength)
      let request = try CertificateRequest.make(for: key).pem()
      let joined = try store.redeem(code.keys.identity, of: team, request: request, nonce: nonce, now: late)
      func complete() throws -> Team {
        try member.complete(joined, key: key, nonce: nonce, code: code, owner: 5, now: late)
      }
      guard late > now + 365 * day else {
        #expect(throws: Reason.alreadyMember) { try complete() }
        continue
      }
      let before = try certificate(in: member).deviceID
      #expect(try complete().device == before && isGood(member, at: late))
      #expect(try isGood(away.store(now: late), at: late))
      #expect(try member.team(team).owners == [5])
    }
  }
}
