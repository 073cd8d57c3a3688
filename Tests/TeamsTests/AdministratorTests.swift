// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS
import Testing

@testable import Teams

/// Two machines with a team's key.
@Suite struct AdministratorTests {
  private let home = TestDirectory()
  private let away = TestDirectory()
  private let first: TeamStore
  private let second: TeamStore
  private let team: TeamID

  init() throws {
    first = try home.store()
    second = try away.store()
    team = try first.create(name: "Home", owner: 1000, now: now).id
    _ = try second.import(first.approve(second.request(owner: 5), in: team, now: now), owner: 5, now: now)
  }

  private func certificate(in store: TeamStore) throws -> Certificate { try store.team(team).credentials.certificate }

  private func lists(in store: TeamStore) throws -> RevocationLists { try store.team(team).credentials.revocations }

  private func removed(in store: TeamStore) throws -> Set<DeviceID> { try Set(lists(in: store).entries.map(\.device)) }

  private func promote() throws {
    let promotion = try first.promote(certificate(in: second), in: team, now: now)
    #expect(try second.accept(promotion, in: team, now: now))
    try tell()
  }

  /// Lets both machines tell each other whom they have admitted.
  private func tell() throws {
    try second.learn(first.told(team, name: "first"), in: team)
    try first.learn(second.told(team, name: "second"), in: team)
  }

  /// Admits a device to one of the machines, and returns its ID.
  private func admit(to store: TeamStore, _ name: String) throws -> DeviceID {
    let (code, joiner) = (try store.invite(team, now: now).code, try Joiner())
    _ = try store.redeem(code.keys.identity, of: team, request: joiner.request, name: name, now: now)
    return try joiner.key.deviceID
  }

  /// Lets two machines meet, and exchange what they hold until neither has any news.
  private func meet(_ one: TeamStore, _ other: TeamStore) throws {
    for round in 0...4 {
      var isNews = false
      for (from, to) in [(one, other), (other, one)] {
        for held in try lists(in: from).all {
          isNews = try to.take(held.list.der, discoveryKey: held.discoveryKey, of: team, now: now) || isNews
        }
      }
      guard isNews else { return }
      #expect(round < 4, "They go on for ever")
    }
  }

  // MARK: Promotion

  @Test func thePromotedMachineAdmitsAndRemoves() throws {
    try promote()
    for store in [second, try away.store()] {
      let held = try store.team(team)
      #expect(held.administration == .here && held.credentials.certificate.isAdministrator && held.owners == [5])
      #expect(store.joinable.map(\.team) == [team])
    }
    let phone = try admit(to: second, "phone")
    let member = try TestDirectory().store()
    let joined = try member.import(second.approve(member.request(owner: 7), in: team, now: now), owner: 7, now: now)
    try joined.credentials.certificate.verify(under: certificate(ofAuthority: first), now: now)
    try second.revoke(phone, of: team, now: now)
    #expect(try lists(in: second).names(phone))
    #expect(away.modes["teams/\(Hexadecimal.encode(team.bytes))/ca.key"] == 0o600)
  }

  private func certificate(ofAuthority store: TeamStore) throws -> Certificate {
    try store.team(team).credentials.authority
  }

  @Test func whoIsPromotedIsNotedFirst() throws {
    let device = try second.team(team).device
    _ = try first.promote(certificate(in: second), in: team, now: now)
    for store in [first, try home.store()] {
      #expect(try store.devices(of: team).filter(\.isAdministrator).map(\.device) == [device])
    }
    // The device joins again under the same ID, and still has the key.
    let key = try second.team(team).credentials.key
    _ = try first.approve(CertificateRequest.make(for: key).pem(), in: team, now: now)
    #expect(try first.devices(of: team).map(\.isAdministrator) == [true])
  }

