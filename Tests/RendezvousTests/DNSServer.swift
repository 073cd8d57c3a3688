import ChildProcess
import Foundation
import Rendezvous
import TLS
import TestSupport

/// A primary server of the zone `home.test`, for one test. A key may change the TXT records at one name.
final class DNSServer {
  enum Kind: String, CaseIterable, Sendable { case knot, bind }

  let port: UInt16
  private let directory: String
  private let process: ChildProcess
  private let secret = SystemRandom.bytes(32)

  init(_ kind: Kind) throws {
    let directory = NSTemporaryDirectory() + "baton-dns-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    (self.directory, port) = (directory, try Self.freePort())
    let zone = "$ORIGIN home.test.\n$TTL 60\n@ SOA ns hostmaster 1 3600 600 86400 60\n@ NS ns\nns A 127.0.0.1\n"
    try zone.write(toFile: "\(directory)/home.test.zone", atomically: true, encoding: .utf8)
    let text = Data(secret).base64EncodedString()
    let configuration =
      switch kind {
      case .knot: Self.knot(directory, port, text)
      case .bind: Self.bind(directory, port, text)
      }
    try configuration.write(toFile: "\(directory)/server.conf", atomically: true, encoding: .utf8)
    switch kind {
    case .knot: process = try ChildProcess(["/usr/sbin/knotd", "-c", "\(directory)/server.conf"])
    case .bind:
      // AppArmor allows the installed program to read only its own directories. A copy has no such rules.
      try FileManager.default.copyItem(atPath: "/usr/sbin/named", toPath: "\(directory)/named")
      process = try ChildProcess(["\(directory)/named", "-4", "-f", "-n", "1", "-c", "\(directory)/server.conf"])
    }
    // It listens before it has read the zone. Then it refuses queries.
    try waitUntil("\(kind) serves the zone") {
      guard let descriptor = try? RawSocket.connect(port: port) else { return false }
      close(descriptor)
      return if case .success = try exchange(.query(DNSSamples.devices)) { true } else { false }
    }
  }

  deinit {
    process.send(SIGKILL)
    _ = process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: directory)
  }

  func key(_ text: String = "baton.key", secret: [UInt8]? = nil) -> TSIGKey {
    let secret = secret ?? self.secret
    return TSIGKey(DNSSamples.name(text)) { HMACSHA256.authenticate($0, key: secret) }
  }

  /// Blocks until the exchange is done.
  ///
  /// - Parameter late: How many seconds this machine's clock is behind.
  func exchange(
    _ message: DNSMessage,
    key: TSIGKey? = nil,
    late: Int64 = 0
  ) throws -> Result<DNSAnswer, DNSFailure> {
    let time = Int64(Date().timeIntervalSince1970) - late
    let id = UInt16.random(in: 0...UInt16.max)
    guard var exchange = DNSExchange(message, key: key ?? self.key(), id: id, time: time, at: .now) else {
      throw TestFailure("The message is too long")
    }
    let descriptor = try RawSocket.connect(port: port)
    defer { close(descriptor) }
    var event = DNSExchange.Event.connected
    while true {
      for effect in exchange.handle(event, at: .now) {
        switch effect {
        case .send(let bytes):
          guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw TestFailure("send")
          }
        case .done(let result): return result
        case .wake: break
        }
      }
      var buffer = [UInt8](repeating: 0, count: 1000)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      event = count > 0 ? .received(Array(buffer.prefix(count))) : .closed
    }
  }

  func update(
    _ name: DNSName = DNSSamples.devices,
    zone: DNSName = DNSSamples.zone,
    delete: [TXTRecord] = [],
    add: [TXTRecord] = [],
    key: TSIGKey? = nil,
    late: Int64 = 0
  ) throws -> Result<DNSAnswer, DNSFailure> {
    let update = DNSMessage.update(zone: zone, name: name, deletions: delete, additions: add, timeToLive: 60)
    return try exchange(update, key: key, late: late)
  }

  /// The texts at the name, sorted.
  func texts() throws -> [[UInt8]] {
    try exchange(.query(DNSSamples.devices)).get().records.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns a port that nobody uses, and that the system gives to nobody who connects.
  private static func freePort() throws -> UInt16 {
    try waitFor("a free port") {
      let port = UInt16.random(in: 10_000..<30_000)
      for kind in [SOCK_STREAM, SOCK_DGRAM] {
        let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        let isFree = withUnsafeBytes(of: &address) { bytes in
          guard let start = bytes.bindMemory(to: sockaddr.self).baseAddress else { return false }
          return Foundation.bind(descriptor, start, socklen_t(bytes.count)) == 0
        }
        guard isFree else { return nil }
      }
      return port
    }
  }

  private static func knot(_ directory: String, _ port: UInt16, _ secret: String) -> String {
    """
    server:
      listen: 127.0.0.1@\(port)
      rundir: \(directory)
      tcp-workers: 1
      udp-workers: 1
    database:
      storage: \(directory)
    key:
      - id: baton.key
        algorithm: hmac-sha256
        secret: \(secret)
    acl:
      - id: devices
        key: baton.key
        action: update
        update-type: TXT
        update-owner: name
        update-owner-match: equal
        update-owner-name: _devices
    zone:
      - domain: home.test
        storage: \(directory)
        file: home.test.zone
        acl: devices

    """
  }

  private static func bind(_ directory: String, _ port: UInt16, _ secret: String) -> String {
    """
    options {
      directory "\(directory)"; pid-file none; session-keyfile none; recursion no; dnssec-validation no;
      listen-on port \(port) { 127.0.0.1; };
    };
    controls { };
    key "baton.key" { algorithm hmac-sha256; secret "\(secret)"; };
    zone "home.test" {
      type primary; file "home.test.zone";
      update-policy { grant baton.key name _devices.home.test TXT; };
    };

    """
  }
}
