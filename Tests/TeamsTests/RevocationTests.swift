// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import TLS
import Testing

@testable import Teams

/// Whom an administrator's machine has admitted and removed, and who learns of it.
@Suite struct RevocationTests {
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

  /// Admits a device with a code.
  private func admit(_ name: String, at time: Int64 = now) throws -> DeviceID {
    let (code, joiner) = (try store.invite(team, now: time).code, try Joiner())
    _ = try store.redeem(code.keys.identity, of: team, request: joiner.request, name: name, now: time)
    return try joiner.key.deviceID
  }

  private func key(in store: TeamStore) throws -> [UInt8] { try store.team(team).credentials.discoveryKey }

  private func list(in store: TeamStore) throws -> RevocationList? {
    try store.team(team).credentials.revocations.newest?.list
  }

  // MARK: Devices that were admitted

  @Test func whoWasAdmittedIsRemembered() throws {
    let phone = try admit("phone", at: now + 7)
    for store in [store, try home.store()] {
      let devices = try store.devices(of: team)
      #expect(devices.map(\.name) == ["", "phone"] && devices.map(\.admitted) == [now, now + 7])
      #expect(try devices.map(\.device) == [member.team(team).device, phone])
      #expect(try devices.first?.serial == member.team(team).credentials.certificate.serial)
      #expect(devices.allSatisfy { $0.revoked == nil && $0.serial.count > 12 })
    }
    #expect(throws: Reason.notAdministrator) { try member.devices(of: team) }
  }

  /// The list is kept in memory while its file stays as it is.
  @Test func aListThatWasReplacedIsReadAgain() throws {
    #expect(try store.devices(of: team).map(\.name) == [""])
    let phone = try admit("phone")
    #expect(try store.devices(of: team).map(\.name) == ["", "phone"])
    try home.store().learn("desktop", serial: [1], of: member.team(team).device, in: team, now: now)
    #expect(try store.devices(of: team).map(\.name) == ["desktop", "phone"])
    try store.revoke(phone, of: team, now: now + 9)
    #expect(try store.devices(of: team).map(\.revoked) == [nil, now + 9])
  }

  @Test func aDeviceThatCameWithFilesIsNamedOnce() throws {
    let device = try member.team(team).device
    for name in ["", "desktop", "other"] { try store.learn(name, serial: [1], of: device, in: team, now: now) }
    #expect(try home.store().devices(of: team).map(\.name) == ["desktop"])
    // A machine that is not the administrator's keeps no list of devices.
    try member.learn("x", serial: [1], of: device, in: team, now: now)
    #expect(throws: Reason.notAdministrator) { try member.devices(of: team) }
  }

  @Test func aDeviceThatIsAdmittedAgainIsOne() throws {
    let joiner = try Joiner()
    for _ in 0..<3 { _ = try store.approve(joiner.request, in: team, now: now) }
    #expect(try store.devices(of: team).count == 2)
  }

  @Test func aNameIsCutWhereItIsTooLong() throws {
    _ = try admit(String(repeating: "é", count: 200))
    #expect(try store.devices(of: team).last?.name == String(repeating: "é", count: Limits.deviceNameLength / 2))
  }

  @Test func devicesAreNamedByNameOrID() throws {
    func device(_ digits: String, _ name: String, revoked: Int64? = nil) throws -> AdmittedDevice {
      let text = digits + String(repeating: "0", count: 52 - digits.count)
      let id = try #require(DeviceID(text: text))
      return AdmittedDevice(device: id, name: name, serial: [1], admitted: 0, revoked: revoked)
    }
    let devices = [
      try device("ABCDE", "phone", revoked: 1), try device("ABCDF", "phone"), try device("W1111", "tablet"),
      try device("W1112", "ABCD"),
    ]
    func found(_ text: String) -> [Int] {
      AdmittedDevice.search(text, in: devices).compactMap { device in devices.firstIndex { $0 == device } }
    }
    #expect(found("phone") == [1], "The other is gone already")
    #expect(found("abcde") == [0] && found("W1111") == [2] && found("tablet") == [2])
    #expect(found("W111") == [2, 3] && found("ABCD") == [0, 1, 3])
    #expect(found("W11").isEmpty && found("").isEmpty && found("tab").isEmpty && found("Tablet").isEmpty)
  }

  // MARK: Removing

