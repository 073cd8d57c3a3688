// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Testing

@Suite struct FirewalldZoneTests {
  private let need = FirewallNeed(port: 22866, usesMulticast: true)
  private let known: [String: [PortRange]] = [
    "baton": [PortRange(.tcp, 22866...22866), PortRange(.udp, 5353...5353)], "mdns": [PortRange(.udp, 5353...5353)],
    "ssh": [PortRange(.tcp, 22...22)],
  ]

  private let networks = ["10.1.2.3/24", "fe80::3/64"].compactMap { AddressPrefix($0).map { OwnNetwork("wlan0", $0) } }

  /// What the gaps of one zone are, as text.
  private func missing(_ contents: FirewalldZone.Contents?, need: FirewallNeed? = nil) -> String {
    let zone = FirewalldZone("public", interfaces: ["wlan0"], contents)
    let report = FirewallReport(firewalld: .zones([zone], services: known), networks: networks)
    let gaps = report.gaps(for: need ?? self.need)
    return gaps.map { gap in
      [gap.isCertain ? "" : "perhaps", gap.missing.port ? "port" : "", gap.missing.multicast ? "multicast" : ""]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }.joined(separator: ", ")
  }

  private func rules(_ texts: String...) -> FirewalldZone.Contents {
    FirewalldZone.Contents(services: ["mdns"], richRules: texts.compactMap { FirewalldRichRule($0) })
  }

  @Test func portsAndServicesOpen() {
    #expect(missing(.init(services: ["ssh"])) == "port multicast")
    #expect(missing(.init(services: ["ssh", "mdns"])) == "port")
    #expect(missing(.init(services: ["baton"])) == "")
    #expect(missing(.init(services: ["unknown"])) == "port multicast")
    #expect(missing(.init(ports: [PortRange(.tcp, 1025...65535)])) == "multicast")
    #expect(missing(.init(ports: [PortRange(.udp, 0...65535)])) == "port")
    #expect(missing(.init(transports: [.tcp, .udp])) == "")
    #expect(missing(.init(accepts: true)) == "")
    #expect(missing(nil) == "perhaps port multicast")
    let unseen = FirewallNeed(port: 22866, usesMulticast: false)
    #expect(missing(.init(ports: [PortRange(.tcp, 22866...22866)]), need: unseen) == "")
    #expect(missing(nil, need: unseen) == "perhaps port")
  }

  @Test func richRulesDecide() {
    #expect(missing(rules("rule family=\"ipv4\" port port=\"22866\" protocol=\"tcp\" accept")) == "")
    #expect(missing(rules("rule family=\"ipv4\" source address=\"10.0.0.0/8\" service name=\"baton\" accept")) == "")
    #expect(missing(rules("rule service name=\"ssh\" accept")) == "port")
    #expect(missing(rules("rule port port=\"22000-23000\" protocol=\"tcp\" log prefix=\"we drop it\" accept")) == "")
    #expect(missing(rules("rule port port=\"22866\" protocol=\"tcp\" log prefix=\"accept all\"")) == "port")
    #expect(missing(rules("rule protocol value=\"tcp\" accept")) == "")
    #expect(missing(rules("rule forward-port port=\"22866\" protocol=\"tcp\" to-port=\"1\" accept")) == "port")
    #expect(missing(rules("rule icmp-type name=\"baton\" accept")) == "port")
    var contents = rules("rule port port=\"22866\" protocol=\"tcp\" reject type=\"tcp-reset\"")
    contents.services = ["baton"]
    #expect(missing(contents) == "port")
    contents.richRules = [FirewalldRichRule("rule priority=\"5\" drop")].compactMap(\.self)
    #expect(missing(contents) == "")
    contents.richRules = [FirewalldRichRule("rule source address=\"10.1.1.1\" drop")].compactMap(\.self)
    #expect(missing(contents) == "")
    contents.richRules = [FirewalldRichRule("rule drop")].compactMap(\.self)
    #expect(missing(contents) == "port multicast")
  }

  @Test(
    arguments: [
      "family=\"ipv4\" source address=\"192.168.0.0/16\"", "family=\"ipv6\"",
      "family=\"ipv6\" source address=\"fe80::/10\"", "family=\"ipv6\" source NOT address=\"fd00::/8\"",
      "source NOT address=\"10.0.0.0/8\"", "source address=\"10.0.0.0/8\" invert=\"True\"", "source ipset=\"home\"",
      "source mac=\"00:11:22:33:44:55\"", "family=\"ipv4\" destination address=\"10.1.2.4\"",
      "destination NOT address=\"10.1.2.4\"", "source address=\"home\"",
    ]
  )
  func rulesForOthersOpenNothing(scope: String) {
    #expect(missing(rules("rule \(scope) port port=\"22866\" protocol=\"tcp\" accept")) == "port")
    // Nor do they shut anything.
    #expect(missing(rules("rule \(scope) drop", "rule service name=\"baton\" accept")) == "")
  }

