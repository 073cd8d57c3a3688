// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import TLS
import Testing

@testable import Teams

@Suite struct SecretFilesTests {
  private let home = TestDirectory()
  private let key = [UInt8](repeating: 7, count: 32)
  private let otherKey = [UInt8](repeating: 8, count: 32)

  private func store(_ key: [UInt8]? = nil, previous: [UInt8]? = nil, log: Journal = Journal()) throws -> TeamStore {
    let secrets = SecretFiles(key: key, previousKey: previous)
    return try TeamStore.open(directory: home.path, secrets: secrets, now: now) { log.lines.append($0) }
  }

  /// Returns the content of every file below the state directory.
  private func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in home.modes.keys {
      let path = "\(home.path)/\(name)"
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue else {
        continue
      }
      contents[name] = FileManager.default.contents(atPath: path)
    }
    return contents
  }

  private func sealedNames() throws -> Set<String> {
    Set(
      try contents().filter { $0.key != "sealed" && $0.value.starts(with: "baton sealed 2\n".utf8) }
        .map { URL(fileURLWithPath: $0.key).lastPathComponent }
    )
  }

  @Test func withAKeyNoSecretIsOnTheDisk() throws {
    let store = try store(key)
    let team = try store.create(name: "Home", owner: 1000, now: now)
    _ = try store.invite(team.id, now: now)
    _ = try store.request(owner: 1000)
    let secrets = [
      Data(team.credentials.discoveryKey),
      Data("PRIVATE KEY".utf8),
      Data("\"expires\"".utf8),
    ]
    for (name, content) in try contents() {
      for secret in secrets { #expect(content.range(of: secret) == nil, "in \(name)") }
    }
    let loaded = try self.store(key)
    #expect(loaded.teams.map(\.name) == ["Home"])
    #expect(loaded.teams.map(\.credentials.discoveryKey) == [team.credentials.discoveryKey])
  }

  @Test func whatWasPlainIsSealedAtTheNextStart() throws {
    let plain = try store()
    let team = try plain.create(name: "Home", owner: 1000, now: now)
    let code = try plain.invite(team.id, now: now).code
    let request = try plain.request(owner: 1000)
    #expect(try sealedNames().isEmpty)
    let sealed = try store(key)
    let names = try sealedNames()
    #expect(names.isSuperset(of: ["device.key", "ca.key", "discovery.key"]))
    #expect(names.count == 5, "with the invitation and the key of the request: \(names)")
    // Everything can be used as before.
    _ = try sealed.redeem(code.keys.identity, of: team.id, request: Joiner().request, now: now)
    let other = try sealed.create(name: "Other", owner: 1001, now: now)
    #expect(
      try sealed.import(sealed.approve(request, in: other.id, now: now), owner: 1000, now: now).owners == [1000, 1001]
    )
  }

  @Test func theKeyCanBeReplacedAndTakenAway() throws {
    let team = try store(key).create(name: "Home", owner: 1000, now: now)
    #expect(try store(otherKey, previous: key).teams.count == 1)
    #expect(try store(otherKey).teams.count == 1)
    #expect(try store(nil, previous: otherKey).teams.count == 1)
    #expect(try sealedNames().isEmpty)
    #expect(try store().teams.map(\.id) == [team.id])
  }

  @Test(arguments: [nil, [UInt8](repeating: 8, count: 32)])
  func withoutTheKeyATeamIsNotUsedAndNothingIsLost(wrong: [UInt8]?) throws {
    let team = try store(key).create(name: "Home", owner: 1000, now: now)
    let before = try contents()
    let log = Journal()
    #expect(try store(wrong, log: log).teams.isEmpty)
    let cause = wrong == nil ? "it's sealed, and no key was given" : "none of the keys can decrypt it at this path"
    #expect(log.lines.count == 1 && log.lines.first?.hasSuffix("device.key: \(cause)") == true, "\(log.lines)")
    #expect(try contents() == before)
    #expect(try store(key).teams.map(\.id) == [team.id])
  }

  @Test func oneThatNoKeyOpensKeepsNoOtherPlain() throws {
    let plain = try store()
    let team = try plain.create(name: "Home", owner: 1000, now: now)
    _ = try plain.invite(team.id, now: now)
    _ = try plain.request(owner: 1000)
    // The first file of each folder is sealed with a key that is gone.
    let lost = SecretFiles(key: otherKey)
    let folder = "\(home.path)/teams/\(Hexadecimal.encode(team.id.bytes))"
    let folders = [folder, "\(folder)/invitations", "\(home.path)/pending"]
    let paths = zip(folders, ["ca.key", "0", "0"]).map { "\($0)/\($1)" }
    for (folder, path) in zip(folders, paths) { try lost.write(Array("secret".utf8), to: path, in: folder) }
    let log = Journal()
    #expect(try store(key, log: log).teams.map(\.id) == [team.id])
    let files = SecretFiles(key: key).of(home.path)
    for (name, content) in try contents() where !["ca.pem", "device.pem", "team.json"].contains(name.lastComponent) {
      let path = "\(home.path)/\(name)"
      #expect(content.starts(with: "baton sealed ".utf8), "\(name)")
      #expect(paths.contains(path) || (try? files.read(path, limit: 4096)) != nil, "\(name)")
    }
    #expect(
      log.lines == paths.map { "Can't rewrite a secret: open \($0): none of the keys can decrypt it at this path" }
    )
  }

  @Test func whatIsPlainIsSealedWhereATeamCannotBeUsed() throws {
    let team = try store().create(name: "Home", owner: 1000, now: now)
    let folder = "\(home.path)/teams/\(Hexadecimal.encode(team.id.bytes))"
    try Data("{".utf8).write(to: URL(fileURLWithPath: "\(folder)/team.json"))
    let log = Journal()
    #expect(try store(key, log: log).teams.isEmpty)
    #expect(log.lines.count == 1, "\(log.lines)")
    #expect(try sealedNames() == ["device.key", "ca.key", "discovery.key"])
  }

  // MARK: Places

  private func folder(of team: Team) -> String { home.directory(of: team.id) }

  private func write(_ bytes: some Collection<UInt8>, to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func bytes(of path: String) throws -> Data { try #require(FileManager.default.contents(atPath: path)) }

  /// Seals what is plain as the previous version did.
  private func sealAsBefore() throws {
    // As long as there is something that cannot be opened, nothing is sealed for its place.
    let marker = "\(home.path)/sealed"
    try write("?".utf8, to: marker)
    _ = try store(key)
    try FileManager.default.removeItem(atPath: marker)
    #expect(try contents().values.contains { $0.starts(with: "baton sealed 1\n".utf8) })
  }

  @Test func aSealedFileIsGoodInItsPlaceOnly() throws {
    let teams = try store(key)
    let (home, work) = try (
      teams.create(name: "Home", owner: 1000, now: now), teams.create(name: "Work", owner: 1001, now: now)
    )
    for name in ["device.key", "discovery.key", "ca.key"] {
      let paths = ("\(folder(of: home))/\(name)", "\(folder(of: work))/\(name)")
      let (first, second) = try (bytes(of: paths.0), bytes(of: paths.1))
      try write(second, to: paths.0)
      try write(first, to: paths.1)
      let log = Journal()
      let found = try store(key, log: log)
      #expect(found.teams.allSatisfy { if case .unusable = $0.administration { true } else { false } })
      #expect(found.teams.count == (name == "ca.key" ? 2 : 0))
      #expect(
        log.lines.count == 2
          && log.lines.allSatisfy { $0.hasSuffix("\(name): none of the keys can decrypt it at this path") }
      )
      try write(first, to: paths.0)
      try write(second, to: paths.1)
      #expect(try store(key).teams.allSatisfy(\.canAdminister))
    }
  }

  @Test func aRequestIsOfTheUserWhoMadeIt() throws {
    let teams = try store(key)
    let request = try teams.request(owner: 1000)
    let pending = "\(home.path)/pending"
    let name = try #require(home.names(in: pending).first)
    let team = try teams.create(name: "Home", owner: 1002, now: now)
    let approval = try teams.approve(request, in: team.id, now: now)
    try FileManager.default.copyItem(
      atPath: "\(pending)/\(name)",
      toPath: "\(pending)/\(name.replacing("-1000", with: "-1001"))"
    )
    #expect(throws: Reason.storageFailed) { try teams.import(approval, owner: 1001, now: now) }
    #expect(try teams.import(approval, owner: 1000, now: now).owners == [1000, 1002])
  }

  @Test func anInvitationIsKnownUnderItsNextNames() throws {
    let teams = try store(key)
    let team = try teams.create(name: "Home", owner: 1000, now: now)
    let code = try teams.invite(team.id, now: now).code
    _ = try teams.redeem(code.keys.identity, of: team.id, request: Joiner().request, now: now)
    #expect(try store(key).invitationKey(of: team.id, identity: code.keys.identity) == code.keys.preSharedKey)
  }

  @Test func theCodeOfARenewedTeamIsGoodWhereTheTeamIs() throws {
    let teams = try store(key)
    let old = try teams.create(name: "Home", owner: 1000, now: now)
    let (team, code, _) = try teams.renew(old.id, user: 1000, key: nil, now: now)
    let log = Journal()
    #expect(try store(key, log: log).invitationKey(of: team.id, identity: code.keys.identity) == code.keys.preSharedKey)
    #expect(log.lines.isEmpty, "\(log.lines)")
  }

  @Test func whatAnEarlierVersionSealedIsSealedForItsPlace() throws {
    let plain = try store()
    let team = try plain.create(name: "Home", owner: 1000, now: now)
    let code = try plain.invite(team.id, now: now).code
    let request = try plain.request(owner: 1001)
    try sealAsBefore()
    let log = Journal()
    let upgraded = try store(key, log: log)
    #expect(log.lines.isEmpty, "\(log.lines)")
    #expect(try sealedNames().count == 5)
    #expect(try contents().values.allSatisfy { !$0.starts(with: "baton sealed 1\n".utf8) })
    _ = try upgraded.redeem(code.keys.identity, of: team.id, request: Joiner().request, now: now)
    let joined = try upgraded.import(upgraded.approve(request, in: team.id, now: now), owner: 1001, now: now)
    #expect(joined.owners == [1000, 1001])
  }

  /// A crash or a full disk interrupts the sealing of an earlier version's secrets for their places.
  @Test func whatWasBegunIsEnded() throws {
    let plain = try store()
    let teams = try ["Home", "Work"].map { try plain.create(name: $0, owner: 1000, now: now) }
    let before = try bytes(of: "\(folder(of: teams[0]))/device.key")
    let path = "\(folder(of: teams[1]))/discovery.key"
    let whole = try bytes(of: path)
    try write(Array("cut".utf8), to: path)
    #expect(try store(key).teams.map(\.name) == ["Home"])
    // The next start takes what had not been sealed by then.
    try write(before, to: "\(folder(of: teams[0]))/device.key")
    try write(whole, to: path)
    let log = Journal()
    #expect(try store(key, log: log).teams.count == 2)
    #expect(log.lines.isEmpty, "\(log.lines)")
  }

  struct Foreign {
    let name: String
    let isOfEarlierVersion: Bool
    /// Whether the file that says that everything was sealed is gone, too.
    let losesMark: Bool

    static let all = ["device.key", "ca.key", "discovery.key", "revocations.json"].flatMap { name in
      [(false, false), (false, true), (true, false), (true, true)].map {
        Foreign(name: name, isOfEarlierVersion: $0.0, losesMark: $0.1)
      }
    }.filter { !$0.losesMark || $0.name != "device.key" }  // Without the mark, the key itself shows it.
  }

  @Test(arguments: Foreign.all) func whatIsPlainBesideAKeyIsRefusedOnceAllWasSealed(_ foreign: Foreign) throws {
    let (name, isOfEarlierVersion) = (foreign.name, foreign.isOfEarlierVersion)
    let plain = try store()
    let team = try plain.create(name: "Home", owner: 1000, now: now)
    let joiner = try Joiner()
    let joined = try plain.redeem(
      plain.invite(team.id, now: now).code.keys.identity,
      of: team.id,
      request: joiner.request,
      now: now
    )
    let path = "\(folder(of: team))/\(name)"
    try plain.revoke(Certificate(pem: joined.certificate).deviceID, of: team.id, now: now)
    if isOfEarlierVersion { try sealAsBefore() }
    let old = try bytes(of: path)
    #expect(try store(key).teams.count == 1)
    let sealed = try bytes(of: path)
    // Somebody has the disk, but no key.
    try write(old, to: path)
    if foreign.losesMark { try FileManager.default.removeItem(atPath: "\(home.path)/sealed") }
    for _ in 0..<2 {
      let log = Journal()
      let found = try store(key, log: log)
      // If there is a list of removed devices, the first discovery key is not used.
      #expect(found.teams.filter(\.canAdminister).isEmpty == (name != "discovery.key"))
      let form = isOfEarlierVersion ? "sealed as by an earlier version" : "plain"
      #expect(log.lines.contains { $0.contains("\(path): it's \(form)") && $0.contains("baton.previous-state-key") })
      #expect(try bytes(of: path) == old, "It is not sealed, and not lost")
    }
    // A user who put it there can make the daemon take it in this way.
    #expect(try store(nil, previous: key).teams.count == 1)
    #expect(try sealedNames().isEmpty)
    #expect(try store(key).teams.count == 1)
    // Or the user puts back what was there.
    try write(sealed, to: path)
    #expect(try store(key).teams.filter(\.canAdminister).count == 1)
  }

  @Test func aTeamThatIsPutIntoAnEmptyDirectoryIsRefused() throws {
    let away = TestDirectory()
    let team = try away.store().create(name: "Home", owner: 1000, now: now)
    _ = try store(key)
    try FileManager.default.copyItem(atPath: away.directory(of: team.id), toPath: home.directory(of: team.id))
    #expect(try store(key).teams.isEmpty)
  }

  @Test func aChangedByteIsNoticed() throws {
    let files = SecretFiles(key: key)
    try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: true)
    let path = "\(home.path)/secret"
    try files.write(Array("secret".utf8), to: path, in: home.path)
    #expect(try files.read(path, limit: 6) == Array("secret".utf8))
    let sealed = try #require(FileManager.default.contents(atPath: path))
    #expect(sealed.count == 15 + 12 + 6 + 16)
    for index in 15..<sealed.count {
      var changed = sealed
      changed[index] ^= 1
      try changed.write(to: URL(fileURLWithPath: path))
      #expect(throws: StorageError.self) { try files.read(path, limit: 6) }
      try sealed.prefix(index).write(to: URL(fileURLWithPath: path))
      #expect(throws: StorageError.self) { try files.read(path, limit: 6) }
    }
  }
}

extension String {
  fileprivate var lastComponent: String { split(separator: "/").last.map(String.init) ?? "" }
}
