// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import TLS
import Testing

@testable import Teams

/// A team that is backed up on one machine and restored on another.
@Suite struct BackupTests {
  /// Made only once, because making it is slow.
  private static let key = Result { try PassphraseKey(passphrase: "correct horse battery") }

  private let home = TestDirectory()
  private let away = TestDirectory()
  private let store: TeamStore
  private let team: Team
  private let key: PassphraseKey

  init() throws {
    store = try home.store()
    team = try store.create(name: "Home", owner: 1000, now: now)
    key = try Self.key.get()
  }

  private func backUp(
    _ store: TeamStore? = nil,
    by user: UInt32 = 1000,
    addresses: [String] = [],
    now: Int64 = now
  ) throws -> String {
    try (store ?? self.store).backUp(team.id, by: user, machine: "laptop", addresses: addresses, key: key, now: now)
  }

  private func open(_ text: String, in store: TeamStore? = nil) throws -> TeamBackup {
    try (store ?? self.store).open(BackupFile(text: text), with: key)
  }

  @discardableResult
  private func restore(_ text: String, in store: TeamStore, for user: UInt32 = 5, now: Int64 = now) throws -> Team {
    try store.restore(open(text, in: store), for: user, now: now)
  }

  /// Returns the backup with one member replaced or, if `value` is nil, removed.
  private func altered(_ text: String, _ member: String, _ value: JSON?) throws -> String {
    var members = try #require(JSON(parsing: open(text).bytes, depth: 4).object)
    #expect(value == nil || members[member] != value)
    members[member] = value
    return try BackupFile(sealing: JSON.object(members).bytes, with: key).text
  }

  /// Admits a machine, and returns its device ID.
  @discardableResult
  private func admit(_ name: String = "phone", by store: TeamStore? = nil) throws -> DeviceID {
    let store = store ?? self.store
    let (code, joiner) = (try store.invite(team.id, now: now).code, try Joiner())
    _ = try store.redeem(code.keys.identity, of: team.id, request: joiner.request, name: name, now: now)
    return try joiner.key.deviceID
  }

  // MARK: Complete backups

  @Test func anAdministratorIsBackAsItWas() throws {
    let (phone, tablet) = (try admit("phone"), try admit("tablet"))
    try store.revoke(phone, of: team.id, now: now)
    try store.revoke(tablet, of: team.id, now: now)
    let before = try store.team(team.id)
    let text = try backUp(addresses: ["nas.example:22866"], now: now + 7)
    #expect(try open(text).addresses == ["nas.example:22866"] && open(text).made == now + 7)
    #expect(try open(text).machine == "laptop")
    try restore(text, in: away.store())

    let restored = try away.store()
    let after = try restored.team(team.id)
    #expect(after.id == before.id && after.device == before.device && after.name == "Home" && after.owners == [5])
    #expect(after.created == before.created && after.expires == before.expires && after.isAdministrator)
    #expect(after.credentials.discoveryKey == before.credentials.discoveryKey)
    #expect(after.credentials.previousKeys == before.credentials.previousKeys)
    #expect(before.credentials.previousKeys.count == 2)
    #expect(after.credentials.revocations == before.credentials.revocations)
    #expect(try restored.devices(of: team.id) == store.devices(of: team.id))
    // The restored machine can admit devices, and devices that were removed stay out.
    let laptop = try admit("laptop", by: restored)
    #expect(try restored.devices(of: team.id).map(\.device) == [phone, tablet, laptop])
    try restored.revoke(laptop, of: team.id, now: now)
    #expect(try away.store().devices(of: team.id).allSatisfy { $0.revoked != nil })
  }

  @Test func aMemberIsBackAsItWasAndNoAdministrator() throws {
    let member = try TestDirectory().store()
    _ = try member.import(store.approve(member.request(owner: 5), in: team.id, now: now), owner: 5, now: now)
    let text = try backUp(member, by: 5)
    let restored = try restore(text, in: away.store())
    #expect(try restored.device == member.team(team.id).device && !restored.isAdministrator)
    #expect(throws: Reason.notAdministrator) { try away.store().invite(team.id, now: now) }
    #expect(!FileManager.default.fileExists(atPath: away.directory(of: team.id) + "/devices.json"))
  }