  @Test func rulesForThisNetworkDecide() {
    let port = "port port=\"22866\" protocol=\"tcp\""
    for scope in [
      "family=\"ipv4\"", "source address=\"10.1.2.0/24\"", "source NOT address=\"10.1.2.9\"",
      "destination address=\"10.1.2.3\"",
    ] { #expect(missing(rules("rule \(scope) \(port) accept")) == "") }
    #expect(missing(rules("rule source address=\"10.0.0.0/8\" \(port) reject", "rule \(port) accept")) == "port")
    let part = "rule source address=\"10.1.2.9\" \(port)"
    #expect(missing(rules("\(part) accept", "\(part) drop")) == "port")
  }

  @Test(arguments: [
    "", "rule", "accept", "rule mark set=1", "\"rule accept", "rule port port=\"x\" protocol=\"tcp\" accept",
  ])
  func oddRulesOpenNothing(text: String) { #expect(missing(rules(text)) == "port") }

  @Test(arguments: [
    ("", "tcp"), ("0x10", "tcp"), ("1-2-3", "tcp"), ("9-8", "udp"), ("65536", "tcp"), ("22", "sctp"), ("-", "tcp"),
  ])
  func whatIsNoPortIsNone(text: String, transport: String) { #expect(PortRange(text, transport) == nil) }

  @Test func senderZonesThatAreOpenDecide() {
    let shut = FirewalldZone("public", interfaces: ["wlan0"], .init())
    func gaps(_ zones: [FirewalldZone]) -> Int {
      FirewallReport(firewalld: .zones(zones, services: known), networks: networks).gaps(for: need).count
    }
    func home(_ source: String) -> FirewalldZone {
      FirewalldZone("home", sources: [source], .init(services: ["baton"]))
    }
    #expect(gaps([shut, home("10.1.2.0/24")]) == 0)
    #expect(gaps([shut, home("10.1.2.9")]) == 0)
    for other in ["10.1.3.0/24", "fe80::/10", "ipset:home", "00:11:22:33:44:55", "192.168.0.0/16", ""] {
      #expect(gaps([shut, home(other)]) == 1)
    }
    #expect(gaps([shut, FirewalldZone("home", sources: ["10.0.0.0/8"], .init())]) == 1)
    #expect(gaps([shut, FirewalldZone("work", interfaces: ["eth0"], .init(services: ["baton"]))]) == 1)
    #expect(gaps([shut, FirewalldZone("work", interfaces: ["eth0"], .init())]) == 2)
  }

  @Test func onlyWhatWasAddedIsUndone() {
    let undoing = FirewallGap.undoing(zone: "home", permanent: [.port(22866)], now: [.service("mdns")])
    #expect(
      FirewallGap.text(undoing)
        == "sudo firewall-cmd --permanent --zone=home --remove-port=22866/tcp && sudo firewall-cmd --zone=home --remove-service=mdns"
    )
    #expect(FirewallGap.undoing(zone: "home", permanent: [], now: []).isEmpty)
  }

  @Test func theCommandsAreThoseOfFirewalld() {
    func commands(_ missing: FirewallNeed.Missing, port: UInt16 = 22866) -> (String, String) {
      let need = FirewallNeed(port: port, usesMulticast: true)
      let gap = FirewallGap(.firewalld(zone: "home", interfaces: ["eth0"]), missing, need, isCertain: true)
      return (FirewallGap.text(gap.commands), FirewallGap.text(gap.undoing))
    }
    let reload = " && sudo firewall-cmd --reload"
    let zone = "sudo firewall-cmd --permanent --zone=home"
    #expect(
      commands(.init(port: true, multicast: true)) == (
        "\(zone) --add-port=22866/tcp && \(zone) --add-service=mdns\(reload)",
        "\(zone) --remove-port=22866/tcp && \(zone) --remove-service=mdns\(reload)"
      )
    )
    #expect(commands(.init(port: false, multicast: true)).0 == "\(zone) --add-service=mdns\(reload)")
    #expect(
      commands(.init(port: true, multicast: true), port: 4000).0
        == "\(zone) --add-port=4000/tcp && \(zone) --add-service=mdns\(reload)"
    )
    #expect(commands(.init(port: true, multicast: false), port: 4000).1 == "\(zone) --remove-port=4000/tcp\(reload)")
  }
}
