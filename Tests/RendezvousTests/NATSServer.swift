import ChildProcess
import Foundation
import JSONCoding
import Rendezvous
import TLS
import TestSupport

/// A `nats-server` with an operator and two accounts, for one test.
final class NATSServer {
  let operatorKey: PrivateKey
  let accounts: [PrivateKey]
  let port: UInt16
  private let directory: String
  private let process: ChildProcess

  static func now() -> Int64 { Int64(Date().timeIntervalSince1970) }

  init() throws {
    let directory = NSTemporaryDirectory() + "baton-nats-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let own = try PrivateKey.make()
    let accounts = [try PrivateKey.make(), try PrivateKey.make()]
    let ownKey = try own.rawPublicKey
    let token = NATSToken(.operator(system: nil), name: "tests", subject: ownKey, issued: Self.now())
    var configuration = "operator: \(try token.text(issuer: ownKey, id: "operator", sign: own.sign))\n"
    configuration += "resolver: MEMORY\nresolver_preload: {\n"
    for (number, account) in accounts.enumerated() {
      let key = try account.rawPublicKey
      let token = NATSToken(.account(revoked: []), name: "team \(number)", subject: key, issued: Self.now())
      let text = try token.text(issuer: ownKey, id: "account \(number)", sign: own.sign)
      configuration += "  \(NATSKey.text(.account, key)): \(text)\n"
    }
    configuration += "}\nlisten: \"127.0.0.1:-1\"\nports_file_dir: \"\(directory)\"\n"
    try configuration.write(toFile: "\(directory)/nats.conf", atomically: true, encoding: .utf8)
    (operatorKey, self.accounts, self.directory) = (own, accounts, directory)
    process = try ChildProcess(["/usr/sbin/nats-server", "-c", "\(directory)/nats.conf"])
    let ports = "\(directory)/nats-server_\(process.processIdentifier).ports"
    port = try waitFor("nats-server listens") {
      guard let data = FileManager.default.contents(atPath: ports), let json = try? JSON(parsing: data, depth: 4),
        let address = json.object?["nats"]?.array?.first?.string, let text = address.split(separator: ":").last
      else { return nil }
      return UInt16(text)
    }
  }

  deinit {
    process.send(SIGKILL)
    _ = process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: directory)
  }
}
