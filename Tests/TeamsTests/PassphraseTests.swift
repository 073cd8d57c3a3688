// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import TLS
import Testing

@testable import Teams

/// A team's key that is sealed with a passphrase.
@Suite struct PassphraseTests {
  private let home = TestDirectory()
  private let away = TestDirectory()
  private let clock = Uptime()
  private let key: PassphraseKey
  private let store: TeamStore
  private let team: TeamID

  final class Uptime { var seconds: Int64 = 100 }

  init() throws {
    key = try PassphraseKey(passphrase: "correct horse battery")
    let clock = clock
    store = try TeamStore.open(directory: home.path, now: now, uptime: { clock.seconds }, boot: "b")
    team = try store.create(name: "Home", owner: 5, key: key, now: now).id
  }

  private func again(now: Int64 = now) throws -> TeamStore {
    let clock = clock
    return try TeamStore.open(directory: home.path, now: now, uptime: { clock.seconds }, boot: "b")
  }

  private func file() throws -> String {
    try String(contentsOfFile: home.directory(of: team) + "/ca.key", encoding: .utf8)
  }

  @Test func theKeyIsNotOnTheDiskWithoutIt() throws {
    #expect(try !file().contains("PRIVATE KEY") && file().contains("\"salt\""))
    let again = try again()
    #expect(try again.team(team).administration == .sealed && again.isLocked(again.team(team)))
    #expect(again.damage(for: 0).isEmpty)
    #expect(throws: Reason.passphraseNeeded) { try again.checkKey(of: team, for: 5) }
    let salt = try #require(try again.salt(of: team))
    let wrong = try PassphraseKey(passphrase: "correct horse batter", salt: salt)
    #expect(throws: Reason.passphraseWrong) { try again.unlock(team, with: wrong, user: 5, now: now) }
    try again.unlock(team, with: PassphraseKey(passphrase: "correct horse battery", salt: salt), user: 5, now: now)
    try again.checkKey(of: team, for: 5)
    _ = try again.approve(Joiner().request, in: team, now: now)
  }

  @Test func whatTakesTheKeyWaitsForIt() throws {
    let device = try Joiner()
    _ = try store.approve(device.request, in: team, now: now)
    let code = try store.invite(team, now: now).code
    let member = try away.store()
    _ = try member.import(store.approve(member.request(owner: 1), in: team, now: now), owner: 1, now: now)
    let again = try again()
    #expect(throws: Reason.passphraseNeeded) { try again.invite(team, now: now) }
    #expect(throws: Reason.passphraseNeeded) { try again.approve(Joiner().request, in: team, now: now) }
    #expect(throws: Reason.passphraseNeeded) { try again.revoke(device.key.deviceID, of: team, now: now) }
    let certificate = try member.team(team).credentials.certificate
    #expect(throws: Reason.passphraseNeeded) { try again.promote(certificate, in: team, now: now) }
    #expect(throws: Reason.passphraseNeeded) { try again.renew(certificate, in: team, now: now + 300 * 86_400) }
    #expect(throws: Reason.passphraseNeeded) { try again.setPassphrase(nil, of: team, by: 5) }
    // This does not use up a code, and machines can still ask.
    #expect(try again.invitationKey(of: team, identity: code.keys.identity) != nil)
    for reason in [Reason.passphraseNeeded, nil] {
      let request = try Joiner().request
      if let reason {
        #expect(throws: reason) { try again.redeem(code.keys.identity, of: team, request: request, now: now) }
        try again.unlock(team, with: key, user: 5, now: now)
      } else {
        _ = try again.redeem(code.keys.identity, of: team, request: request, now: now)
      }
    }
    try again.revoke(device.key.deviceID, of: team, now: now)
    #expect(try again.renew(certificate, in: team, now: now + 300 * 86_400) != nil)
  }

  @Test func itIsOpenForAWhile() throws {
    #expect(store.lock() == 900)
    clock.seconds += 800
    _ = try store.invite(team, now: now)
    #expect(store.lock() == 900, "A code that was given out needs it")
    clock.seconds += 899
    try store.checkKey(of: team, for: 5)
    clock.seconds += 1
    #expect(throws: Reason.passphraseNeeded) { try store.checkKey(of: team, for: 5) }
    #expect(throws: Reason.passphraseNeeded) { try store.invite(team, now: now) }
    #expect(store.lock() == nil && store.openedKeys.isEmpty, "It is not in memory any more")
  }

  @Test func itIsOpenForWhoKnowsIt() throws {
    #expect(throws: Reason.passphraseNeeded) { try store.checkKey(of: team, for: 6) }
    try store.checkKey(of: team, for: 0)
    try store.unlock(team, with: key, user: 6, now: now)
    try store.checkKey(of: team, for: 6)
  }

