import Activity
import Foundation
import TLS
import Testing

@testable import Team

@Suite struct SecretFilesTests {
  private let home = TestDirectory()
  private let key = [UInt8](repeating: 7, count: 32)
  private let otherKey = [UInt8](repeating: 8, count: 32)

  private func store(_ key: [UInt8]? = nil, previous: [UInt8]? = nil, log: Journal = Journal()) throws -> TeamStore {
    let secrets = SecretFiles(key: key, previousKey: previous)
    return try TeamStore(directory: home.path, secrets: secrets, now: now) { log.lines.append($0) }
  }

  /// What every file below the state directory holds.
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
      try contents().filter { $0.value.starts(with: "baton sealed 1\n".utf8) }
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
    // All of it is of use as before.
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
    let cause = wrong == nil ? "it is sealed, and no key was given" : "no key opens it"
    #expect(log.lines.count == 1 && log.lines.first?.hasSuffix("device.key: \(cause)") == true, "\(log.lines)")
    #expect(try contents() == before)
    #expect(try store(key).teams.map(\.id) == [team.id])
  }

  @Test func oneThatNoKeyOpensKeepsNoOtherPlain() throws {
    let plain = try store()
    let team = try plain.create(name: "Home", owner: 1000, now: now)
    _ = try plain.invite(team.id, now: now)
    _ = try plain.request(owner: 1000)
    // The first of each folder is sealed with a key that is gone.
    let lost = SecretFiles(key: otherKey)
    let folder = "\(home.path)/teams/\(Hexadecimal.encode(team.id.bytes))"
    let folders = [folder, "\(folder)/invitations", "\(home.path)/pending"]
    let paths = zip(folders, ["ca.key", "0", "0"]).map { "\($0)/\($1)" }
    for (folder, path) in zip(folders, paths) { try lost.write(Array("secret".utf8), to: path, in: folder) }
    let log = Journal()
    #expect(try store(key, log: log).teams.map(\.id) == [team.id])
    let files = SecretFiles(key: key)
    for (name, content) in try contents() where !["ca.pem", "device.pem", "team.json"].contains(name.lastComponent) {
      let path = "\(home.path)/\(name)"
      #expect(content.starts(with: "baton sealed 1\n".utf8), "\(name)")
      #expect(paths.contains(path) || (try? files.read(path, limit: 4096)) != nil, "\(name)")
    }
    #expect(log.lines == paths.map { "A secret stays as it is: open \($0): no key opens it" })
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
