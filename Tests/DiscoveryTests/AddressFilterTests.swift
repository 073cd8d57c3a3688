import EventLoop
import Testing

@testable import Discovery

struct AddressFilterTests {
  private func address(_ host: String, port: UInt16 = 22866) throws -> SocketAddress {
    try #require(SocketAddress(numericHost: host, port: port))
  }

  @Test(arguments: ["192.168.1.7", "10.0.0.1", "169.254.3.4", "fe80::1", "2001:db8::1", "fd00::2"])
  func addressesOfOneHostAreAccepted(host: String) throws {
    #expect(AddressFilter.accepts(try address(host), isLoopback: false))
    #expect(AddressFilter.accepts(try address(host), isLoopback: true))
  }

  @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1"])
  func loopbackIsAcceptedOverLoopbackOnly(host: String) throws {
    #expect(!AddressFilter.accepts(try address(host), isLoopback: false))
    #expect(AddressFilter.accepts(try address(host), isLoopback: true))
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "224.0.0.251", "255.255.255.255", "240.0.0.1", "::", "ff02::fb", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "::10.0.0.1",
  ])
  func groupsAndDisguisesAreRefused(host: String) throws {
    #expect(!AddressFilter.accepts(try address(host), isLoopback: false))
    #expect(!AddressFilter.accepts(try address(host), isLoopback: true))
  }

  @Test func systemPortsAreRefused() throws {
    #expect(!AddressFilter.accepts(try address("10.0.0.1", port: 0), isLoopback: false))
    #expect(!AddressFilter.accepts(try address("10.0.0.1", port: 1023), isLoopback: false))
    #expect(AddressFilter.accepts(try address("10.0.0.1", port: 1024), isLoopback: false))
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
