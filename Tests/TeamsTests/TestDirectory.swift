// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import TLS

@testable import Teams

let now = Int64(Date().timeIntervalSince1970)

/// A state directory that exists for one test.
final class TestDirectory {
  let path = NSTemporaryDirectory() + "baton-" + UUID().uuidString
  private(set) var logged: [String] = []

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    try? FileManager.default.removeItem(atPath: backup)
  }

  // MARK: Backups

  private var backup: String { "\(path)-backup" }

  func backUp() throws {
    try? FileManager.default.removeItem(atPath: backup)
    try FileManager.default.copyItem(atPath: path, toPath: backup)
  }

  /// - Returns: The store of a daemon that then starts.
  func restore(now: Int64 = now) throws -> TeamStore {
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: backup, toPath: path)
    return try store(now: now)
  }

  /// Returns the store of a daemon that starts now.
  func store(now: Int64 = now) throws -> TeamStore {
    try TeamStore.open(directory: path, now: now) { self.logged.append($0) }
  }

  func directory(of id: TeamID) -> String { "\(path)/teams/\(Hexadecimal.encode(id.bytes))" }

  /// Every path under the directory, with its permissions.
  var modes: [String: Int] {
    var modes: [String: Int] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
      modes[name] = attributes?[.posixPermissions] as? Int
    }
    return modes
  }

  func names(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  func write(_ text: String, to path: String, age: Int64 = 0) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    let date = Date(timeIntervalSince1970: TimeInterval(now - age))
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
  }
}

/// A machine that joins, with its key and its request.
struct Joiner {
  let key: PrivateKey
  let request: String
  let nonce: [UInt8]

  /// - Parameters:
  ///   - key: Nil for a new one.
  ///   - member: What it is in the team already, for another of its users.
  init(key: PrivateKey? = nil, member: Team? = nil) throws {
    self.key = try key ?? PrivateKey.make()
    request = try CertificateRequest.make(for: self.key).pem()
    nonce = try member?.credentials.joinNonce(for: self.key.deviceID) ?? SystemRandom.bytes(Join.nonceLength)
  }

  /// Uses a code at the administrator's machine.
  func redeem(
    _ code: InvitationCode,
    of team: TeamID,
    at administrator: TeamStore,
    name: String = "",
    certificate: String? = nil,
    now: Int64 = now
  ) throws -> Joined {
    try administrator.redeem(
      code.keys.identity,
      of: team,
      request: request,
      name: name,
      nonce: nonce,
      certificate: certificate,
      now: now
    )
  }
}
