// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Discovery

struct InterfacePolicyTests {
  @Test(arguments: [
    "lo", "eth0", "enp3s0", "wlan0", "wlp2s0", "br0", "bond0", "va", "vb", "tun0", "wg0", "tailscale0", "ppp0",
    "br-lan", "br-guest", "br-ex",
  ])
  func othersAreUsedByDefault(name: String) { #expect(InterfacePolicy().verdict(name) == .used) }

  @Test(arguments: [
    ("docker0", "docker*"), ("br-0123456789ab", "br-????????????"), ("veth12ab", "veth*"), ("virbr0", "virbr*"),
    ("vnet3", "vnet*"), ("lxdbr0", "lxdbr*"), ("podman1", "podman*"), ("cni0", "cni*"), ("ve-machine", "ve-*"),
    ("vmnet8", "vmnet*"), ("vboxnet0", "vboxnet*"),
  ])
  func containersAndVirtualMachinesAreNot(name: String, pattern: String) {
    #expect(InterfacePolicy().verdict(name) == .excluded(.builtIn(pattern: pattern)))
  }

  @Test func whatIsExcludedIsNotUsed() {
    let policy = InterfacePolicy(excluded: ["wg*", "eth[12]"])
    #expect(policy.verdict("wg0") == .excluded(.excluded(pattern: "wg*")))
    #expect(policy.verdict("eth2") == .excluded(.excluded(pattern: "eth[12]")))
    #expect(policy.verdict("eth0") == .used)
    #expect(policy.verdict("docker0") == .excluded(.builtIn(pattern: "docker*")))
  }

  @Test func whatIsNamedIsUsedAndNothingElse() {
    let policy = InterfacePolicy(interfaces: ["eth?", "docker0"], excluded: ["eth1"])
    #expect(policy.verdict("eth0") == .used)
    #expect(policy.verdict("docker0") == .used)
    #expect(policy.verdict("eth1") == .excluded(.excluded(pattern: "eth1")))
    #expect(policy.verdict("eth10") == .excluded(.notNamed))
    #expect(policy.verdict("lo") == .excluded(.notNamed))
    #expect(InterfacePolicy(interfaces: ["*"]).verdict("veth0") == .used)
  }

  @Test func theBuiltInExclusionsDoNotLeaveAMachineWithoutInterface() {
    let bridge = "br-0123456789ab"
    let bridges = InterfacePolicy().among(["docker0", bridge])
    #expect(bridges.uses("docker0") && bridges.uses(bridge))
    // A VPN is one that is used.
    let home = InterfacePolicy().among(["docker0", bridge, "br-lan", "wg0"])
    #expect(home.uses("br-lan") && !home.uses("docker0") && !home.uses(bridge))
    #expect(!bridges.among(["docker0", "eth0"]).uses("docker0"))
    let chosen = InterfacePolicy(excluded: ["docker*"]).among(["docker0"])
    #expect(!chosen.uses("docker0"))
    #expect(!InterfacePolicy(interfaces: ["eth0"]).among(["docker0"]).uses("docker0"))
  }

  @Test func excludedInterfacesAreNotAnnounced() {
    let addresses = [("lo", 1, true), ("eth0", 2, false), ("wg0", 3, false), ("docker0", 4, false)].map {
      HostAddress(
        interfaceName: $0.0,
        interface: $0.1,
        bytes: $0.2 ? [127, 0, 0, 1] : [10, 0, 0, UInt8($0.1)],
        isLoopback: $0.2
      )
    }
    func names(_ policy: InterfacePolicy) -> [String] {
      HostAddresses.announced(of: addresses, policy).map(\.interfaceName).sorted()
    }
    #expect(names(InterfacePolicy()) == ["eth0", "lo", "wg0"])
    #expect(names(InterfacePolicy(excluded: ["wg*"])) == ["eth0", "lo"])
    #expect(names(InterfacePolicy(excluded: ["wg*", "eth*"])) == ["docker0", "lo"])
    #expect(names(InterfacePolicy(interfaces: ["docker0"])) == ["docker0"])
  }

  @Test func eachInterfaceOfThisMachineHasAVerdict() {
    #expect(InterfacePolicy().verdicts().contains { $0.name == "lo" && $0.verdict == .used })
    let none = InterfacePolicy(excluded: ["*"]).verdicts()
    #expect(!none.isEmpty && none.allSatisfy { $0.verdict == .excluded(.excluded(pattern: "*")) })
  }

  private func host(_ names: [String]) -> [HostAddress] {
    names.enumerated().map { number, name in
      HostAddress(
        interfaceName: name,
        interface: UInt32(number + 1),
        bytes: name == "lo" ? [127, 0, 0, 1] : [10, 0, 0, UInt8(number)],
        isLoopback: name == "lo"
      )
    }
  }

  @Test func recordsAreForAllInterfacesWhereNoneIsLeftOut() {
    let (addresses, interfaces) = HostAddresses.announcement(of: host(["lo", "eth0"]), InterfacePolicy())
    #expect(addresses.count == 2)
    #expect(interfaces == [anyInterface])
  }

  @Test func recordsAreForTheInterfacesThatAreUsed() {
    let (addresses, interfaces) = HostAddresses.announcement(of: host(["lo", "docker0", "eth0"]), InterfacePolicy())
    #expect(addresses.map(\.interfaceName) == ["lo", "eth0"])
    #expect(interfaces == [1, 3])
    #expect(HostAddresses.announcement(of: host(["eth0"]), InterfacePolicy(excluded: ["*"])).interfaces.isEmpty)
  }

  @Test func manyInterfacesFitInOneGroup() {
    let names = ["docker0"] + (0..<40).map { "eth\($0)" }
    let (addresses, interfaces) = HostAddresses.announcement(of: host(names), InterfacePolicy())
    #expect(interfaces.count == HostAddresses.publishedInterfaces)
    #expect(addresses.count + 3 * interfaces.count <= HostAddresses.publishedRecords)
    #expect(Set(addresses.map { Int32($0.interface) }).isSubset(of: interfaces))
  }
}
