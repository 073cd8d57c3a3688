// SPDX-License-Identifier: Apache-2.0

/// A zone of firewalld: its rules apply to the interfaces and the senders that belong to it.
package struct FirewalldZone: Equatable, Sendable {
  /// What the zone lets in.
  package struct Contents: Equatable, Sendable {
    /// Whether it lets in everything that no rule refuses.
    package var accepts: Bool
    package var ports: [PortRange]
    /// The protocols of which it lets in everything.
    package var transports: [PortRange.Transport]
    package var services: [String]
    package var richRules: [FirewalldRichRule]

    package init(
      accepts: Bool = false,
      ports: [PortRange] = [],
      transports: [PortRange.Transport] = [],
      services: [String] = [],
      richRules: [FirewalldRichRule] = []
    ) {
      self.accepts = accepts
      self.ports = ports
      self.transports = transports
      self.services = services
      self.richRules = richRules
    }

    /// The services whose ports decide.
    package var namedServices: [String] {
      services + richRules.compactMap { if case .service(let name) = $0.subject { name } else { nil } }
    }

    /// Whether connections or packets to a port are let in, at least from some machines in these networks. firewalld
    /// applies rules that refuse before those that accept, unless they have a positive priority.
    ///
    /// - Parameter services: The ports of the services.
    func allows(
      _ transport: PortRange.Transport,
      _ port: UInt16,
      _ services: [String: [PortRange]],
      from networks: [OwnNetwork]
    ) -> Bool {
      let rules = richRules.filter { $0.isAbout(transport, port, services) }
      let refused = rules.filter { !$0.accepts && !$0.isLate }.map(\.scope)
      guard !refused.contains(where: { $0.coversAll(networks) }) else { return false }
      let opens = rules.contains { rule in
        rule.accepts && rule.scope.reaches(networks) && !refused.contains { $0.includes(rule.scope) }
      }
      return accepts || opens || transports.contains(transport)
        || ports.contains { $0.contains(transport, port) }
        || self.services.contains { services[$0]?.contains { $0.contains(transport, port) } ?? false }
    }
  }

  package let name: String
  /// The interfaces in it that Baton uses.
  package let interfaces: [String]
  /// The senders that it's also for, on any interface. For them, it comes before other zones.
  package let sources: [String]
  /// Nil if this user may not see them.
  package let contents: Contents?

  package init(_ name: String, interfaces: [String] = [], sources: [String] = [], _ contents: Contents?) {
    self.name = name
    self.interfaces = interfaces
    self.sources = sources
    self.contents = contents
  }

  /// Nil if this user may not see it.
  func missing(
    _ need: FirewallNeed,
    _ services: [String: [PortRange]],
    from networks: [OwnNetwork]
  ) -> FirewallNeed.Missing? {
    contents.map { contents in need.missing { contents.allows($0, $1, services, from: networks) } }
  }

  /// Whether it's for some senders in these networks. Those that a hardware address or a set names can't be judged.
  func hasSenders(in networks: [OwnNetwork]) -> Bool {
    sources.contains { source in AddressPrefix(source).map { RuleScope(senders: $0).reaches(networks) } ?? false }
  }
}
