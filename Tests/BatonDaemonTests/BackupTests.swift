// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import Teams
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon

extension DaemonTests {
  /// Backups, as programs request them from the daemon.
  struct BackupTests {
    @Test func aTeamIsBackOnAnotherMachine() throws {
      try withDaemons("alpha", "beta", "gamma", network: false) { machines, _ in
        let (alpha, beta, gamma) = (machines[0], machines[1], machines[2])
        let team = try alpha.createTeam()
        _ = try alpha.call(AddPeer.self, AddPeer.Parameters(address: "127.0.0.1:1"))
        let code = try alpha.invite()
        let backup = try alpha.backUp()
        #expect(backup.team == team)
        let checked = try beta.restore(backup.backup, checkOnly: true)
        #expect(checked.team == team && checked.device == "alpha" && checked.made <= Double(time(nil)))
        #expect(try beta.status().teams.isEmpty)
        try alpha.stop()

        #expect(try beta.restore(backup.backup) == checked)
        #expect(try beta.status().teams == [team])
        let named = try beta.call(ListStaticPeers.self, Nothing()).peers
        #expect(named.map(\.address) == ["127.0.0.1:1"])
        #expect(try reason { try gamma.join(code, at: beta) } == .invitationForeign)
        let newCode = try beta.invite()
        #expect(try reason { try gamma.join(code, at: beta) } == .invitationUnknown)
        #expect(try gamma.join(newCode, at: beta).id == team.id)
        try beta.waitForSessions(1)
        #expect(try reason { try beta.restore(backup.backup) } == .alreadyMember)
      }
    }

    @Test func whatDoesNotOpenChangesNothing() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let (alpha, beta) = (machines[0], machines[1])
        #expect(try reason { try alpha.backUp() } == .teamNotFound)
        _ = try alpha.createTeam()
        #expect(try reason { try alpha.backUp(passphrase: "too short") } == .passphraseTooShort)
        let backup = try alpha.backUp().backup
        #expect(try reason { try beta.restore(backup, passphrase: "another passphrase") } == .passphraseWrong)
        #expect(try reason { try beta.restore(String(backup.dropLast(9))) } == .backupInvalid)
        let later = backup.replacing("backup 1\n", with: "backup 2\n")
        #expect(try reason { try beta.restore(later) } == .versionMismatch)
        #expect(try beta.status().teams.isEmpty)
      }
    }

    /// Each key takes 64 MiB of memory, so they are made one at a time. One user must not keep the others waiting.
    @Test func keysAreMadeOneAtATimeAndOneForEachUser() throws {
      let results = Outcome<[UInt32]>()
      let users = (0..<UInt32(PassphraseQueue.passphrases)).map { $0 }
      try onLoop {
        let queue = PassphraseQueue()
        var done: [UInt32] = []
        for user in users {
          try queue.makeKey("passphrase", for: user) { result in
            #expect((try? result.get()) != nil)
            done.append(user)
            withExtendedLifetime(queue) {}
            // This has made room for another key of the same user.
            if user == 0 { #expect(throws: Never.self) { try queue.makeKey("passphrase", for: 0) { _ in } } }
            if done.count == users.count { results.set(.success(done)) }
          }
        }
        #expect(throws: Reason.limitReached) { try queue.makeKey("passphrase", for: 99) { _ in } }
      }
      #expect(try results.wait() == users)
      try onLoop {
        let queue = PassphraseQueue()
        try queue.makeKey("passphrase", for: 7) { _ in }
        #expect(throws: Reason.limitReached) { try queue.makeKey("passphrase", for: 7) { _ in } }
        try queue.makeKey("passphrase", for: 8) { _ in }
      }
    }

    @Test func theLoopGoesOnMeanwhile() throws {
      let order = Outcome<[String]>()
      try onLoop {
        let queue = PassphraseQueue()
        var seen: [String] = []
        try queue.makeKey("passphrase", for: 7) { _ in
          seen.append("key")
          order.set(.success(seen))
          withExtendedLifetime(queue) {}
        }
        Task { @Loop in seen.append("other") }
      }
      #expect(try order.wait() == ["other", "key"])
    }
  }
}

extension DaemonFixture {
  fileprivate static var passphrase: String { "correct horse battery" }

  @discardableResult
  fileprivate func backUp(passphrase: String = passphrase) throws -> BackUpTeam.Reply {
    try call(BackUpTeam.self, BackUpTeam.Parameters(passphrase: passphrase))
  }

  @discardableResult
  fileprivate func restore(
    _ backup: String,
    passphrase: String = passphrase,
    checkOnly: Bool = false
  ) throws -> RestoreTeam.Reply {
    let parameters = RestoreTeam.Parameters(backup: backup, passphrase: passphrase, checkOnly: checkOnly)
    return try call(RestoreTeam.self, parameters)
  }
}
