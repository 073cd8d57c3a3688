// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import SeededGenerator
import TLS
import Testing

@testable import Teams

/// Machines whose state was restored, above all the administrator's, and what the others hold in the meantime.
@Suite struct RestoreTests {
  private let home = TestDirectory()
  private let away = TestDirectory()
  private let other = TestDirectory()

  /// Makes an administrator and two members.
  private func make() throws -> (TeamStore, TeamStore, TeamStore, TeamID) {
    let store = try home.store()
    let team = try store.create(name: "Home", owner: 1000, now: now).id
    let members = try [away, other].map { directory in
      let member = try directory.store()
      _ = try member.import(store.approve(member.request(owner: 5), in: team, now: now), owner: 5, now: now)
      return member
    }
    return (store, members[0], members[1], team)
  }

  private func admit(_ store: TeamStore, _ team: TeamID) throws -> DeviceID {
    let joiner = try Joiner()
    _ = try store.approve(joiner.request, in: team, now: now)
    return try joiner.key.deviceID
  }

  // MARK: Forks

  /// The bug that this prevents: each of two members has a list that the other lacks, and the numbers do not show it.
  @Test(arguments: [now, 0])
  func whatBothListsNameStaysOut(clock: Int64) throws {
    var (store, member, third, team) = try make()
    let lost = try (0..<2).map { _ in try admit(store, team) }
    try home.backUp()
    try store.revoke(lost[0], of: team, now: clock)
    try meet(store, member, team)
    store = try home.restore()
    try store.revoke(lost[1], of: team, now: clock)
    try meet(store, third, team)
    let keys = try [member, third].map { try $0.team(team).credentials.discoveryKey }
    #expect(keys[0] != keys[1])
    // First, without the administrator.
    try meet(member, third, team)
    for member in [member, third, try away.store(), try other.store()] {
      let held = try member.team(team).credentials
      #expect(held.revocations.all.count == 2 && lost.allSatisfy(held.revocations.names))
      #expect(Set([held.discoveryKey] + held.previousKeys).isSuperset(of: keys), "Both are found by both")
    }
    // Then, with the administrator.
    try meet(store, member, team)
    try meet(store, third, team)
    try meet(store, member, team)
    let united = try store.team(team).credentials
    #expect(united.revocations.all.count == 1 && Set(united.revocations.entries.map(\.device)) == Set(lost))
    #expect(!keys.contains(united.discoveryKey), "Each of the removed devices may have known one of them")
    for member in [member, third, try home.store(), try away.store(), try other.store()] {
      #expect(try member.team(team).credentials.revocations == united.revocations)
      #expect(try member.team(team).credentials.discoveryKey == united.discoveryKey)
    }
    #expect(try store.devices(of: team).count { $0.revoked != nil } == 2)
    // The next removal works as usual.
    try store.revoke(try member.team(team).device, of: team, now: clock)
    let last = try store.team(team).credentials.revocations
    #expect(last.all.count == 1 && last.number > united.revocations.number && last.entries.count == 3)
  }

  @Test func listsOfOneNumberAreUnited() throws {
    let (store, member, third, team) = try make()
    let lost = try (0..<2).map { _ in try admit(store, team) }
    let authority = try TeamDirectory(path: home.directory(of: team), secrets: SecretFiles())
      .loadAuthority(store.team(team).credentials.authority)
    for (device, receiver) in zip(lost, [member, third]) {
      let key = SystemRandom.bytes(32)
      let list = try authority.sign(
        [.init(device: device, serial: [1], date: now)],
        number: 1,
        discoveryKey: key,
        now: now
      )
      #expect(try receiver.take(list.der, discoveryKey: key, of: team, now: now))
    }
    try meet(member, third, team)
    #expect(try member.team(team).credentials.revocations == third.team(team).credentials.revocations)
    try meet(third, store, team)
    try meet(store, member, team)
    for store in [store, member, third] {
      let lists = try store.team(team).credentials.revocations
      #expect(lists.all.count == 1 && lists.number > 1 && lost.allSatisfy(lists.names))
    }
  }

