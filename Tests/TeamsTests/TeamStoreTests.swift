// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import TLS
import Testing

@testable import Teams

@Suite struct TeamStoreTests {
  private let directory = TestDirectory()

  @Test func aTeamIsThereAfterARestart() throws {
    let team = try directory.store().create(name: "Home", owner: 1000, now: now)
    let loaded = try directory.store().team(team.id)
    #expect(loaded.name == "Home" && loaded.owners == [1000] && loaded.isAdministrator && loaded.created == now)
    #expect(loaded.device == team.device && loaded.credentials.discoveryKey == team.credentials.discoveryKey)
    #expect(loaded.expires == now + 365 * 86400 && loaded.credentials.certificate.isAdministrator)
    try loaded.credentials.certificate.verify(under: loaded.credentials.authority, now: now)
  }

  @Test func secretsAreTheirOwnersAlone() throws {
    let old = umask(0)
    defer { umask(old) }
    let store = try directory.store()
    let team = try store.create(name: "Home", owner: 1000, now: now)
    _ = try store.invite(team.id, now: now)
    _ = try store.request(owner: 1000)
    let modes = directory.modes
    #expect(modes.count > 10)
    for (name, mode) in modes {
      let isFile = [".pem", ".key", ".json"].contains { name.hasSuffix($0) }
      #expect(mode == (isFile ? 0o600 : 0o700), "\(name): \(String(mode, radix: 8))")
    }
  }

  @Test func usersSeeTheirOwnTeams() throws {
    let store = try directory.store()
    let first = try store.create(name: "First", owner: 1000, now: now)
    let second = try store.create(name: "Second", owner: 1001, now: now + 1)
    for store in [store, try directory.store()] {
      #expect(store.teams(of: 1000).map(\.id) == [first.id])
      #expect(store.teams(of: 1001).map(\.id) == [second.id])
      #expect(store.teams(of: 1002).isEmpty)
      #expect(store.teams(of: 0).map(\.id) == [first.id, second.id])
    }
  }

  @Test(arguments: ["", String(repeating: "a", count: 64), "a\nb", "\u{1b}[31m", "a\u{202e}b"])
  func oddNamesAreRefused(_ name: String) throws {
    let store = try directory.store()
    #expect(throws: Reason.teamNameInvalid) { try store.create(name: name, owner: 0, now: now) }
    #expect(store.teams.isEmpty)
  }

  @Test func thereAreSoManyTeamsAndNoMore() throws {
    let store = try directory.store()
    for _ in 0..<Limits.teams {
      _ = try store.create(name: String(repeating: "é", count: Limits.teamNameLength / 2), owner: 0, now: now)
    }
    #expect(throws: Reason.teamLimitReached) { try store.create(name: "One more", owner: 0, now: now) }
    #expect(try directory.names(in: directory.path + "/teams").count == Limits.teams)
  }

  @Test func noUserTakesTheTeamsOfTheOthers() throws {
    let store = try directory.store()
    for _ in 0..<Limits.teamShare.perUser { _ = try store.create(name: "Mine", owner: 1000, now: now) }
    #expect(throws: Reason.teamLimitReached) { try store.create(name: "One more", owner: 1000, now: now) }
    #expect(throws: Never.self) { try store.create(name: "Other", owner: 1001, now: now) }
  }

  @Test func whoLeavesTakesNothingFromTheOthers() throws {
    let store = try directory.store()
    let team = try store.add(owner: 1001, to: store.create(name: "Home", owner: 1000, now: now))
    #expect(throws: Reason.teamNotFound) { try store.leave(team.id, user: 1002) }
    try store.leave(team.id, user: 1001)
    #expect(throws: Reason.teamNotFound) { try store.leave(team.id, user: 1001) }
    let kept = try #require(try directory.store().teams.first)
    #expect(kept.owners == [1000])
    #expect(kept.isAdministrator)
    try store.leave(team.id, user: 1000)
    #expect(store.teams.isEmpty)
  }

