// SPDX-License-Identifier: Apache-2.0

import ChildProcess
import Foundation
import TLS
import TestSupport
import Testing

@testable import Handoff

/// What a real `nats-server` makes of the configuration.
struct NATSConfigurationTests {
  /// The directory of a server, which exists as long as the test.
  private final class Folder {
    let path = NSTemporaryDirectory() + "baton-nats-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
      try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    }

    var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
  }

  private func configuration(_ servers: [String]) throws -> NATSConfiguration {
    let (own, system, account) = (try PrivateKey.make(), try PrivateKey.make(), try PrivateKey.make())
    let (ownKey, systemKey, key) = (try own.rawPublicKey, try system.rawPublicKey, try account.rawPublicKey)
    func text(_ rights: NATSToken.Rights, _ subject: [UInt8]) throws -> String {
      let token = NATSToken(rights, name: "tests", subject: subject, issued: NATSServer.now())
      return try token.text(issuer: ownKey, id: "x", sign: own.sign)
    }
    var revoked = NATSRevocations()
    revoked.revoke(ownKey, until: 1)
    return NATSConfiguration(
      operatorToken: try text(.operator(system: systemKey), ownKey),
      systemAccount: (systemKey, try text(.system, systemKey)),
      accounts: [(key, try text(.account(revoked: revoked), key))],
      servers: try servers.map { try #require(ServerAddress($0)) }
    )
  }

  /// - Returns: The exit status of `nats-server -t`.
  private func check(_ configuration: NATSConfiguration, in folder: Folder, hosts: [String]) throws -> Int32 {
    let identity = try ServerIdentity.make(hosts: hosts, now: NATSServer.now())
    try folder.write(configuration.text, to: "nats.conf")
    try folder.write(identity.certificate, to: "server.pem")
    try folder.write(identity.key, to: "server.key")
    return try run(in: folder)
  }

  /// The paths in the file begin at the server's directory.
  private func run(in folder: Folder) throws -> Int32 {
    let command = "cd \"$0\" && exec /usr/sbin/nats-server -t -c nats.conf"
    return try ChildProcess(["/bin/sh", "-c", command, folder.path]).waitUntilExit()
  }

  @Test(arguments: [
    ["rendezvous.example.org"], ["[2001:db8::1]:443"],
    ["a.example.org:4223", "192.0.2.1:4223", "[2001:db8::1]:4223"],
  ])
  func aServerAcceptsIt(_ servers: [String]) throws {
    let folder = try Folder()
    let configuration = try configuration(servers)
    #expect(try check(configuration, in: folder, hosts: configuration.servers.map(\.host)) == 0)
    #expect(try folder.names == ["accounts", "nats.conf", "server.key", "server.pem"], "All is in its directory")
    // It has read the file to its end, and what the file names.
    try folder.write(configuration.text + "rubbish: {", to: "nats.conf")
    #expect(try run(in: folder) != 0)
    try folder.write(configuration.text, to: "nats.conf")
    try folder.write("", to: "server.key")
    #expect(try run(in: folder) != 0)
  }

  @Test func severalServersKnowEachOther() throws {
    let one = try configuration(["a.example.org:443"]).text
    #expect(one.contains("listen: \"[::]:443\"\n") && !one.contains("cluster {") && !one.contains("routes"))
    let three = try configuration(["a.example.org", "192.0.2.1", "[2001:db8::1]"]).text
    #expect(three.contains("listen: \"[::]:4222\"\n") && three.contains("listen: \"[::]:6222\"\n"))
    let routes = ["a.example.org", "192.0.2.1", "[2001:db8::1]"].map { "\"tls://\($0):6222\"" }
    #expect(three.contains("routes: [\(routes.joined(separator: ", "))]\n"))
    #expect(three.contains("verify: true"))
  }

  /// A server is never asked to forget who was removed, and passes on no more than it should.
  @Test func accountsAreKeptAndConnectionsHaveLimits() throws {
    let text = try configuration(["a.example.org"]).text
    for line in ["allow_delete: false", "max_payload: 262144", "max_connections: 65536", "ping_interval: \"1m\""] {
      #expect(text.contains(line))
    }
    #expect(text.components(separatedBy: "ey").count > 3, "Three tokens")
  }
}
