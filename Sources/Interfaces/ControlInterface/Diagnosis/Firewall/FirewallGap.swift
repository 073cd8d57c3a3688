// SPDX-License-Identifier: Apache-2.0

/// A firewall that keeps other machines out, and the rules that let them in.
package struct FirewallGap: Equatable, Sendable {
  package enum Firewall: Equatable, Sendable {
    case firewalld(zone: String, interfaces: [String])
    case ufw(hasProfile: Bool)
  }

  /// A rule of firewalld.
  package enum Rule: Equatable, Sendable {
    case service(String)
    case port(UInt16)

    /// `service=mdns` or `port=22866/tcp`, as in the options of firewall-cmd(1).
    var option: String {
      switch self {
      case .service(let name): "service=\(name)"
      case .port(let number): "port=\(number)/tcp"
      }
    }
  }

  package let firewall: Firewall
  package let missing: FirewallNeed.Missing
  package let need: FirewallNeed
  /// False if this user may not see the rules, so that it may be open already.
  package let isCertain: Bool

  package init(_ firewall: Firewall, _ missing: FirewallNeed.Missing, _ need: FirewallNeed, isCertain: Bool) {
    self.firewall = firewall
    self.missing = missing
    self.need = need
    self.isCertain = isCertain
  }

  /// The rules for firewalld. They don't name Baton's own service: once it's uninstalled, firewalld would refuse the
  /// zone that names it, and with it all of the user's configuration.
  package var rules: [Rule] {
    (missing.port ? [.port(need.port)] : []) + (missing.multicast ? [.service("mdns")] : [])
  }

  /// The commands that let the machines in, for root.
  package var commands: [[String]] {
    switch firewall {
    case .firewalld(let zone, _): Self.commands(zone, rules.map { "--add-\($0.option)" })
    case .ufw: [["ufw", "allow", profile]]
    }
  }

  /// The commands that undo that.
  package var undoing: [[String]] {
    switch firewall {
    case .firewalld(let zone, _): Self.commands(zone, rules.map { "--remove-\($0.option)" })
    case .ufw: [["ufw", "delete", "allow", profile]]
    }
  }

  /// The commands that remove from firewalld what was added, and nothing else. They don't reload its rules, which would
  /// drop what a person has added until the next start.
  package static func undoing(zone: String, permanent: [Rule], now: [Rule]) -> [[String]] {
    permanent.map { ["firewall-cmd", "--permanent", "--zone=\(zone)", "--remove-\($0.option)"] }
      + now.map { ["firewall-cmd", "--zone=\(zone)", "--remove-\($0.option)"] }
  }

  private static func commands(_ zone: String, _ options: [String]) -> [[String]] {
    options.map { ["firewall-cmd", "--permanent", "--zone=\(zone)", $0] } + [["firewall-cmd", "--reload"]]
  }

  private var profile: String {
    if case .ufw(hasProfile: true) = firewall, need.hasProfile { return "Baton" }
    return "\(need.port)/tcp"
  }

  /// Commands as a person types them.
  package static func text(_ commands: [[String]]) -> String {
    commands.map { (["sudo"] + $0).joined(separator: " ") }.joined(separator: " && ")
  }
}
