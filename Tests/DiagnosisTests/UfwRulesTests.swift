// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Testing

@Suite struct UfwRulesTests {
  private func isOpen(_ tuples: String..., accepts: Bool = false, networks: [OwnNetwork]? = nil) -> Bool {
    let text = tuples.map { "\n### tuple ### \($0)\n-A ufw-user-input -j ACCEPT\n" }.joined()
    let ufw = FirewallReport.Ufw(
      accepts: accepts,
      rules: UfwRules("*filter\n### RULES ###\n\(text)COMMIT\n"),
      hasProfile: true
    )
    let own =
      networks ?? ["192.168.1.5/24", "fe80::5/64"].compactMap { AddressPrefix($0).map { OwnNetwork("eth0", $0) } }
    return FirewallReport(ufw: ufw, networks: own).gaps(for: FirewallNeed(port: 22866, usesMulticast: true)).isEmpty
  }

  @Test(
    arguments: [
      "allow tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in", "allow any 22866 0.0.0.0/0 any 0.0.0.0/0 in",
      "allow tcp 22866 0.0.0.0/0 any 0.0.0.0/0 Baton - in", "limit tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in comment=6162",
      "allow_log tcp 22000:23000 0.0.0.0/0 any 0.0.0.0/0 in", "allow tcp 80,22866 0.0.0.0/0 any 0.0.0.0/0 in",
      "allow any any 0.0.0.0/0 any 192.168.1.0/24 in", "allow tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in_eth0",
      "allow tcp any 0.0.0.0/0 any 0.0.0.0/0", "allow any any 0.0.0.0/0 any 0.0.0.0/0 in",
    ]
  )
  func whatOpensIt(tuple: String) { #expect(isOpen(tuple)) }

  @Test(
    arguments: [
      "allow udp 22866 0.0.0.0/0 any 0.0.0.0/0 in", "allow tcp 22866 0.0.0.0/0 any 0.0.0.0/0 out",
      "deny tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in", "route:allow tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in",
      "allow tcp 22867 0.0.0.0/0 any 0.0.0.0/0 in", "allow gre any 0.0.0.0/0 any 0.0.0.0/0 in", "allow", "",
      "allow tcp 22866",
      "allow tcp 99999 0.0.0.0/0 any 0.0.0.0/0 in", "allow tcp 22866 a b c d e f g h i",
    ]
  )
  func whatDoesNot(tuple: String) { #expect(!isOpen(tuple)) }

  /// As `ufw allow from 10.0.0.0/8`, `ufw allow in on wlan0`, `ufw allow from any port 53`.
  @Test(
    arguments: [
      "allow any any 0.0.0.0/0 any 10.0.0.0/8 in", "allow tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in_wlan0",
      "allow tcp 22866 192.168.2.5 any 0.0.0.0/0 in", "allow tcp 22866 192.168.1.4 any 0.0.0.0/0 in",
      "allow tcp 22866 0.0.0.0/0 53 0.0.0.0/0 in", "allow tcp 22866 0.0.0.0/0 any 192.168.2.0/255.255.255.0 in",
      "allow tcp 22866 ::/0 any fe80::/10 in", "allow tcp 22866 0.0.0.0/0 any here in",
    ]
  )
  func rulesForOthersOpenNothing(tuple: String) {
    #expect(!isOpen(tuple))
    // Nor do they hide the one after them.
    #expect(isOpen(tuple, "limit tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in"))
    #expect(isOpen("deny" + tuple.dropFirst("allow".count), accepts: true))
  }

  @Test func aDenialOfTheWholeNetworkDecides() {
    let allow = "allow tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in"
    for denial in [
      "deny any any 0.0.0.0/0 any 192.168.0.0/16 in", "reject tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in_eth0",
      "deny tcp 22866 192.168.1.5 any 0.0.0.0/0 in",
    ] { #expect(!isOpen(denial, allow)) }
    // What is refused isn't open because it's also allowed later.
    let part = "any any 0.0.0.0/0 any 192.168.1.0/28 in"
    #expect(!isOpen("deny \(part)", "allow \(part)"))
    #expect(isOpen("allow \(part)", "deny \(part)"))
    // Another interface may be open.
    let both = [("eth0", "192.168.1.5/24"), ("wlan0", "10.0.0.5/8")].compactMap { name, text in
      AddressPrefix(text).map { OwnNetwork(name, $0) }
    }
    #expect(isOpen("deny any any 0.0.0.0/0 any 0.0.0.0/0 in_eth0", allow, networks: both))
    let wireless = "allow tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in_wlan0"
    #expect(!isOpen("deny any any 0.0.0.0/0 any 10.0.0.0/8 in", wireless, networks: both))
  }

  @Test func withoutANetworkThePersonHasDecided() {
    #expect(isOpen("allow any any 0.0.0.0/0 any 10.0.0.0/8 in", networks: []))
  }

  @Test func theFirstRuleThatFitsDecides() {
    let allow = "allow tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in", deny = "deny any any 0.0.0.0/0 any 0.0.0.0/0 in"
    #expect(isOpen(allow, deny))
    #expect(!isOpen(deny, allow))
    // A denial for some leaves the others.
    #expect(isOpen("deny any any 0.0.0.0/0 any 10.1.1.1 in", allow))
    #expect(isOpen(accepts: true))
    #expect(!isOpen("reject tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in", accepts: true))
  }

  @Test func rulesThatOnlyRootMaySeeAreNoProof() {
    func gaps(accepts: Bool) -> [FirewallGap] {
      FirewallReport(ufw: .init(accepts: accepts, rules: nil, hasProfile: true)).gaps(
        for: FirewallNeed(port: 22866, usesMulticast: true)
      )
    }
    #expect(gaps(accepts: false).map(\.isCertain) == [false])
    #expect(gaps(accepts: true).isEmpty)
  }

  @Test func theProfileIsNamedIfItIsThere() {
    func command(_ port: UInt16, hasProfile: Bool) -> [String] {
      let gap = FirewallGap(
        .ufw(hasProfile: hasProfile),
        .init(port: true, multicast: false),
        FirewallNeed(port: port, usesMulticast: true),
        isCertain: true
      )
      return [FirewallGap.text(gap.commands), FirewallGap.text(gap.undoing)]
    }
    #expect(command(22866, hasProfile: true) == ["sudo ufw allow Baton", "sudo ufw delete allow Baton"])
    #expect(command(22866, hasProfile: false)[0] == "sudo ufw allow 22866/tcp")
    #expect(command(4000, hasProfile: true)[1] == "sudo ufw delete allow 4000/tcp")
  }
}
