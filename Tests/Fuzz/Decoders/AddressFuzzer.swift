// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop

@testable import BatonDaemon
@testable import Discovery

/// What people type for a machine, and what the kernel and the network say of addresses.
enum AddressFuzzer: Fuzzer {
  static let seeds = [
    "nas", "NAS.local:22866", "[2001:db8::1]:1", "fe80::1%lo", "192.0.2.1:65535", "[::ffff:192.0.2.1]", "a:b:c",
    "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\neth0\t00000000\t0102A8C0\t0003\t0\t0\t0\t00000000\n",
    "00000000000000000000000000000000 00 0 00 fe800000000000000000000000000001 400 1 0 3 eth0\n",
  ].map { Array($0.utf8) }

  static let words = ["[", "]:", "%lo", "%1", "::", "fe80::", "::ffff:", "65536", "127.0.0.1", "\u{301}"]

  static let length = 1024

  static func run(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    do throws(Reason) {
      let (host, port) = try AddressParser.split(text, defaultPort: 1)
      hold(port > 0 && !host.isEmpty && host.utf8.count <= 253, "\(host) and \(port)")
      let canonical = try AddressParser.canonical(text)
      same(try AddressParser.canonical(canonical), canonical, "It has two forms")
      if host.utf8.count < 64, let address = SocketAddress(numericHost: host, port: port) { try check(address) }
    } catch {
      same(error, .addressInvalid)
    }
    if input.count == 4 || input.count == 16, let address = SocketAddress(bytes: input, port: 1024) {
      try check(address)
    }
    hold(
      Route.list(ofIPv4: text).count <= Route.routes && Route.list(ofIPv6: text).count <= Route.routes,
      "Many routes"
    )
    _ = InterfacePolicy(interfaces: [String(text.prefix(32))]).among(["eth0", "docker0"]).verdict("eth0")
    check(encodings: input, text)
  }

  /// All of IPv4 and IPv6 is on it.
  private static let link = [4, 16].map { count in
    HostAddress(interfaceName: "eth0", interface: 2, bytes: [UInt8](repeating: 1, count: count), isLoopback: false)
  }

  private static func check(_ address: SocketAddress) throws(Reason) {
    let (host, port) = try AddressParser.split(address.description, defaultPort: 1)
    same(SocketAddress(numericHost: host, port: port), address, "It is written as another")
    address.withSystemForm { form, _ in same(SocketAddress(form), address) }
    let accepted = AddressFilter.accepts(address, on: link)
    hold(!accepted || address.isUnicast && !address.isLoopback && port >= Limits.lowestPort, "\(address) is dialled")
  }

  private static func check(encodings bytes: [UInt8], _ text: String) {
    same(Base64.decode(Base64.encode(bytes)), bytes)
    same(Base32.decode(Base32.encode(bytes)), bytes)
    same(PercentEncoding.decode(PercentEncoding.encode(bytes)), bytes)
    if let decoded = Base64.decode(text) { hold(decoded.count <= text.utf8.count / 4 * 3, "\(decoded.count) bytes") }
    if let decoded = Base32.decode(text) { same(decoded.count, text.utf8.count * 5 / 8) }
    if let id = ActivityID(text: text) { same(ActivityID(text: id.description), id) }
    if let id = DeviceID(text: text) { same(DeviceID(text: id.text), id) }
  }
}
