// SPDX-License-Identifier: Apache-2.0

import Activity
import ChildProcess
import Foundation
import Handoff
import JSONCoding
import TLS
import TestSupport

/// A `nats-server` with an operator, its system account and two accounts, for one test.
final class NATSServer {
  let operatorKey: PrivateKey
  let accounts: [PrivateKey]
  let systemKey: PrivateKey
  let port: UInt16
  private let directory: String
  private let process: ChildProcess

  static func now() -> Int64 { Int64(Date().timeIntervalSince1970) }

  init() throws {
    let directory = NSTemporaryDirectory() + "baton-nats-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let (own, system) = (try PrivateKey.make(), try PrivateKey.make())
    let accounts = [try PrivateKey.make(), try PrivateKey.make()]
    let ownKey = try own.rawPublicKey
    let systemName = try system.rawPublicKey
    let token = NATSToken(.operator(system: systemName), name: "tests", subject: ownKey, issued: Self.now())
    var configuration = "operator: \(try token.text(issuer: ownKey, id: "operator", sign: own.sign))\n"
    configuration += "system_account: \(NATSKey.text(.account, systemName))\n"
    configuration += "resolver: { type: full, dir: \"\(directory)/accounts\" }\nresolver_preload: {\n"
    let systemToken = NATSToken(.system, name: "system", subject: systemName, issued: Self.now())
    let systemText = try systemToken.text(issuer: ownKey, id: "system", sign: own.sign)
    configuration += "  \(NATSKey.text(.account, systemName)): \(systemText)\n"
    for (number, account) in accounts.enumerated() {
      let key = try account.rawPublicKey
      let token = NATSToken(
        .account(revoked: NATSRevocations()),
        name: "team \(number)",
        subject: key,
        issued: Self.now()
      )
      let text = try token.text(issuer: ownKey, id: "account \(number)", sign: own.sign)
      configuration += "  \(NATSKey.text(.account, key)): \(text)\n"
    }
    configuration += "}\nlisten: \"127.0.0.1:-1\"\nports_file_dir: \"\(directory)\"\n"
    try configuration.write(toFile: "\(directory)/nats.conf", atomically: true, encoding: .utf8)
    (operatorKey, systemKey, self.accounts, self.directory) = (own, system, accounts, directory)
    process = try ChildProcess(["/usr/sbin/nats-server", "-c", "\(directory)/nats.conf"])
    let ports = "\(directory)/nats-server_\(process.processIdentifier).ports"
    port = try waitFor("nats-server listens") {
      guard let data = FileManager.default.contents(atPath: ports), let json = try? JSON(parsing: data, depth: 4),
        let address = json.object?["nats"]?.array?.first?.string, let text = address.split(separator: ":").last
      else { return nil }
      return UInt16(text)
    }
  }

  /// A new token of the first account, as its operator signs it.
  func accountToken(
    revoked: [(key: [UInt8], until: Int64)],
    all: Int64? = nil,
    issuer: PrivateKey? = nil
  ) throws -> String {
    var revocations = NATSRevocations()
    for user in revoked { revocations.revoke(user.key, until: user.until) }
    if let all { revocations.revokeAll(until: all) }
    let token = NATSToken(
      .account(revoked: revocations),
      name: "team 0",
      subject: try accounts[0].rawPublicKey,
      issued: Self.now()
    )
    let issuer = issuer ?? operatorKey
    return try token.text(issuer: issuer.rawPublicKey, id: "changed", sign: issuer.sign)
  }

  /// Tells the server an account's new token, as the operator's machine does, and returns the answer.
  func push(_ token: String) throws -> String? {
    try request([("$SYS.REQ.CLAIMS.UPDATE", token)], answers: 1).first
  }

  /// The tokens that the server has of accounts.
  func lookUp(_ accounts: [[UInt8]], answers: Int) throws -> [String] {
    let subjects = accounts.map { "$SYS.REQ.ACCOUNT.\(NATSKey.text(.account, $0)).CLAIMS.LOOKUP" }
    return try request(subjects.map { ($0, "") }, answers: answers)
  }

  private func request(_ requests: [(subject: String, text: String)], answers: Int) throws -> [String] {
    let inbox = "_INBOX.baton"
    let administrator = try NATSDevice(
      self,
      account: systemKey,
      rights: .user(publish: [], subscribe: []),
      name: "administrator",
      subscription: inbox,
      payloadLimit: Limits.accountTokenLength
    )
    for (subject, text) in requests {
      try administrator.handle(.request(subject: subject, reply: inbox, payload: Array(text.utf8)))
    }
    return try administrator.hear(answers).map { String($0.dropFirst(inbox.count + 1)) }
  }

  deinit {
    process.send(SIGKILL)
    _ = process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: directory)
  }
}