  @Test func itCanBeChangedAndTakenAway() throws {
    let sealed = try file()
    let other = try PassphraseKey(passphrase: "another one altogether")
    try store.setPassphrase(other, of: team, by: 5)
    #expect(try file() != sealed)
    let again = try again()
    #expect(throws: Reason.passphraseWrong) { try again.unlock(team, with: key, user: 5, now: now) }
    try again.unlock(team, with: other, user: 5, now: now)
    #expect(throws: Reason.passphraseNeeded) { try again.setPassphrase(nil, of: team, by: 6) }
    try again.setPassphrase(nil, of: team, by: 5)
    #expect(try again.team(team).administration == .here && file().contains("PRIVATE KEY"))
    #expect(try again.salt(of: team) == nil && again.openedKeys.isEmpty)
    try again.unlock(team, with: key, user: 5, now: now)
    try again.setPassphrase(key, of: team, by: 5)
    try again.checkKey(of: team, for: 5)
    #expect(try self.again().team(team).administration == .sealed)
  }

  @Test func aSealedKeyOfAnotherTeamIsNone() throws {
    let strange = try Authority.make(now: now)
    let own = try store.team(team).credentials.authority
    let theirs = try SealedAuthorityKey(strange, with: key)
    #expect(try theirs.open(with: key, for: own) == nil && theirs.open(with: key, for: strange.certificate) != nil)
    for text in ["", "{", "{}", "[]", #"{"salt":"AA==","sealed":"AA=="}"#, String(repeating: " ", count: 5000)] {
      #expect(AuthorityKey(text: text) == nil)
      try home.write(text, to: home.directory(of: team) + "/ca.key")
      #expect(try again().damage(for: 0).count == 1)
    }
    try home.write(theirs.text, to: home.directory(of: team) + "/ca.key")
    let again = try again()
    #expect(throws: Reason.passphraseWrong) { try again.unlock(team, with: key, user: 5, now: now) }
  }

  /// Unlocking makes up for what had to wait while the key was locked.
  @Test func unlockingMakesUpForWhatWaited() throws {
    let (phone, tablet) = (try Joiner(), try Joiner())
    for device in [phone, tablet] { _ = try store.approve(device.request, in: team, now: now) }
    try home.backUp()
    try store.revoke(phone.key.deviceID, of: team, now: now)
    let list = try #require(try store.team(team).credentials.revocations.newest)
    // After its state is restored, it removes another device.
    let other = try home.restore()
    try other.unlock(team, with: key, user: 5, now: now)
    try other.revoke(tablet.key.deviceID, of: team, now: now)
    let later = try again(now: now + 300 * 86_400)
    _ = try later.take(list.list.der, discoveryKey: list.discoveryKey, of: team, now: now)
    let held = try later.team(team).credentials
    #expect(held.revocations.all.count == 2 && held.certificate.isDue(now: now + 300 * 86_400))
    try later.unlock(team, with: key, user: 5, now: now + 300 * 86_400)
    let after = try later.team(team).credentials
    #expect(after.revocations.all.count == 1 && after.revocations.entries.count == 2)
    #expect(!after.certificate.isDue(now: now + 300 * 86_400) && after.certificate.isAdministrator)
  }

  @Test func thePassphraseGoesWithTheKey() throws {
    let member = try away.store()
    _ = try member.import(store.approve(member.request(owner: 1), in: team, now: now), owner: 1, now: now)
    let promotion = try store.promote(member.team(team).credentials.certificate, in: team, now: now)
    #expect(!promotion.authorityKey.contains("PRIVATE KEY"))
    #expect(try member.accept(promotion, in: team, now: now))
    #expect(try member.team(team).administration == .sealed && member.isLocked(member.team(team)))
    try member.unlock(team, with: key, user: 1, now: now)
    _ = try member.invite(team, now: now)
  }

  @Test func aBackupHasTheKeySealed() throws {
    let seal = try PassphraseKey(passphrase: "of the backup alone")
    let again = try again()
    let text = try again.backUp(team, by: 5, machine: "m", addresses: [], key: seal, now: now)
    let store = try away.store()
    let backup = try store.open(BackupFile(text: text), with: seal)
    #expect(try #require(backup.authorityKey).contains("PRIVATE KEY") == false)
    let restored = try store.restore(backup, for: 5, now: now)
    #expect(restored.administration == .sealed)
    try store.unlock(team, with: key, user: 5, now: now)
    _ = try store.invite(team, now: now)
  }

  @Test func aRenewedTeamsKeyMayHaveOneAtOnce() throws {
    let renewed = try store.renew(team, user: 5, key: key, now: now)
    #expect(renewed.team.administration == .sealed)
    clock.seconds += 3599
    try store.checkKey(of: renewed.team.id, for: 5)
    clock.seconds += 1
    #expect(store.isLocked(renewed.team))
    #expect(try store.renew(renewed.team.id, user: 5, now: now).team.administration == .here)
  }
}
