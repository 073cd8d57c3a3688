import Activity
import Foundation
import TLS
import Testing

@testable import Team

let now = Int64(Date().timeIntervalSince1970)

/// A state directory that is there for one test.
final class TestDirectory {
  let path = NSTemporaryDirectory() + "baton-" + UUID().uuidString

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func store(log: @escaping (String) -> Void = { _ in }) throws -> TeamStore {
    try TeamStore(directory: path, now: now, log: log)
  }

  /// Every path under the directory, in order, with its permissions.
  var modes: [String: Int] {
    var modes: [String: Int] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
      modes[name] = attributes?[.posixPermissions] as? Int
    }
    return modes
  }
}

@Suite struct TeamStoreTests {
  @Test func aTeamIsThereAfterARestart() throws {
    let directory = TestDirectory()
    let team = try directory.store().create(name: "Home", owner: 1000, now: now)
    let loaded = try directory.store().team(team.id)
    #expect(loaded.name == "Home" && loaded.owners == [1000] && loaded.isAdministrator)
    #expect(loaded.device == team.device)
  }

  @Test func aCodeAdmitsADeviceThatThenIsAPeer() throws {
    let (home, other) = (TestDirectory(), TestDirectory())
    let administrator = try home.store()
    let team = try administrator.create(name: "Home", owner: 1000, now: now)
    let code = try administrator.invite(team.id, now: now).code
    let key = try PrivateKey.make()
    let joined = try administrator.redeem(
      code.keys.identity,
      of: team.id,
      request: CertificateRequest.make(for: key).pem(),
      now: now
    )
    let store = try other.store()
    let joinedTeam = try store.complete(joined, key: key, code: InvitationCode(text: code.text), owner: 5, now: now)
    #expect(joinedTeam.id == team.id && !joinedTeam.isAdministrator && joinedTeam.name == "Home")
    #expect(try other.store().teams(of: 5).count == 1)
  }
}
