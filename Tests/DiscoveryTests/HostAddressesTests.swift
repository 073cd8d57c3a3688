// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Testing

@testable import Discovery

struct HostAddressesTests {
  private func address(_ name: String, _ interface: UInt32, _ host: String) throws -> HostAddress {
    let bytes = try #require(SocketAddress(numericHost: host, port: 0)).bytes
    return HostAddress(interfaceName: name, interface: interface, bytes: bytes, isLoopback: name == "lo")
  }

  private func announced(_ all: [HostAddress], _ policy: InterfacePolicy = InterfacePolicy()) -> [HostAddress] {
    HostAddresses.announced(of: all, policy)
  }

  private func names(_ addresses: [HostAddress]) -> Set<String> { Set(addresses.map(\.interfaceName)) }

  @Test func loopbackAddressesAreAnnouncedOnLoopbackOnly() throws {
    let all = [
      try address("lo", 1, "127.0.0.1"), try address("lo", 1, "10.9.9.9"), try address("eth0", 2, "127.0.0.5"),
      try address("eth0", 2, "10.0.0.1"), try address("eth0", 2, "fe80::1"),
    ]
    #expect(Set(announced(all)) == [all[0], all[3], all[4]])
  }

  @Test(arguments: ["docker0", "virbr1", "br-0123456789ab", "vethab"])
  func virtualInterfacesAreLeftOutWhereThereIsAnother(name: String) throws {
    let lo = try address("lo", 1, "127.0.0.1")
    let bridge = try address(name, 3, "172.17.0.1")
    #expect(names(announced([lo, bridge])) == ["lo", name])
    let wire = try address("eth0", 2, "10.0.0.1")
    #expect(names(announced([lo, bridge, wire])) == ["lo", "eth0"])
  }

  @Test(arguments: ["va", "vb", "eth0", "br0", "wlan0"])
  func otherInterfacesAreAnnounced(name: String) throws {
    let all = [try address("eth9", 9, "10.0.0.9"), try address(name, 3, "10.0.0.1")]
    #expect(names(announced(all)) == ["eth9", name])
  }

  @Test func manyAddressesAreCutWithoutCrowdingOutAnInterface() throws {
    var all = try (1...40).map { try address("eth0", 2, "2001:db8::\($0)") }
    all.append(try address("eth0", 2, "10.0.0.1"))
    all.append(try address("wlan0", 3, "10.1.0.1"))
    let first = announced(all)
    #expect(first.count == HostAddresses.publishedAddresses)
    #expect(first.prefix(2).map(\.bytes) == [[10, 0, 0, 1], [10, 1, 0, 1]])
    #expect(announced(all.reversed()) == first)
  }

  @Test func theKernelsAddressesAreRead() {
    let loopback = HostAddresses.current().filter(\.isLoopback)
    #expect(loopback.contains { $0.bytes == [127, 0, 0, 1] && $0.interface == 1 && $0.interfaceName == "lo" })
    #expect(HostAddresses.onLink(1).contains { $0.isLoopback && $0.bytes == [127, 0, 0, 1] && $0.prefixLength == 8 })
    #expect(HostAddresses.onLink(9999).isEmpty && HostAddresses.onLink(-1).isEmpty)
  }
}
