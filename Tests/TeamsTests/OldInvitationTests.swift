// SPDX-License-Identifier: Apache-2.0

import Activity
import ChildProcess
import Foundation
import TLS
import Testing

@testable import Teams

/// Codes after a backup was restored, and codes under clocks that are wrong.
@Suite struct OldInvitationTests {
  private let directory = TestDirectory()
  private let team: TeamID
  private let time = Limits.invitationTime.components.seconds

  init() throws { team = try directory.store().create(name: "Home", owner: 1000, now: now).id }

  private func store(uptime: @escaping () -> Int64) throws -> TeamStore {
    try TeamStore.open(directory: directory.path, now: now, uptime: uptime)
  }

  private func redeem(_ code: InvitationCode, at time: Int64 = now, in store: TeamStore) throws {
    _ = try store.redeem(code.keys.identity, of: team, request: Joiner().request, now: time)
  }

  private func run(_ command: String) throws {
    #expect(try ChildProcess(["/bin/sh", "-ec", command]).waitUntilExit() == 0)
  }

  @Test(arguments: ["tar", "cp -a", "cp -al"]) func aUsedCodeIsNotUsableAfterARestore(_ way: String) throws {
    let (state, backup) = (directory.path, directory.path + ".backup")
    defer { try? FileManager.default.removeItem(atPath: backup) }
    let store = try directory.store()
    let (used, unused) = (try store.invite(team, now: now).code, try store.invite(team, now: now).code)
    try run(way == "tar" ? "tar -C \(state) -cf \(backup) ." : "\(way) \(state) \(backup)")
    try redeem(used, in: store)
    try run("rm -rf \(state)")
    try run(way == "tar" ? "mkdir \(state) && tar -C \(state) -xpf \(backup)" : "\(way) \(backup) \(state)")
    let restored = try directory.store()
    #expect(throws: Reason.invitationExpired) { try redeem(used, in: restored) }
    // A copy made of links contains the same files, so a code that was not used before the copy is still valid.
    if way != "cp -al" { #expect(throws: Reason.invitationExpired) { try redeem(unused, in: restored) } }
    try redeem(restored.invite(team, now: now).code, in: restored)
  }

  @Test func aCodeOutlivesARestart() throws {
    let code = try directory.store().invite(team, now: now).code
    try redeem(code, in: directory.store())
  }

  @Test func aClockThatGoesBackRevivesNoCode() throws {
    var uptime: Int64 = 5000
    let store = try store { uptime }
    let (seen, unseen) = (try store.invite(team, now: now).code, try store.invite(team, now: now).code)
    uptime += time
    #expect(throws: Reason.invitationExpired) { try redeem(seen, at: now + time, in: store) }
    #expect(throws: Reason.invitationExpired) { try redeem(unseen, at: now - time, in: store) }
    // A code that was seen to be expired stays expired.
    uptime -= time
    #expect(throws: Reason.invitationExpired) { try redeem(seen, at: now, in: store) }
    #expect(throws: Reason.invitationExpired) { try redeem(unseen, at: now, in: store) }
  }

  @Test func aClockThatIsSetRightTakesNoCode() throws {
    let store = try directory.store()
    let code = try store.invite(team, now: now).code
    try redeem(code, at: now - 3600, in: store)
  }

  /// This holds no matter what the clocks show then.
  @Test(arguments: [60, 5000, 5100]) func aCodeEndsWithARestartOfTheMachine(_ uptime: Int64) throws {
    let code = try store { 5000 }.invite(team, now: now).code
    let again = try TeamStore.open(directory: directory.path, now: now, uptime: { uptime }, boot: "another")
    #expect(throws: Reason.invitationExpired) { try redeem(code, in: again) }
  }

  @Test(arguments: [
    #"{"expires":9223372036854775807,"key":"K"}"#, #"{"expires":-1,"key":"K"}"#, #"{"expires":5,"key":""}"#,
    #"{"expires":5,"key":"K","uptime":-9223372036854775808}"#,
  ])
  func whatNoDaemonHasWrittenIsSetAside(_ text: String) throws {
    let key = Base64.encode([UInt8](repeating: 1, count: 32))
    let path = directory.directory(of: team) + "/invitations/00.used"
    try directory.write(text.replacing("K", with: key), to: path)
    _ = try directory.store()
    #expect(try directory.names(in: directory.directory(of: team) + "/invitations") == ["00.used.unreadable-1"])
  }
}
