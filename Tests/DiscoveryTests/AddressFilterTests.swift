// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Testing

@testable import Discovery

struct AddressFilterTests {
  private func address(_ host: String, port: UInt16 = 22866) throws -> SocketAddress {
    try #require(SocketAddress(numericHost: host, port: port))
  }

  private func link(_ addresses: (host: String, prefixLength: Int)...) -> [HostAddress] {
    addresses.compactMap { host, prefixLength in
      SocketAddress(numericHost: host, port: 0).map {
        HostAddress(
          interfaceName: "e",
          interface: 2,
          bytes: $0.bytes,
          isLoopback: $0.isLoopback,
          prefixLength: prefixLength
        )
      }
    }
  }

  private var loopback: [HostAddress] { link(("127.0.0.1", 8), ("::1", 128)) }
  private var network: [HostAddress] {
    link(("192.168.1.130", 25), ("fe80::2", 64), ("2001:db8:1::2", 64), ("10.1.1.1", 32))
  }

  @Test(arguments: ["192.168.1.128", "192.168.1.255", "fe80::1", "2001:db8:1::ffff:1", "10.1.1.1"])
  func addressesOfTheLinkAreAccepted(host: String) throws {
    #expect(AddressFilter.accepts(try address(host), on: network))
  }

  @Test(arguments: ["192.168.1.127", "192.168.2.130", "10.1.1.2", "2001:db8:2::1", "8.8.8.8", "fd00::1"])
  func addressesOfOtherLinksAreRefused(host: String) throws {
    #expect(!AddressFilter.accepts(try address(host), on: network))
    #expect(!AddressFilter.accepts(try address(host), on: loopback))
    #expect(!AddressFilter.accepts(try address(host), on: []))
  }

  /// Where a reflector may have got it from. People are told.
  @Test func onlyAddressesOfHostsElsewhereAreNamed() throws {
    for host in ["192.168.2.130", "10.1.1.2", "2001:db8:2::1", "fd00::1"] {
      #expect(AddressFilter.isElsewhere(try address(host)))
    }
    for host in ["127.0.0.1", "::1", "169.254.1.2", "fe80::1", "224.0.0.251", "0.0.0.0", "::ffff:10.0.0.1"] {
      #expect(!AddressFilter.isElsewhere(try address(host)))
    }
    #expect(!AddressFilter.isElsewhere(try address("10.1.1.2", port: 22)))
  }

  @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1"])
  func loopbackIsAcceptedOverLoopbackOnly(host: String) throws {
    #expect(!AddressFilter.accepts(try address(host), on: network))
    #expect(AddressFilter.accepts(try address(host), on: loopback))
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "224.0.0.251", "255.255.255.255", "240.0.0.1", "::", "ff02::fb", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "::10.0.0.1",
  ])
  func groupsAndDisguisesAreRefused(host: String) throws {
    let everything = link(("1.2.3.4", 0), ("2001:db8::1", 0))
    #expect(!AddressFilter.accepts(try address(host), on: everything))
    #expect(!AddressFilter.accepts(try address(host), on: everything + loopback))
  }

  @Test func systemPortsAreRefused() throws {
    let network = link(("10.0.0.2", 24))
    #expect(!AddressFilter.accepts(try address("10.0.0.1", port: 0), on: network))
    #expect(!AddressFilter.accepts(try address("10.0.0.1", port: 1023), on: network))
    #expect(AddressFilter.accepts(try address("10.0.0.1", port: 1024), on: network))
  }

  @Test func linkLocalAddressesGetTheInterface() throws {
    #expect(AddressFilter.scoped(try address("fe80::1"), interface: 3)?.scope == 3)
    #expect(AddressFilter.scoped(try address("2001:db8::1"), interface: 3)?.scope == 0)
    #expect(AddressFilter.scoped(try address("10.0.0.1"), interface: 3)?.scope == 0)
    #expect(AddressFilter.scoped(try address("fe80::1"), interface: -1) == nil)
  }

  @Test func ipVersionsTakeTurns() {
    func alternated(_ hosts: String...) -> [String] {
      AddressFilter.alternating(hosts.compactMap { SocketAddress(numericHost: $0, port: 1) }).map(\.host)
    }
    #expect(alternated() == [])
    #expect(alternated("192.0.2.1", "192.0.2.2") == ["192.0.2.1", "192.0.2.2"])
    #expect(
      alternated("192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::1", "2001:db8::2")
        == ["192.0.2.1", "2001:db8::1", "192.0.2.2", "2001:db8::2", "192.0.2.3"]
    )
    #expect(alternated("2001:db8::1", "192.0.2.1") == ["2001:db8::1", "192.0.2.1"])
  }
}
