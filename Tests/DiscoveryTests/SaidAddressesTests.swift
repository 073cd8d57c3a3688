// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Testing

@testable import Discovery

struct SaidAddressesTests {
  private func address(_ name: String, _ interface: UInt32, _ host: String) throws -> HostAddress {
    let bytes = try #require(SocketAddress(numericHost: host, port: 0)).bytes
    return HostAddress(interfaceName: name, interface: interface, bytes: bytes, isLoopback: name == "lo")
  }

  @Test func whatEveryUsedInterfaceHasIsSaidAndNothingOfOneLinkAlone() throws {
    let all = [
      try address("lo", 1, "127.0.0.1"), try address("lo", 1, "::1"),
      try address("eth0", 2, "192.168.1.2"), try address("eth0", 2, "fe80::1"), try address("eth0", 2, "2001:db8::2"),
      try address("eth0", 2, "169.254.7.7"), try address("tailscale0", 3, "100.64.0.2"),
      try address("docker0", 4, "172.17.0.1"),
    ]
    #expect(
      Set(SaidAddresses.own(among: all, InterfacePolicy())) == ["192.168.1.2", "2001:db8::2", "100.64.0.2"]
    )
    #expect(SaidAddresses.own(among: all, InterfacePolicy(interfaces: ["tail*"])) == ["100.64.0.2"])
    #expect(SaidAddresses.own(among: all.filter { $0.bytes.first == 0xFE || $0.isLoopback }, InterfacePolicy()) == [])
  }

  @Test func noMoreIsSaidThanIsBelievedAndEachInterfaceHasItsShare() throws {
    var all = try (1...20).map { try address("eth0", 2, "2001:db8::\($0)") }
    all.append(try address("wg0", 3, "10.1.0.1"))
    let said = SaidAddresses.own(among: all, InterfacePolicy())
    #expect(said.count == Limits.saidAddresses)
    #expect(said.contains("10.1.0.1"))
  }

  @Test func onlyOtherHostsThatRoutesLeadToAreBelieved() throws {
    let own = [try address("eth0", 2, "192.168.1.2"), try address("eth0", 2, "2001:db8::2")]
    let hosts = [
      "192.168.1.3", "2001:db8::2", "100.64.0.9", "fd7a::1", "192.168.1.2", "127.0.0.1", "fe80::1%lo", "",
    ]
    #expect(
      SaidAddresses.accepted(hosts, port: 22866, own: own).map(\.description)
        == ["192.168.1.3:22866", "100.64.0.9:22866", "[fd7a::1]:22866"]
    )
    for host in [
      "::1", "fe80::1", "169.254.1.1", "0.0.0.0", "0.1.2.3", "224.0.0.251", "255.255.255.255", "::", "ff02::fb",
      "::ffff:10.0.0.1", "::10.0.0.1", "host.example", "192.168.1.3:22866", "[fd7a::1]", "10.0.0.1 ",
    ] {
      #expect(SaidAddresses.accepted([host], port: 22866, own: own) == [], "\(host)")
    }
    #expect(SaidAddresses.accepted(["192.168.1.3"], port: 1023, own: own) == [])
    let many = (1...Limits.saidAddresses + 1).map { "10.0.0.\($0)" }
    #expect(SaidAddresses.accepted(many, port: 22866, own: own).count == Limits.saidAddresses)
  }

  @Test func theKernelsAddressesAreTheOwnOnes() {
    let own = SaidAddresses.own(InterfacePolicy())
    #expect(SaidAddresses.accepted(own, port: 22866) == [])
  }
}
