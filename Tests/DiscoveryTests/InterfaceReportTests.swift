// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Testing

@testable import Discovery

struct InterfaceReportTests {
  private func report(_ host: String, mask: [UInt8]) throws -> InterfaceReport {
    let address = try #require(SocketAddress(numericHost: host, port: 0))
    return InterfaceReport(name: "eth0", index: 7, networks: [.init(address: address, mask: mask)])
  }

  @Test(arguments: [
    ("10.1.2.255", true), ("10.1.3.0", false), ("2001:db8::1", false), ("127.0.0.1", false),
  ])
  func theMaskSaysWhoIsOnTheLink(host: String, expected: Bool) throws {
    let address = try #require(SocketAddress(numericHost: host, port: 1))
    #expect(try report("10.1.2.3", mask: [255, 255, 255, 0]).hasOnLink(address) == expected)
  }

  @Test func linkLocalAddressesAreOnTheirInterface() throws {
    let bytes = [0xFE, 0x80] + Array(repeating: UInt8(0), count: 13) + [1]
    let near = try #require(SocketAddress(bytes: bytes, port: 1, scope: 7))
    let far = try #require(SocketAddress(bytes: bytes, port: 1, scope: 8))
    let report = try report("10.1.2.3", mask: [255, 255, 255, 0])
    #expect(report.hasOnLink(near) && !report.hasOnLink(far))
  }

  @Test func theLoopbackInterfaceIsThere() {
    let loopback = InterfaceReport.current().filter(\.isLoopback)
    #expect(loopback.contains { $0.name == "lo" && $0.isUp })
  }
}
