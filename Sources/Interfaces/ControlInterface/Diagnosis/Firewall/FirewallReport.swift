// SPDX-License-Identifier: Apache-2.0

/// What can be seen of this machine's firewalls.
package struct FirewallReport: Equatable, Sendable {
  package enum Firewalld: Equatable, Sendable {
    /// The zones of the interfaces that Baton uses and those with sources, and the ports of the services they name.
    case zones([FirewalldZone], services: [String: [PortRange]])
    /// It doesn't answer, or not as firewalld does.
    case silent
  }

  package struct Ufw: Equatable, Sendable {
    /// Whether it lets in everything that no rule refuses.
    package let accepts: Bool
    /// Nil if this user may not read them.
    package let rules: UfwRules?
    /// Whether it has the profile `Baton`.
    package let hasProfile: Bool

    package init(accepts: Bool, rules: UfwRules?, hasProfile: Bool) {
      self.accepts = accepts
      self.rules = rules
      self.hasProfile = hasProfile
    }
  }

  /// Nil if it doesn't run.
  package var firewalld: Firewalld?
  /// Nil if it isn't enabled.
  package var ufw: Ufw?
  /// The units that have loaded a person's own rules, which only root can see.
  package var services: [String]
  /// The networks of the interfaces that Baton uses. Rules for others let in none of a person's machines there.
  package var networks: [OwnNetwork]

  package init(
    firewalld: Firewalld? = nil,
    ufw: Ufw? = nil,
    services: [String] = [],
    networks: [OwnNetwork] = []
  ) {
    self.networks = networks
    self.firewalld = firewalld
    self.ufw = ufw
    self.services = services
  }

  /// What keeps other machines out, and can be opened.
  package func gaps(for need: FirewallNeed) -> [FirewallGap] {
    var gaps: [FirewallGap] = []
    if case .zones(let zones, let services) = firewalld {
      for zone in zones where !zone.interfaces.isEmpty {
        let own = networks.filter { zone.interfaces.contains($0.interface) }
        // Whoever opened a zone for certain senders in the network has decided who may connect.
        let isDecided = zones.contains {
          $0.interfaces.isEmpty && $0.hasSenders(in: own) && $0.missing(need, services, from: own)?.isEmpty == true
        }
        let missing = zone.missing(need, services, from: own)
        guard !isDecided, missing?.isEmpty != true else { continue }
        let all = FirewallNeed.Missing(port: true, multicast: need.usesMulticast)
        let firewall = FirewallGap.Firewall.firewalld(zone: zone.name, interfaces: zone.interfaces)
        gaps.append(FirewallGap(firewall, missing ?? all, need, isCertain: missing != nil))
      }
    }
    // ufw itself lets in multicast DNS.
    if let ufw, ufw.rules?.allows(need.port, from: networks, otherwise: ufw.accepts) != true,
      ufw.rules != nil || !ufw.accepts
    {
      let missing = FirewallNeed.Missing(port: true, multicast: false)
      gaps.append(FirewallGap(.ufw(hasProfile: ufw.hasProfile), missing, need, isCertain: ufw.rules != nil))
    }
    return gaps
  }
}