  @Test func codesAreNotBroughtBack() throws {
    let open = try store.invite(team.id, now: now).code
    let text = try backUp()
    let restored = try away.store()
    try restore(text, in: restored)
    #expect(throws: Reason.invitationUnknown) {
      try restored.redeem(open.keys.identity, of: team.id, request: Joiner().request, now: now)
    }
    #expect(try restored.invitationKey(of: team.id, identity: open.keys.identity) == nil)
    _ = try admit(by: restored)
  }

  @Test func aMachineWithAnotherStateKeySealsWithItsOwn() throws {
    let home = TestDirectory()
    let sealed = try TeamStore.open(directory: home.path, secrets: SecretFiles(key: [1]), now: now)
    let team = try sealed.create(name: "Home", owner: 1000, now: now)
    let text = try sealed.backUp(team.id, by: 1000, machine: "a", addresses: [], key: key, now: now)
    let secrets = SecretFiles(key: [2])
    try restore(text, in: TeamStore.open(directory: away.path, secrets: secrets, now: now))
    #expect(try TeamStore.open(directory: away.path, secrets: secrets, now: now).team(team.id).isAdministrator)
    #expect(try away.store().teams.isEmpty, "Its files are sealed")
  }

  @Test func filesAreForTheDaemonAlone() throws {
    _ = try admit()
    try restore(backUp(), in: away.store())
    #expect(away.modes.values.allSatisfy { $0 & 0o077 == 0 })
    #expect(try away.names(in: away.directory(of: team.id)) == home.names(in: home.directory(of: team.id)))
  }

  // MARK: Permission

  @Test func onlyTheOnlyOwnerAndRootBackUp() throws {
    let (joiner, code) = (try Joiner(), try store.invite(team.id, now: now).code)
    _ = try backUp(by: 0)
    #expect(throws: Reason.teamNotFound) { try backUp(by: 1001) }
    let joined = try joiner.redeem(code, of: team.id, at: store)
    _ = try store.complete(joined, key: joiner.key, nonce: joiner.nonce, code: code, owner: 1001, now: now)
    for user: UInt32 in [1000, 1001] { #expect(throws: Reason.notPermitted) { try backUp(by: user) } }
    // Root keeps the owners, even on another machine.
    let text = try backUp(by: 0)
    #expect(try restore(text, in: away.store(), for: 0).owners == [1000, 1001])
    #expect(try restore(text, in: TestDirectory().store(), for: 7).owners == [7])
  }

  /// The new team has the device key of the old one, which is the other's, too.
  @Test func aRenewedTeamIsBackedUpWhenTheOldOneIsNobodyElses() throws {
    let old = try store.add(owner: 1001, to: team)
    let renewed = try store.renew(old.id, user: 1001, now: now).team
    #expect(renewed.device == old.device && renewed.owners == [1001])
    func backUp(by user: UInt32) throws {
      _ = try store.backUp(renewed.id, by: user, machine: "laptop", addresses: [], key: key, now: now)
    }
    #expect(throws: Reason.notPermitted) { try backUp(by: 1001) }
    try backUp(by: 0)
    try store.leave(old.id, user: 1000)
    try backUp(by: 1001)
  }

  /// The machine is the same device in both.
  @Test func whatARestoredTeamReplacesIsLeftByItsUsers() throws {
    let member = try away.store()
    try restore(backUp(by: 0), in: member, for: 0)
    let renewed = try store.renew(team.id, user: 1000, now: now).team
    let text = try store.backUp(renewed.id, by: 0, machine: "laptop", addresses: [], key: key, now: now)
    try restore(text, in: member, for: 0)
    for store in [member, try away.store()] { #expect(store.teams.map(\.id) == [renewed.id]) }
  }

  /// Whoever makes a backup writes into it what he likes.
  @Test(arguments: [6, 0] as [UInt32]) func aBackupThatReplacesAnothersTeamTakesItFromNobody(user: UInt32) throws {
    let member = try away.store()
    let theirs = try member.create(name: "Theirs", owner: 5, now: now).id
    let claim = JSON.array([.string(Hexadecimal.encode(theirs.bytes))])
    let owners = JSON.array([5, 6])
    try restore(altered(altered(backUp(), "replaces", claim), "owners", owners), in: member, for: user)
    if user != 0 {
      let approval = try member.approve(member.request(owner: 5), in: team.id, now: now)
      _ = try member.import(approval, owner: 5, now: now)
    }
    for store in [member, try away.store()] {
      #expect(try store.team(team.id).owners == [5, 6] && store.team(team.id).replaces == [theirs])
      #expect(try store.team(theirs).owners == [5] && store.team(theirs).isAdministrator)
    }
  }

  @Test func aTeamThatIsThereStaysAsItIs() throws {
    let text = try backUp()
    try admit("phone")
    for user: UInt32 in [1000, 5, 0] {
      #expect(throws: Reason.alreadyMember) { try restore(text, in: store, for: user) }
    }
    #expect(try store.devices(of: team.id).count == 1 && store.team(team.id).owners == [1000])
    #expect(try store.check(open(text), for: 5, now: now).device == team.device, "To look is no harm")
    try store.leave(team.id, user: 1000)
    #expect(try restore(text, in: store).device == team.device)
  }

  @Test func aTeamThatCannotBeUsedIsNotOverwritten() throws {
    let text = try backUp()
    let path = home.directory(of: team.id)
    try home.write("garbage", to: path + "/device.key")
    let broken = try home.store()
    #expect(throws: Reason.storageFailed) { try restore(text, in: broken) }
    #expect(home.logged.last?.contains(path) == true)
    try FileManager.default.moveItem(atPath: path, toPath: home.path + "/aside")
    try restore(text, in: broken)
    #expect(try home.names(in: home.path + "/teams").count == 1)
  }

  @Test func thereAreSoManyTeamsAndNoMore() throws {
    let text = try backUp()
    let full = try away.store()
    for _ in 0..<Limits.teamShare.perUser { _ = try full.create(name: "Other", owner: 5, now: now) }
    #expect(throws: Reason.teamLimitReached) { try restore(text, in: full) }
    try full.leave(try #require(full.teams.first).id, user: 5)
    try restore(text, in: full)
  }

  // MARK: Content

  @Test func whoWasRemovedIsNotRestored() throws {
    let place = TestDirectory()
    let member = try place.store()
    _ = try member.import(store.approve(member.request(owner: 5), in: team.id, now: now), owner: 5, now: now)
    let before = try backUp(member, by: 5)
    try store.revoke(try member.team(team.id).device, of: team.id, now: now)
    let revocations = String(decoding: try #require(open(backUp()).revocations), as: UTF8.self)
    let after = try altered(before, "revocations", .string(revocations))
    #expect(throws: Reason.certificateRevoked) { try restore(after, in: away.store()) }
    // The machine knows that it was removed, so a backup would be useless.
    try place.write(revocations, to: place.directory(of: team.id) + "/revocations.json")
    #expect(throws: Reason.certificateRevoked) { try backUp(place.store(), by: 5) }
    // An earlier backup does not know of the removal, but the others refuse the machine.
    try restore(before, in: away.store())
  }

  @Test func certificatesThatAreOverAreNotRestored() throws {
    let text = try backUp()
    for time in [now + 11 * 365 * 86400, Authority.earliest - 3 * 86400] {
      #expect(throws: Reason.certificateExpired) { try restore(text, in: away.store(), now: time) }
      #expect(throws: Reason.certificateExpired) { try backUp(now: time) }
    }
  }

  @Test func whatIsWrongInsideIsRefused() throws {
    try admit()
    try store.revoke(try #require(store.devices(of: team.id).first).device, of: team.id, now: now)
    let text = try backUp()
    let strange = try TestDirectory().store().create(name: "Strange", owner: 0, now: now).credentials
    let device = try #require(JSON(parsing: open(text).bytes, depth: 4).object?["devices"]?.array?.first)
    let alterations: [(String, JSON?)] = [
      ("certificate", nil), ("certificate", "garbage"), ("certificate", .string(try strange.certificate.pem())),
      ("key", nil), ("key", .string(try strange.key.pem())), ("authority", nil), ("authority", "garbage"),
      ("authority", .string(try strange.authority.pem())),
      ("authority", .string(try team.credentials.authority.changedPEM())),
      ("authorityKey", .string(try strange.key.pem())),
      ("authorityKey", "garbage"), ("revocations", "{}"),
      ("revocations", .string(String(repeating: " ", count: RevocationFile.length + 1))), ("discoveryKey", "AA"),
      ("name", ""), ("name", "a\u{1b}b"), ("name", .string(String(repeating: "a", count: Limits.teamNameLength + 1))),
      ("owners", []), ("owners", [-1]), ("created", "yesterday"), ("created", -1),
      ("created", .integer(.max)), ("made", .integer(.max)), ("owners", .array((0...1024).map { .integer($0) })),
      ("certificate", .string(String(repeating: "\n", count: 9000) + (try team.credentials.certificate.pem()))),
      ("made", nil), ("machine", nil), ("addresses", [1]),
      ("devices", [[]]), ("devices", [["AA==", 1, ""]]), ("devices", [device, device]),
    ]
    for (member, value) in alterations {
      #expect(throws: Reason.backupInvalid, "\(member): \(String(describing: value))") {
        try restore(altered(text, member, value), in: away.store())
      }
    }
    // The certificate comes from an authority that did not sign it.
    let authority = try Authority.make(now: now)
    let other = try altered(altered(text, "revocations", nil), "authorityKey", .string(authority.key.pem()))
    #expect(throws: Reason.self) {
      try restore(altered(other, "authority", .string(authority.certificate.pem())), in: away.store())
    }
    #expect(try away.store().teams.isEmpty)
    #expect(try away.names(in: away.path + "/teams").isEmpty, "All of it or nothing")
    // What a later version adds does no harm.
    try restore(altered(text, "later", 1), in: away.store())
  }

  @Test func theLongestBackupFits() throws {
    let name = String(repeating: "\u{1}", count: Limits.deviceNameLength)
    let devices = try (0..<Limits.admittedDevices).map { index in
      let device = try #require(DeviceID(bytes: SystemRandom.bytes(32)))
      return AdmittedDevice(device: device, name: name, serial: SystemRandom.bytes(16), admitted: now + Int64(index))
    }
    // Remove one after the other, in a way that takes little time.
    for device in devices.prefix(Limits.revokedDevices) {
      try store.files(of: team).replace([device])
      try store.revoke(device.device, of: team.id, now: now)
    }
    try store.files(of: team).replace(devices)
    let addresses = (0..<Limits.staticPeers).map { "\(String(repeating: "a", count: 250)):\($0)" }
    let text = try backUp(addresses: addresses)
    #expect(text.utf8.count <= Limits.backupLength)
    #expect(RestoreMessage.longest(with: text) <= Limits.varlinkMessageLength)
    let longest = text + String(repeating: "A", count: Limits.backupLength - text.utf8.count)
    #expect(RestoreMessage.longest(with: longest) <= Limits.varlinkMessageLength)
    try restore(text, in: away.store())
    let restored = try away.store().devices(of: team.id)
    // Devices that were removed are in the list of removed devices.
    #expect(Set(restored.map(\.device)).isSuperset(of: devices.dropFirst(Limits.revokedDevices).map(\.device)))
    let revocations = try store.team(team.id).credentials.revocations
    #expect(try away.store().team(team.id).credentials.revocations == revocations)
  }

  @Test func aBackupOfAnOrdinaryTeamLeavesNothingOut() throws {
    for index in 0..<24 { try admit("machine-\(index).example.org") }
    for device in try store.devices(of: team.id).prefix(4) { try store.revoke(device.device, of: team.id, now: now) }
    try restore(backUp(), in: away.store())
    #expect(try away.store().devices(of: team.id) == store.devices(of: team.id))
  }
}

private enum RestoreMessage {
  /// Returns the length in bytes of a call that restores a backup, with a passphrase that takes the most bytes.
  static func longest(with text: String) -> Int {
    let passphrase = String(repeating: "\u{1}", count: Limits.passphraseLength)
    let parameters: JSON = ["backup": .string(text), "passphrase": .string(passphrase), "checkOnly": true]
    return JSON.object(["method": "io.baton.Handoff.RestoreTeam", "parameters": parameters]).bytes.count
  }
}
