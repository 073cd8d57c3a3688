// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Testing

@Suite struct FirewallVerdictTests {
  private let need = FirewallNeed(port: 22866, usesMulticast: true)

  private func zone(_ contents: FirewalldZone.Contents?) -> FirewallReport {
    FirewallReport(firewalld: .zones([FirewalldZone("public", interfaces: ["wlan0"], contents)], services: [:]))
  }

  private func findings(_ report: FirewallReport, isConnected: Bool = false) -> [Verdict.Finding] {
    Verdict.firewall(report, need, isConnected: isConnected)
  }

  @Test func withoutAFirewallThereIsNothingToSay() {
    #expect(findings(FirewallReport()).isEmpty)
    #expect(Verdict.firewall(FirewallReport(), nil, isConnected: false).isEmpty)
  }

  @Test func whatIsShutFailsUnlessAMachineIsConnected() {
    let shut = findings(zone(.init()))
    #expect(shut.map(\.outcome) == [.failed])
    #expect(shut[0].reason == .portClosed)
    #expect(shut[0].advice?.contains("`sudo firewall-cmd --permanent --zone=public --add-port=22866/tcp && ") == true)
    #expect(findings(zone(.init()), isConnected: true).map(\.outcome) == [.note])
    let found = findings(zone(.init(ports: [PortRange(.tcp, 22866...22866)])))
    #expect(found.map(\.reason) == [.multicastBlocked])
  }

  @Test func whatIsOpenPasses() {
    #expect(findings(zone(.init(accepts: true))).map(\.outcome) == [.passed])
    let ufw = FirewallReport(ufw: .init(accepts: true, rules: nil, hasProfile: true))
    #expect(findings(ufw).map(\.detail) == ["ufw lets other machines connect."])
  }

  @Test func whatCannotBeSeenIsANote() {
    for report in [
      zone(nil), FirewallReport(firewalld: .silent), FirewallReport(services: ["nftables.service"]),
      FirewallReport(ufw: .init(accepts: false, rules: nil, hasProfile: true)),
    ] {
      #expect(findings(report).map(\.outcome) == [.note])
      #expect(findings(report)[0].advice?.contains("`sudo ") == true)
    }
  }

  @Test func eachFirewallHasAFinding() {
    var report = zone(.init())
    report.ufw = .init(accepts: false, rules: UfwRules(""), hasProfile: true)
    report.services = ["nftables.service"]
    #expect(findings(report).map(\.outcome) == [.failed, .failed, .note])
  }

  @Test func aPortThatChangesCannotBeOpened() {
    let found = Verdict.firewall(zone(.init()), nil, isConnected: false)
    #expect(found.map(\.outcome) == [.note])
    #expect(found[0].advice?.contains("Port=") == true)
  }
}
