// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import Glibc
import JSONCoding
import TLS
import Testing

@testable import Teams

/// Files in the state directory that are not as they must be.
@Suite struct DamageTests {
  private let directory = TestDirectory()
  private let team: Team
  private var files: String { directory.directory(of: team.id) }

  init() throws { team = try directory.store().create(name: "Home", owner: 1000, now: now) }

  private static let names = [
    "ca.pem", "ca.key", "device.key", "device.pem", "discovery.key", "team.json", "revocations.json", "devices.json",
  ]

  /// Admits and removes a device, so that the team has all the files that a test damages.
  private func revokeOne() throws {
    let store = try directory.store()
    let joiner = try Joiner()
    _ = try store.approve(joiner.request, in: team.id, now: now)
    try store.revoke(try #require(store.devices(of: team.id).first).device, of: team.id, now: now)
  }

  @Test(arguments: names, OddFile.allCases)
  func whatIsNoFileIsNamedAndHangsNothing(_ name: String, _ odd: OddFile) throws {
    try revokeOne()
    let other = try directory.store().create(name: "Other", owner: 1000, now: now)
    let path = "\(files)/\(name)"
    try FileManager.default.removeItem(atPath: path)
    try odd.make(path)
    let before = directory.logged.count
    let store = try directory.store()
    #expect(store.teams.contains { $0.id == other.id })
    switch name {
    case "ca.key":
      // The machine stays a member.
      #expect(store.teams.count == 2)
      #expect(throws: Reason.storageFailed) { try store.invite(team.id, now: now) }
    case "devices.json": #expect(throws: Reason.storageFailed) { try store.devices(of: team.id) }
    // The revocation list contains the key that belongs to it.
    case "discovery.key": #expect(store.teams.count == 2)
    default: #expect(store.teams.count == 1 && store.unusable.map(\.id) == [team.id])
    }
    #expect(directory.logged.dropFirst(before).contains { $0.contains(path) }, "\(directory.logged)")
    // Nothing has been put in the file's place.
    #expect(throws: (any Error).self) { try Files.read(path, limit: 1 << 20) }
  }

  /// If a bit flips, a key becomes another key, and a certificate says something else. Then the machine would meet
  /// nobody, and nobody would say why.
  @Test(arguments: ["ca.pem", "device.pem", "device.key"])
  func whatFitsNoMoreIsNamed(_ name: String) throws {
    let path = "\(files)/\(name)"
    let content = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let lines = content.split(separator: UInt8(ascii: "\n"))
    let head = try #require(lines.first).count + 1
    for offset in head..<(head + lines.dropFirst().dropLast().joined().count) {
      var changed = content
      // This makes another base64 digit, or something that is not one.
      changed[offset] ^= 1
      try Data(changed).write(to: URL(fileURLWithPath: path))
      let before = directory.logged.count
      let store = try directory.store()
      guard store.teams.isEmpty else {
        // Bits that only pad the encoding, and line ends, do not matter.
        #expect(try store.team(team.id).credentials.isSame(as: team.credentials), "byte \(offset)")
        continue
      }
      #expect(directory.logged.dropFirst(before).contains { $0.contains(path) }, "byte \(offset): \(directory.logged)")
    }
  }

  @Test func aListThatCannotBeLookedForIsNotMissing() throws {
    try revokeOne()
    let path = files + "/revocations.json"
    try FileManager.default.removeItem(atPath: path)
    try OddFile.danglingLink.make(path)
    let store = try directory.store()
    #expect(store.teams.isEmpty && store.unusable.first?.fault.contains(path) == true)
  }

  @Test(arguments: ["", "garbage", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
  func anUnusableTeamKeyBurnsNoCode(_ content: String) throws {
    let store = try directory.store()
    let code = try store.invite(team.id, now: now).code
    let path = files + "/ca.key"
    let key = try Data(contentsOf: URL(fileURLWithPath: path))
    try directory.write(content, to: path)
    // The result is the same before and after a restart.
    for store in [store, try directory.store()] {
      #expect(throws: Reason.storageFailed) { try store.invite(team.id, now: now) }
      #expect(throws: Reason.storageFailed) {
        try store.redeem(code.keys.identity, of: team.id, request: Joiner().request, now: now)
      }
      #expect(store.teams.map(\.id) == [team.id])
    }
    #expect(try directory.store().joinable.isEmpty)
    #expect(directory.logged.contains { $0.contains(path) })
    try key.write(to: URL(fileURLWithPath: path))
    _ = try directory.store().redeem(code.keys.identity, of: team.id, request: Joiner().request, now: now)
  }

  @Test func anUnreadableInvitationIsSetAside() throws {
    let store = try directory.store()
    let code = try store.invite(team.id, now: now).code
    let path = Invitation.Paths(identity: code.keys.identity, in: store.files(of: team)).open
    try directory.write("{", to: path)
    let before = directory.logged.count
    _ = try directory.store()
    #expect(directory.logged.dropFirst(before).contains { $0.contains(path) }, "\(directory.logged)")
    #expect(try String(contentsOfFile: path + ".unreadable-1", encoding: .utf8) == "{")
    // The file that was set aside does not count, and is not reported again.
    let again = directory.logged.count
    _ = try directory.store()
    #expect(directory.logged.count == again)
  }

  @Test func aTeamWhoseDirectoryIsGoneHasNotJustNoDevices() throws {
    let store = try directory.store()
    let joiner = try Joiner()
    _ = try store.approve(joiner.request, in: team.id, now: now)
    let device = try #require(store.devices(of: team.id).first).device
    try FileManager.default.moveItem(atPath: files, toPath: directory.path + "/elsewhere")
    #expect(throws: Reason.storageFailed) { try store.devices(of: team.id) }
    #expect(throws: Reason.storageFailed) { try store.revoke(device, of: team.id, now: now) }
  }

  @Test(.enabled(if: geteuid() == 0)) func whatBelongsToAnotherIsNotRead() throws {
    chown(files + "/device.key", 1234, 0)
    #expect(try directory.store().teams.isEmpty)
    #expect(directory.logged.contains { $0.contains("device.key") && $0.contains("1234") }, "\(directory.logged)")
  }

  @Test func whatIsTooLongIsNotRead() throws {
    truncate(files + "/team.json", 1 << 40)
    #expect(try directory.store().teams.isEmpty)
    #expect(directory.logged.contains { $0.contains("team.json") }, "\(directory.logged)")
  }

  /// Each key is tried with every stranger's greeting.
  @Test(arguments: [
    [String](repeating: Base64.encode([UInt8](repeating: 1, count: 32)), count: Limits.previousDiscoveryKeys + 1), [""],
  ])
  func keysThatNoDaemonKeepsMakeTheListDamaged(_ keys: [String]) throws {
    try revokeOne()
    let path = files + "/revocations.json"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var members = try #require(JSON(parsing: Array(bytes), depth: 4).object)
    members["previousKeys"] = .array(keys.map(JSON.string))
    try Data(JSON.object(members).bytes).write(to: URL(fileURLWithPath: path))
    let store = try directory.store()
    #expect(store.teams.isEmpty && store.unusable.first?.fault.contains(path) == true)
  }
}

extension Credentials {
  fileprivate func isSame(as other: Credentials) throws -> Bool {
    try authority.der() == other.authority.der() && certificate.der() == other.certificate.der()
      && key.publicKeyHash == other.key.publicKeyHash
  }
}