  /// The two lists were written by a version that does not merge lists, or while the key was not available.
  @Test func whatIsApartOnTheDiskIsUnitedAtTheStart() throws {
    let (store, member, third, team) = try make()
    let lost = try (0..<2).map { _ in try admit(store, team) }
    try home.backUp()
    try store.revoke(lost[0], of: team, now: now)
    try meet(store, member, team)
    let again = try home.restore()
    try again.revoke(lost[1], of: team, now: now)
    // Without its key, the administrator continues with both lists.
    let key = home.directory(of: team) + "/ca.key"
    let content = try String(contentsOfFile: key, encoding: .utf8)
    try home.write("", to: key)
    try meet(again, member, team)
    let apart = try again.team(team).credentials.revocations
    #expect(apart.all.count == 2 && lost.allSatisfy(apart.names) && !home.logged.isEmpty)
    #expect(try home.store().team(team).credentials.revocations == apart)
    try home.write(content, to: key)
    let united = try home.store()
    let lists = try united.team(team).credentials.revocations
    #expect(lists.all.count == 1 && lost.allSatisfy(lists.names) && lists.number > apart.number)
    try meet(united, member, team)
    try meet(member, third, team)
    #expect(try third.team(team).credentials.revocations == lists)
  }

  @Test func soManyAsMayBeRemovedStayApartAndStayOut() throws {
    let (store, member, _, team) = try make()
    let authority = try TeamDirectory(path: home.directory(of: team), secrets: SecretFiles())
      .loadAuthority(store.team(team).credentials.authority)
    let half = Limits.revokedDevices / 2
    let devices = try (0..<2 * half + 2).map { _ in try #require(DeviceID(bytes: SystemRandom.bytes(32))) }
    for (number, part) in [devices.prefix(half + 1), devices.suffix(half + 1)].enumerated() {
      let key = SystemRandom.bytes(32)
      let entries = part.map { RevocationList.Entry(device: $0, serial: SystemRandom.bytes(16), date: now) }
      let list = try authority.sign(entries, number: UInt64(number + 1), discoveryKey: key, now: now)
      #expect(try store.take(list.der, discoveryKey: key, of: team, now: now))
    }
    try meet(store, member, team)
    for store in [try home.store(), try away.store()] {
      let lists = try store.team(team).credentials.revocations
      #expect(lists.all.count == 2 && devices.allSatisfy(lists.names))
    }
    #expect(throws: Reason.limitReached) { try store.revoke(member.team(team).device, of: team, now: now) }
  }

  @Test func theFileOfSoManyListsIsRead() throws {
    let (store, member, _, team) = try make()
    let authority = try TeamDirectory(path: home.directory(of: team), secrets: SecretFiles())
      .loadAuthority(store.team(team).credentials.authority)
    for number in 0...Limits.otherRevocationLists {
      let key = SystemRandom.bytes(32)
      let entries = try (0..<Limits.revokedDevices).map { _ in
        RevocationList.Entry(
          device: try #require(DeviceID(bytes: SystemRandom.bytes(32))),
          serial: [0xFF] + SystemRandom.bytes(15),
          date: now
        )
      }
      let list = try authority.sign(entries, number: UInt64(number + 1), discoveryKey: key, now: now)
      #expect(try member.take(list.der, discoveryKey: key, of: team, now: now))
    }
    let held = try member.team(team).credentials.revocations
    #expect(held.all.count == Limits.otherRevocationLists + 1)
    #expect(try away.store().team(team).credentials.revocations == held)
    #expect(away.logged.isEmpty)
    // With one more entry, the log names the devices that are let in again.
    let key = SystemRandom.bytes(32)
    let entry = RevocationList.Entry(device: try Joiner().key.deviceID, serial: [1], date: now)
    let list = try authority.sign([entry], number: 1 << 40, discoveryKey: key, now: now)
    let again = try away.store()
    #expect(try again.take(list.der, discoveryKey: key, of: team, now: now))
    #expect(away.logged.count == Limits.revokedDevices)
  }

  // MARK: Files

  /// The file is as the first version wrote it.
  @Test func aFileWithOneListIsReadAsBefore() throws {
    let (store, _, _, team) = try make()
    try store.revoke(admit(store, team), of: team, now: now)
    let text = try String(contentsOfFile: home.directory(of: team) + "/revocations.json", encoding: .utf8)
    #expect(!text.contains("others"))
    let lists = try store.team(team).credentials.revocations
    #expect(try home.store().team(team).credentials.revocations == lists)
  }

  @Test(arguments: [#""others":7"#, #""others":[7]"#, #""others":[{}]"#, #""others":[{"list":"MAA="}]"#])
  func aTeamOneOfWhoseListsIsBrokenIsNotServed(member: String) throws {
    let (store, _, _, team) = try make()
    try store.revoke(admit(store, team), of: team, now: now)
    let path = home.directory(of: team) + "/revocations.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try home.write("{" + member + "," + text.dropFirst(), to: path)
    #expect(try home.store().teams.isEmpty)
    #expect(home.logged.last?.contains("revocations.json") == true)
  }

  // MARK: Devices

  /// The device was admitted after the backup.
  @Test func whomASessionIsWithCanBeRemoved() throws {
    let store = try home.store()
    let team = try store.create(name: "Home", owner: 1000, now: now).id
    try home.backUp()
    let joiner = try Joiner()
    let approval = try Approval(text: store.approve(joiner.request, in: team, now: now))
    let serial = try Certificate(pem: approval.joined.certificate).serial
    let device = try joiner.key.deviceID
    let again = try home.restore()
    #expect(throws: Reason.peerNotFound) { try again.revoke(device, of: team, now: now) }
    for name in ["phone", "other"] {
      try again.learn(name, serial: serial, of: device, in: team, now: now + 3)
    }
    let known = try #require(try home.store().devices(of: team).first)
    #expect(known.device == device && known.name == "phone" && known.serial == serial && known.admitted == now + 3)
    try again.revoke(device, of: team, now: now)
    #expect(try again.team(team).credentials.revocations.entries.map(\.serial) == [serial])
    // The machine itself is not listed.
    let own = try again.team(team).device
    try again.learn("me", serial: [1], of: own, in: team, now: now)
    #expect(try again.devices(of: team).count == 1)
  }

  @Test func noMoreDevicesAreNotedThanMayBe() throws {
    let store = try home.store()
    let team = try store.create(name: "Home", owner: 1000, now: now).id
    for number in 0..<Limits.admittedDevices {
      let device = try #require(DeviceID(bytes: SystemRandom.bytes(32)))
      try store.learn("phone \(number)", serial: [1], of: device, in: team, now: now)
    }
    let last = try Joiner().key.deviceID
    #expect(throws: Reason.limitReached) { try store.learn("last", serial: [1], of: last, in: team, now: now) }
    let first = try #require(try store.devices(of: team).first)
    try store.revoke(first.device, of: team, now: now)
    try store.learn("last", serial: [1], of: last, in: team, now: now)
    let devices = try store.devices(of: team)
    #expect(devices.count == Limits.admittedDevices && devices.last?.device == last && !devices.contains(first))
  }
}

/// Lets two machines have a session; there is none if one has removed the other.
///
/// - Returns: Whether they still had a session at the end.
@discardableResult
func meet(_ left: TeamStore, _ right: TeamStore, _ team: TeamID, now: Int64 = now) throws -> Bool {
  func lists(_ store: TeamStore) throws -> RevocationLists { try store.team(team).credentials.revocations }
  func accept() throws -> Bool {
    try !lists(left).names(right.team(team).device) && !lists(right).names(left.team(team).device)
  }
  guard try accept() else { return false }
  let (ofLeft, ofRight) = (try lists(left), try lists(right))
  var sides = [
    (left, right, RevocationExchange(number: ofRight.number, digest: ofRight.digest)),
    (right, left, RevocationExchange(number: ofLeft.number, digest: ofLeft.digest)),
  ]
  var rounds = 0
  var isSilent = false
  while !isSilent {
    isSilent = true
    for index in 0..<2 {
      let (giver, taker, _) = sides[index]
      // Each list that arrives may end the session.
      guard try accept() else { return false }
      for held in sides[index].2.take(from: try lists(giver)) {
        isSilent = false
        _ = try taker.take(held.list.der, discoveryKey: held.discoveryKey, of: team, now: now)
        sides[1 - index].2.received(held.list.der, holding: try lists(taker))
      }
    }
    rounds += 1
    try #require(rounds < 10, "They never fall silent")
  }
  return try accept()
}
