// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import Handoff
import JSONCoding
import TLS
import Testing

@testable import Teams

/// The files that say where teams meet: damaged ones, sealed ones, and backups.
@Suite struct RendezvousFilesTests {
  private let home = TestDirectory()
  private let key = [UInt8](repeating: 7, count: 32)
  private let otherKey = [UInt8](repeating: 8, count: 32)

  private func store(_ key: [UInt8]? = nil, previous: [UInt8]? = nil) throws -> TeamStore {
    try TeamStore.open(directory: home.path, secrets: SecretFiles(key: key, previousKey: previous), now: now)
  }

  private var server: ServerAddress { get throws { try #require(ServerAddress("a.example.org")) } }

  /// A team with servers of its own, and an organization's servers, of one machine.
  private func fill(_ store: TeamStore) throws -> Team {
    let team = try store.create(name: "Home", owner: 1000, now: now)
    _ = try store.createRendezvous([server], relays: [], of: team.id, now: now)
    _ = try store.createRendezvousOperator("Work", [server], relays: [], owner: 1000, now: now)
    return try store.team(team.id)
  }

  private func operators(of store: TeamStore) throws -> [RendezvousOperator] {
    try store.rendezvousOperators(of: 1000)
  }

  private func content(_ name: String) throws -> Data {
    try #require(FileManager.default.contents(atPath: "\(home.path)/\(name)"))
  }

  private func path(of team: Team) -> String { "teams/\(Hexadecimal.encode(team.id.bytes))/rendezvous.json" }

  // MARK: Damage

  @Test(arguments: ["", "{", "{}", #"{"version":-1}"#, #"{"version":1,"servers":[7]}"#, "null", "\u{0}"])
  func aTeamIsUsedWithoutADamagedFile(_ text: String) throws {
    let team = try fill(store())
    let access = try #require(team.rendezvous)
    try home.write(text, to: "\(home.path)/\(path(of: team))")
    let again = try store()
    #expect(try again.team(team.id).rendezvous == nil && again.unusable.isEmpty)
    #expect(try again.take(access, of: team.id) && store().team(team.id).rendezvous == access)
  }

  @Test(arguments: ["", "{", #"{"operators":[{}]}"#, #"{"operators":7}"#])
  func whatCannotBeReadIsNotReplaced(_ text: String) throws {
    let store = try store()
    let team = try fill(store)
    try home.write(text, to: "\(home.path)/operators.json")
    #expect(throws: Reason.storageFailed) { try operators(of: store) }
    #expect(throws: Reason.storageFailed) {
      try store.createRendezvousOperator("Other", [server], relays: [], owner: 1000, now: now)
    }
    let request = try store.requestRendezvous(of: team.id, replaces: true, now: now)
    #expect(throws: Reason.storageFailed) { try store.authorizeRendezvous(request, as: nil, by: 1000, now: now) }
    #expect(try content("operators.json") == Data(text.utf8))
    #expect(try self.store().teams.count == 1)
  }

  /// Earlier versions kept addresses in a DNS zone, alone or beside servers.
  @Test(arguments: [nil, [UInt8](repeating: 7, count: 32)])
  func theKeyOfAZoneIsDeleted(_ key: [UInt8]?) throws {
    let team = try fill(store(key))
    let access = try #require(team.rendezvous)
    let secrets = SecretFiles(key: key).begun(in: home.path, beside: [])
    let file = "\(home.path)/\(path(of: team))"
    let zone: JSON = [
      "name": "z.example", "server": "ns.example:53", "keyName": "k", "key": "AAECAwQFBgcICQoLDA0ODw==",
    ]
    for access in [access, RendezvousAccess(version: 7)] {
      var members = try #require(access.json.object)
      members["zone"] = zone
      try secrets.write(JSON.object(members).bytes, to: file, in: home.path)
      #expect(try store(key).team(team.id).rendezvous == access)
      #expect(try secrets.read(file, limit: Limits.rendezvousFileLength) == access.json.bytes)
    }
  }

  // MARK: Sealed

  @Test func withAKeyNoSecretIsOnTheDisk() throws {
    let team = try fill(store(key))
    let account = try #require(team.rendezvous?.account)
    let own = try #require(try operators(of: store(key)).first).keys
    let seeds = [account.seed, try #require(account.operator).seed, own.seed, own.system]
    for name in [path(of: team), "operators.json"] {
      let content = try content(name)
      #expect(content.starts(with: "baton sealed 2\n".utf8))
      for seed in seeds { #expect(content.range(of: Data(Base64.encode(seed).utf8)) == nil) }
      #expect(home.modes[name] == 0o600)
    }
    #expect(try store(key).team(team.id).rendezvous == team.rendezvous)
  }

  @Test func theKeyIsReplacedAndTakenAway() throws {
    let team = try fill(store())
    let own = try operators(of: store())
    func check(_ key: [UInt8]?, previous: [UInt8]?) throws {
      _ = try store(key, previous: previous)
      // The previous key is gone from now on.
      let again = try store(key)
      #expect(try again.team(team.id).rendezvous == team.rendezvous && again.teams.count == 1)
      #expect(try operators(of: again) == own)
      for name in [path(of: team), "operators.json"] {
        #expect(try content(name).starts(with: "baton sealed 2\n".utf8) == (key != nil), "\(name)")
      }
    }
    try check(key, previous: nil)
    try check(otherKey, previous: key)
    try check(nil, previous: otherKey)
  }

  @Test func aSealedFileIsGoodInItsPlaceOnly() throws {
    let store = try store(key)
    let team = try fill(store)
    let other = try store.create(name: "Other", owner: 1000, now: now)
    let sealed = try content(path(of: team))
    try sealed.write(to: URL(fileURLWithPath: "\(home.path)/\(path(of: other))"))
    #expect(try self.store(key).team(other.id).rendezvous == nil)
  }

  // MARK: Backups

  @Test func aBackupBringsBackWhatMakesUsers() throws {
    let passphrase = try PassphraseKey(passphrase: "correct horse battery")
    let store = try store()
    let team = try fill(store)
    let text = try store.backUp(team.id, by: 1000, machine: "laptop", addresses: [], key: passphrase, now: now)
    let away = TestDirectory()
    let other = try away.store()
    _ = try other.restore(other.open(BackupFile(text: text), with: passphrase), for: 5, now: now)
    let before = try store.team(team.id).rendezvous
    #expect(before?.account?.operator != nil)
    #expect(try other.team(team.id).rendezvous == before && away.store().team(team.id).rendezvous == before)
    #expect(try other.rendezvousAccount(of: team.id, now: now) != nil)
  }
}