  @Test func onlyTheTeamsKeyForThisMachineIsTaken() throws {
    let good = try first.promote(certificate(in: second), in: team, now: now)
    let strange = try Authority.make(now: now)
    let own = try certificate(in: second)
    let wrong = [
      ("", good.authorityKey), ("garbage", good.authorityKey), (good.certificate, ""), (good.certificate, "garbage"),
      (good.certificate, try strange.key.pem()),
      // A member's certificate, one of another device, and one of another team.
      (try own.pem(), good.authorityKey), (try certificate(in: first).pem(), good.authorityKey),
      (try strange.renew(own, isAdministrator: true, now: now).pem(), good.authorityKey),
    ]
    for (certificate, key) in wrong {
      let promotion = TeamStore.Promotion(certificate: certificate, authorityKey: key)
      #expect(throws: Reason.certificateInvalid) { try second.accept(promotion, in: team, now: now) }
    }
    #expect(try second.team(team).administration == .elsewhere && away.store().team(team).administration == .elsewhere)
    #expect(try second.accept(good, in: team, now: now) && !second.accept(good, in: team, now: now))
    let own2 = TeamStore.Promotion(certificate: "garbage", authorityKey: "garbage")
    #expect(try !second.accept(own2, in: team, now: now), "It has the key already, and changes nothing")
  }

  @Test func aRemovedDeviceIsNotPromotedAndNoMemberPromotes() throws {
    #expect(throws: Reason.notAdministrator) { try second.promote(certificate(in: first), in: team, now: now) }
    try first.revoke(second.team(team).device, of: team, now: now)
    #expect(throws: Reason.certificateRevoked) { try first.promote(certificate(in: second), in: team, now: now) }
  }

  /// The key is there but the certificate is not, so it is made again.
  @Test func aCrashBetweenTheTwoFilesLeavesAnAdministrator() throws {
    let promotion = try first.promote(certificate(in: second), in: team, now: now)
    try away.write(promotion.authorityKey, to: away.directory(of: team) + "/ca.key")
    let again = try away.store()
    #expect(try again.team(team).administration == .here && certificate(in: again).isAdministrator)
    _ = try again.invite(team, now: now)
  }

  @Test func aDamagedKeyIsReplacedByAPromotion() throws {
    try promote()
    try away.write("damaged", to: away.directory(of: team) + "/ca.key")
    let again = try away.store()
    #expect(throws: Reason.storageFailed) { try again.invite(team, now: now) }
    #expect(try again.accept(first.promote(certificate(in: again), in: team, now: now), in: team, now: now))
    _ = try again.invite(team, now: now)
    #expect(try away.names(in: away.directory(of: team)).contains("ca.key.unreadable-1"))
  }

  // MARK: The devices they know

  @Test func eachKnowsWhomTheOtherHasAdmitted() throws {
    let early = try admit(to: first, "early")
    try promote()
    let late = try admit(to: second, "late")
    try tell()
    let (one, two) = (try first.team(team).device, try second.team(team).device)
    #expect(try Set(first.devices(of: team).map(\.device)) == [early, late, two])
    #expect(try Set(second.devices(of: team).map(\.device)) == [early, late, one])
    #expect(try second.devices(of: team).first { $0.device == one }?.isAdministrator == true)
    #expect(try first.devices(of: team).first { $0.device == two }?.name == "second")
    // Each can remove any device, including the other administrator.
    try first.revoke(late, of: team, now: now)
    try second.revoke(one, of: team, now: now)
    #expect(try lists(in: second).names(one))
  }