  @Test func aRemovedDeviceIsOnTheList() throws {
    let (phone, tablet) = (try admit("phone"), try admit("tablet"))
    #expect(try list(in: store) == nil)
    try store.revoke(phone, of: team, now: now + 1)
    let first = try #require(try list(in: store))
    #expect(first.entries.map(\.device) == [phone])
    try store.revoke(tablet, of: team, now: now + 2)
    try store.revoke(phone, of: team, now: now + 3)
    for store in [store, try home.store()] {
      let list = try #require(try list(in: store))
      #expect(
        list.number > first.number && list.entries.map(\.device) == [phone, tablet],
        "Nothing changed the second time"
      )
      #expect(try store.devices(of: team).map(\.revoked) == [nil, now + 1, now + 2])
    }
  }

  @Test func onlyTheAdministratorRemovesAndOnlyWhomItAdmitted() throws {
    let own = try store.team(team).device
    #expect(throws: Reason.peerNotFound) { try store.revoke(own, of: team, now: now) }
    #expect(throws: Reason.notAdministrator) { try member.revoke(own, of: team, now: now) }
    #expect(throws: Reason.peerNotFound) { try store.revoke(Joiner().key.deviceID, of: team, now: now) }
    #expect(try list(in: store) == nil)
  }

  @Test func aRemovedDeviceIsNotAdmittedAgain() throws {
    let joiner = try Joiner()
    _ = try store.approve(joiner.request, in: team, now: now)
    try store.revoke(joiner.key.deviceID, of: team, now: now)
    #expect(throws: Reason.certificateRevoked) { try store.approve(joiner.request, in: team, now: now) }
    let code = try store.invite(team, now: now).code
    #expect(throws: Reason.certificateRevoked) {
      try store.redeem(code.keys.identity, of: team, request: joiner.request, now: now)
    }
    // The code is still valid, even for that machine with a new key.
    _ = try store.redeem(code.keys.identity, of: team, request: Joiner().request, now: now)
  }

  /// If the daemon is killed after it has signed a list, either the old list is there or the new one.
  @Test func aCrashLosesNothing() throws {
    let (phone, tablet) = (try admit("phone"), try admit("tablet"))
    try store.revoke(phone, of: team, now: now)
    let path = home.directory(of: team) + "/revocations.json"
    let before = try String(contentsOfFile: path, encoding: .utf8)
    try store.revoke(tablet, of: team, now: now)
    let after = try String(contentsOfFile: path, encoding: .utf8)
    try home.write(before, to: path)
    for half in [after, String(after.prefix(100)), ""] {
      try home.write(half, to: home.directory(of: team) + "/.new-0123456789abcdef")
      let restarted = try home.store()
      #expect(try list(in: restarted)?.entries.map(\.device) == [phone])
    }
    let restarted = try home.store()
    try restarted.revoke(tablet, of: team, now: now)
    #expect(try list(in: home.store())?.entries.map(\.device) == [phone, tablet])
  }

  @Test(arguments: ["", "{}", #"{"list":""}"#, #"{"list":"MAA="}"#, #"{"list":7}"#])
  func aTeamWhoseListIsBrokenIsNotServed(content: String) throws {
    try away.write(content, to: away.directory(of: team) + "/revocations.json")
    #expect(try away.store().teams.isEmpty)
    #expect(away.logged.count == 1 && away.logged.first?.contains("revocations.json") == true)
  }

  @Test(arguments: ["", "{}", #"{"devices":[{}]}"#])
  func nobodyIsAdmittedWhereThatCannotBeRemembered(content: String) throws {
    try home.write(content, to: home.directory(of: team) + "/devices.json")
    #expect(throws: Reason.storageFailed) { try store.approve(Joiner().request, in: team, now: now) }
    #expect(throws: Reason.storageFailed) { try store.devices(of: team) }
  }

  // MARK: Learning of removals

  @Test func theHighestNumberWins() throws {
    let original = try key(in: store)
    let phone = try admit("phone")
    try store.revoke(phone, of: team, now: now)
    let (first, firstKey) = (try #require(try list(in: store)), try key(in: store))
    try store.revoke(member.team(team).device, of: team, now: now)
    let second = try #require(try list(in: store))
    #expect(try member.take(first.der, discoveryKey: firstKey, of: team, now: now))
    #expect(try !member.take(first.der, discoveryKey: firstKey, of: team, now: now))
    #expect(try member.take(second.der, discoveryKey: key(in: store), of: team, now: now))
    #expect(try !member.take(first.der, discoveryKey: firstKey, of: team, now: now))
    for member in [member, try away.store()] {
      #expect(try list(in: member) == second)
      #expect(try key(in: member) == key(in: store))
      #expect(try member.team(team).credentials.previousKeys == [firstKey, original])
    }
  }

  @Test func aListOfSomebodyElseIsRefused() throws {
    let strange = try TestDirectory().store()
    let other = try strange.create(name: "Strange", owner: 0, now: now).id
    let device = try Joiner()
    _ = try strange.approve(device.request, in: other, now: now)
    try strange.revoke(device.key.deviceID, of: other, now: now)
    let foreign = try #require(try strange.team(other).credentials.revocations.newest?.list)
    for der in [foreign.der, [], [0x30, 0x00]] {
      #expect(throws: Reason.certificateInvalid) {
        try member.take(der, discoveryKey: strange.team(other).credentials.discoveryKey, of: team, now: now)
      }
    }
    #expect(throws: Reason.teamNotFound) { try member.take(foreign.der, discoveryKey: [], of: other, now: now) }
    #expect(try list(in: member) == nil && list(in: away.store()) == nil)
    #expect(away.logged.isEmpty, "Or a peer could fill the journal")
  }

  @Test func whoJoinsLaterHasTheList() throws {
    let phone = try admit("phone")
    try store.revoke(phone, of: team, now: now)
    let new = TestDirectory()
    let joining = try new.store()
    _ = try joining.import(store.approve(joining.request(owner: 5), in: team, now: now), owner: 5, now: now)
    for joined in [joining, try new.store()] {
      #expect(try list(in: joined) == list(in: store) && key(in: joined) == key(in: store))
    }
    // A list that does not belong to the key, and none at all where one must be.
    let text = try store.approve(member.request(owner: 9), in: team, now: now)
    var members = try #require(JSON(parsing: text.utf8, depth: 4).object)
    for (name, value) in [("discoveryKey", JSON.string(Base64.encode(try key(in: member)))), ("revocations", 7)] {
      let good = members.updateValue(value, forKey: name)
      #expect(throws: Reason.approvalInvalid) { try member.import(JSON.object(members).text, owner: 9, now: now) }
      members[name] = good
    }
    _ = try member.import(JSON.object(members).text, owner: 9, now: now)
  }

  @Test func aRemovedDeviceDoesNotKnowTheDiscoveryKeyAnyMore() throws {
    let (phone, original) = (try admit("phone"), try key(in: store))
    try store.revoke(phone, of: team, now: now)
    let renewed = try key(in: store)
    #expect(renewed != original && renewed.count == 32)
    #expect(try home.store().team(team).credentials.previousKeys == [original])
    let list = try #require(try list(in: store))
    for wrong in [original, [], renewed + [0]] {
      #expect(throws: Reason.certificateInvalid) { try member.take(list.der, discoveryKey: wrong, of: team, now: now) }
    }
    #expect(try key(in: member) == original, "A member that lies about the key splits no team")
    #expect(try member.take(list.der, discoveryKey: renewed, of: team, now: now) && key(in: member) == renewed)
  }

  @Test func soManyKeysOfBeforeAreKept() throws {
    var keys: [[UInt8]] = []
    for number in 0..<Limits.previousDiscoveryKeys + 2 {
      keys.insert(try key(in: store), at: 0)
      try store.revoke(admit("phone \(number)"), of: team, now: now)
    }
    let kept = try home.store().team(team).credentials.previousKeys
    #expect(kept == Array(keys.prefix(Limits.previousDiscoveryKeys)))
  }

  // MARK: Limits

  /// Makes it look as if this many devices had been admitted.
  private func remember(_ count: Int, in team: TeamID) throws {
    let devices = try (0..<count).map { number in
      let device = try #require(DeviceID(bytes: SystemRandom.bytes(32)))
      let serial = [0xFF] + SystemRandom.bytes(15)
      return AdmittedDevice(device: device, name: "phone \(number)", serial: serial, admitted: now)
    }
    try TeamDirectory(path: home.directory(of: team), secrets: SecretFiles()).replace(devices)
  }

  @Test func thereAreSoManyDevicesAndNoMore() throws {
    try remember(Limits.admittedDevices - 1, in: team)
    _ = try admit("the last")
    let joiner = try Joiner()
    let code = try store.invite(team, now: now).code
    #expect(throws: Reason.limitReached) { try store.approve(joiner.request, in: team, now: now) }
    #expect(throws: Reason.limitReached) {
      try store.redeem(code.keys.identity, of: team, request: joiner.request, now: now)
    }
    // A device that was removed makes room, and stays out.
    let removed = try #require(try store.devices(of: team).dropFirst(3).first)
    try store.revoke(removed.device, of: team, now: now)
    let joined = try store.redeem(code.keys.identity, of: team, request: joiner.request, now: now)
    #expect(joined.revocations == (try list(in: store)?.der))
    let devices = try home.store().devices(of: team)
    #expect(devices.count == Limits.admittedDevices && !devices.contains { $0.device == removed.device })
    #expect(try list(in: store)?.names(removed.device) == true)
  }

  @Test func soManyMayBeRemovedAndTheListFitsWhereItTravels() throws {
    let name = String(repeating: "a", count: Limits.teamNameLength)
    let team = try store.create(name: name, owner: 1000, now: now).id
    try remember(Limits.revokedDevices + 1, in: team)
    let devices = try store.devices(of: team)
    for device in devices.prefix(Limits.revokedDevices) { try store.revoke(device.device, of: team, now: now) }
    let last = try #require(devices.last)
    #expect(throws: Reason.limitReached) { try store.revoke(last.device, of: team, now: now) }
    let approval = try store.approve(Joiner().request, in: team, now: now)
    #expect(approval.utf8.count <= Limits.enrolmentFileLength)
    #expect(try Approval(text: approval).joined.json.bytes.count <= Limits.framePayloadLength)
    #expect(try home.store().team(team).credentials.revocations.entries.count == Limits.revokedDevices)
  }
}
