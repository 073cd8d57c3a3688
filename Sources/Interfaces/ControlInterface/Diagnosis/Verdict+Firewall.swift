// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

extension Verdict {
  /// What this machine's own firewalls let in.
  ///
  /// - Parameters:
  ///   - need: Nil if batond takes any free port.
  ///   - isConnected: Whether another machine is connected, so that a firewall here isn't what keeps the two apart.
  package static func firewall(_ report: FirewallReport, _ need: FirewallNeed?, isConnected: Bool) -> [Finding] {
    guard report != FirewallReport() else { return [] }
    guard let need else {
      return [
        Finding(
          .firewall,
          .note,
          localized("This machine has a firewall, and batond uses a different port after each start."),
          advice: localized("Set a fixed Port= in batond.conf, and open that port in the firewall.")
        )
      ]
    }
    let gaps = report.gaps(for: need)
    var findings = gaps.map { finding($0, isConnected) }
    switch report.firewalld {
    case .zones where !gaps.contains(where: \.isOfFirewalld):
      findings.append(Finding(.firewall, .passed, localized("firewalld lets other machines connect.")))
    case .silent:
      findings.append(
        Finding(
          .firewall,
          .note,
          localized("firewalld isn't responding, so its rules can't be checked."),
          advice: localized("Run `sudo systemctl restart firewalld`.")
        )
      )
    default: break
    }
    if report.ufw != nil, gaps.allSatisfy(\.isOfFirewalld) {
      findings.append(Finding(.firewall, .passed, localized("ufw lets other machines connect.")))
    }
    if !report.services.isEmpty {
      findings.append(
        Finding(
          .firewall,
          .note,
          localized("The rules of \(list(report.services)) may block connections. Only root can see them."),
          advice: localized(
            "They must allow TCP port \(need.port) and UDP port \(FirewallNeed.multicastPort). List them with `sudo nft list ruleset`."
          )
        )
      )
    }
    return findings
  }

  private static func finding(_ gap: FirewallGap, _ isConnected: Bool) -> Finding {
    let open = FirewallGap.text(gap.commands), close = FirewallGap.text(gap.undoing)
    return Finding(
      .firewall,
      gap.isCertain && !isConnected ? .failed : .note,
      gap.explanation,
      reason: gap.missing.port ? .portClosed : .multicastBlocked,
      advice: localized("To open it, run `\(open)`. To undo that, run `\(close)`.")
    )
  }
}

extension FirewallGap {
  fileprivate var isOfFirewalld: Bool { if case .firewalld = firewall { true } else { false } }

  /// What is blocked, where, and what follows from that.
  package var explanation: String {
    switch firewall {
    case .ufw where isCertain: localized("ufw blocks connections from other machines to TCP port \(need.port).")
    case .ufw:
      localized("ufw is active, and may block TCP port \(need.port). Only root can see its rules.")
    case .firewalld(let zone, let interfaces) where !isCertain:
      localized(
        "firewalld may block other machines on \(Verdict.list(interfaces)) (zone \(zone)). Only root can see its rules."
      )
    case .firewalld(let zone, let interfaces): explanation(zone, Verdict.list(interfaces))
    }
  }

  private func explanation(_ zone: String, _ interfaces: String) -> String {
    switch (missing.port, missing.multicast) {
    case (true, true):
      localized(
        """
        firewalld blocks connections from other machines to TCP port \(need.port) and multicast DNS on \(interfaces) \
        (zone \(zone)).
        """
      )
    case (true, false):
      localized(
        "firewalld blocks connections from other machines to TCP port \(need.port) on \(interfaces) (zone \(zone))."
      )
    case (false, _):
      localized("firewalld blocks multicast DNS on \(interfaces) (zone \(zone)), so this machine can't find others.")
    }
  }
}