  @Test func whoWasRemovedIsNotNotedAnewAndNobodyIsForgotten() throws {
    try promote()
    let phone = try admit(to: first, "phone")
    try first.revoke(phone, of: team, now: now)
    try meet(first, second)
    let told = try #require(try first.devices(of: team).first { $0.device == phone })
    try second.learn([told], in: team)
    #expect(try !second.devices(of: team).contains { $0.device == phone })
    let before = try second.devices(of: team)
    let many = try (0..<Limits.admittedDevices + 8).map { number in
      AdmittedDevice(device: try Joiner().key.deviceID, name: "\(number)", serial: [1], admitted: now)
    }
    try second.learn(many, in: team)
    let after = try second.devices(of: team)
    #expect(after.count == Limits.admittedDevices && Array(after.prefix(before.count)) == before)
    #expect(throws: Reason.notAdministrator) {
      let member = try TestDirectory().store()
      let joined = try member.import(first.approve(member.request(owner: 7), in: team, now: now), owner: 7, now: now)
      try member.learn(many, in: joined.id)
    }
  }

  // MARK: Both remove devices while they are apart

  @Test func listsOfBothBecomeOneWithoutAFork() throws {
    try promote()
    let (phone, tablet) = (try admit(to: first, "phone"), try admit(to: first, "tablet"))
    try tell()
    let member = try TestDirectory().store()
    _ = try member.import(first.approve(member.request(owner: 7), in: team, now: now), owner: 7, now: now)
    // Neither knows what the other does.
    try first.revoke(phone, of: team, now: now)
    try second.revoke(tablet, of: team, now: now)
    // A member meets only the first, and then only the second. For the member, both devices are removed.
    try meet(first, member)
    #expect(try lists(in: member).names(phone) && !lists(in: member).names(tablet))
    try meet(second, member)
    #expect(try lists(in: member).names(phone) && lists(in: member).names(tablet))
    // By now, both administrators have merged the lists into one, or have received the merged one.
    try meet(first, second)
    try meet(first, member)
    try meet(second, member)
    let newest = try #require(try lists(in: first).newest)
    for store in [first, second, member, try home.store(), try away.store()] {
      let held = try lists(in: store)
      #expect(held.all.count == 1 && held.newest == newest && Set(held.entries.map(\.device)) == [phone, tablet])
      #expect(try store.team(team).credentials.discoveryKey == newest.discoveryKey)
    }
    // From there, they can continue as usual.
    let watch = try admit(to: second, "watch")
    try second.revoke(watch, of: team, now: now)
    try meet(first, second)
    #expect(try lists(in: first).newest == lists(in: second).newest && lists(in: first).names(watch))
    #expect(try lists(in: first).number > newest.list.number)
  }

  /// Both meet while each still holds its own list, and each signs a merged one at the same time.
  @Test func twoThatUniteAtOnceEndWithOneList() throws {
    try promote()
    let (phone, tablet) = (try admit(to: first, "phone"), try admit(to: second, "tablet"))
    try tell()
    try first.revoke(phone, of: team, now: now)
    try second.revoke(tablet, of: team, now: now)
    let (one, two) = (try lists(in: first).all, try lists(in: second).all)
    for (held, store) in [(one, second), (two, first)] {
      for held in held { _ = try store.take(held.list.der, discoveryKey: held.discoveryKey, of: team, now: now) }
    }
    #expect(try lists(in: first).newest != lists(in: second).newest, "Each has signed one")
    try meet(first, second)
    #expect(try lists(in: first) == lists(in: second) && lists(in: first).all.count == 1)
    #expect(try removed(in: first) == [phone, tablet])
    // Both can admit devices again.
    for store in [first, second] { _ = try admit(to: store, "new") }
  }

  /// The result is the same, no matter which machines meet in which order and how often.
  @Test(arguments: 0..<8) func anyOrderOfMeetingsEndsWithOneList(order: Int) throws {
    try promote()
    let third = try TestDirectory().store()
    _ = try third.import(first.approve(third.request(owner: 7), in: team, now: now), owner: 7, now: now)
    let third1 = try first.promote(third.team(team).credentials.certificate, in: team, now: now)
    _ = try third.accept(third1, in: team, now: now)
    let stores = [first, second, third]
    var removed: Set<DeviceID> = []
    var generator = SystemRandomNumberGenerator()
    for round in 0..<4 {
      for (index, store) in stores.enumerated() where (order >> index) & 1 == 1 || round == 0 {
        let device = try admit(to: store, "x")
        try store.revoke(device, of: team, now: now + Int64(round))
        removed.insert(device)
      }
      let pair = stores.shuffled(using: &generator)
      try meet(pair[0], pair[1])
    }
    for (one, other) in [(0, 1), (1, 2), (0, 2), (0, 1)] { try meet(stores[one], stores[other]) }
    for store in stores { #expect(try self.removed(in: store) == removed && lists(in: store).all.count == 1) }
    #expect(try Set(stores.map { try lists(in: $0).number }).count == 1)
  }

  @Test func anAdministratorRenewsTheOther() throws {
    try promote()
    let later = now + 300 * 86_400
    let renewed = try #require(try first.renew(certificate(in: second), in: team, now: later))
    #expect(try Certificate(pem: renewed).isAdministrator)
    // A member's certificate in its place would make it an ordinary member.
    let authority = try first.authority(of: first.team(team))
    let lesser = try authority.renew(certificate(in: second), isAdministrator: false, now: later + 1)
    #expect(try !second.take(certificate: lesser.pem(), of: team, now: later))
    #expect(try second.take(certificate: renewed, of: team, now: later) && certificate(in: second).isAdministrator)
  }
}