  @Test func whatRootLeavesIsForgottenForAll() throws {
    let store = try directory.store()
    let team = try store.add(owner: 1001, to: store.create(name: "Home", owner: 1000, now: now))
    try store.leave(team.id, user: 0)
    #expect(try directory.store().teams.isEmpty)
  }

  @Test func leavingForgetsAll() throws {
    let store = try directory.store()
    let (gone, kept) = (
      try store.create(name: "Gone", owner: 0, now: now), try store.create(name: "Kept", owner: 0, now: now)
    )
    _ = try store.invite(gone.id, now: now)
    try store.leave(gone.id, user: 0)
    #expect(throws: Reason.teamNotFound) { try store.leave(gone.id, user: 0) }
    #expect(throws: Reason.teamNotFound) { try store.invite(gone.id, now: now) }
    #expect(try directory.names(in: directory.path + "/teams") == [Hexadecimal.encode(kept.id.bytes)])
    #expect(try directory.store().teams.map(\.id) == [kept.id])
  }

  /// A daemon was killed while it created a team, wrote a file or left a team.
  @Test func whatACrashLeftBehindDoesNotMatter() throws {
    let team = try directory.store().create(name: "Home", owner: 0, now: now)
    let teams = directory.path + "/teams"
    let files = directory.directory(of: team.id)
    let half = "\(teams)/.new-0123"
    try FileManager.default.createDirectory(atPath: half, withIntermediateDirectories: false)
    try directory.write("half", to: half + "/ca.key")
    var leftovers = [half, directory.path + "/epoch.new"]
    leftovers += [directory.path, files, files + "/invitations", directory.path + "/pending"].map { "\($0)/.new-4567" }
    for path in leftovers.dropFirst() { try directory.write("half", to: path) }
    let store = try directory.store()
    #expect(store.teams.map(\.id) == [team.id] && directory.logged.isEmpty)
    for path in leftovers { #expect(!FileManager.default.fileExists(atPath: path), "\(path)") }
    _ = try store.invite(team.id, now: now)
  }

  @Test(arguments: ["ca.pem", "device.pem", "device.key", "discovery.key", "team.json"], ["", "{}", "garbage", nil])
  func aBrokenTeamIsNamedAndTheOthersLoad(file: String, content: String?) throws {
    let store = try directory.store()
    let (broken, good) = (
      try store.create(name: "Broken", owner: 0, now: now), try store.create(name: "Good", owner: 0, now: now)
    )
    let path = directory.directory(of: broken.id) + "/" + file
    if let content { try directory.write(content, to: path) } else { try FileManager.default.removeItem(atPath: path) }
    #expect(try directory.store().teams.map(\.id) == [good.id])
    #expect(directory.logged.count == 1)
    #expect(directory.logged.first?.contains(path) == true, "\(directory.logged)")
  }

  @Test func aTeamUnderAnotherNameIsNotTaken() throws {
    let team = try directory.store().create(name: "Home", owner: 0, now: now)
    let other = String(repeating: "0", count: 64)
    try FileManager.default.moveItem(
      atPath: directory.directory(of: team.id),
      toPath: directory.path + "/teams/" + other
    )
    #expect(try directory.store().teams.isEmpty)
    #expect(directory.logged.count == 1)
  }

  @Test func brokenInvitationsHinderNobody() throws {
    let team = try directory.store().create(name: "Home", owner: 0, now: now)
    let invitations = directory.directory(of: team.id) + "/invitations"
    try FileManager.default.removeItem(atPath: invitations)
    try directory.write("a file", to: invitations)
    let store = try directory.store()
    #expect(store.teams.count == 1)
    #expect(throws: Reason.storageFailed) { try store.invite(team.id, now: now) }
    #expect(directory.logged.contains { $0.contains("invitations") }, "\(directory.logged)")
  }

  @Test func aDirectoryThatCannotBeMadeIsSaid() throws {
    let file = directory.path
    try "a file".write(toFile: file, atomically: false, encoding: .utf8)
    #expect(throws: Reason.storageFailed) { try directory.store() }
    #expect(directory.logged.first?.contains(file) == true)
  }
}
