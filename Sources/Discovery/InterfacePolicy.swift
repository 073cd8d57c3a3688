import Glibc

/// Over which network interfaces this machine is announced and looks for others.
///
/// An interface is judged by its name, with shell patterns as in systemd's `Name=` (glob(7)). What the user excludes is
/// excluded; where the user names interfaces, it is those and no others; otherwise all but the built-in exclusions.
package struct InterfacePolicy: Equatable, Sendable {
  /// Why an interface is not used.
  package enum Rule: Equatable, Sendable {
    /// A pattern of `ExcludeInterfaces=`.
    case excluded(pattern: String)
    /// `Interfaces=` does not name it.
    case notNamed
    /// A pattern of ``builtInExclusions``.
    case builtIn(pattern: String)
  }

  package enum Verdict: Equatable, Sendable {
    case used
    case excluded(Rule)
  }

  /// Bridges and ends of containers and virtual machines: their networks are this machine's own, and what is behind them
  /// cannot be reached from outside. VPNs are not among them: an address is announced over its own interface alone, most
  /// VPNs carry no multicast anyway, and one that does was set up to bring machines together.
  package static let builtInExclusions = [
    "docker*", "br-*", "veth*", "virbr*", "vnet*", "vmnet*", "vboxnet*", "lxcbr*", "lxdbr*", "incusbr*", "podman*",
    "cni*",
    "cali*", "cilium*", "flannel*", "kube-*", "ve-*", "vb-*", "vz-*", "waydroid*", "dummy*", "ifb*",
  ]

  /// Patterns of `Interfaces=`; empty: all.
  package var interfaces: [String]
  /// Patterns of `ExcludeInterfaces=`.
  package var excluded: [String]
  private var hasBuiltIn = true

  package init(interfaces: [String] = [], excluded: [String] = []) {
    self.interfaces = interfaces
    self.excluded = excluded
  }

  /// - Parameter name: Of the interface, such as `eth0`.
  package func verdict(_ name: String) -> Verdict {
    if let pattern = Self.first(of: excluded, matching: name) { return .excluded(.excluded(pattern: pattern)) }
    guard interfaces.isEmpty else {
      return Self.first(of: interfaces, matching: name) == nil ? .excluded(.notNamed) : .used
    }
    if hasBuiltIn, let pattern = Self.first(of: Self.builtInExclusions, matching: name) {
      return .excluded(.builtIn(pattern: pattern))
    }
    return .used
  }

  /// The rule by which an interface of this name is not used, for people; nil where it is.
  package func exclusion(of name: String) -> String? {
    switch verdict(name) {
    case .used: nil
    case .excluded(.excluded(let pattern)): "ExcludeInterfaces=\(pattern)"
    case .excluded(.notNamed): "not among Interfaces="
    case .excluded(.builtIn(let pattern)): "\(pattern), virtual"
    }
  }

  package func uses(_ name: String) -> Bool { verdict(name) == .used }

  /// The policy on a machine that has these interfaces: where the built-in exclusions would leave none, they do not count.
  ///
  /// - Parameter names: Of the interfaces with addresses, without loopback.
  package func among(_ names: some Sequence<String>) -> InterfacePolicy {
    var policy = self
    policy.hasBuiltIn = true
    policy.hasBuiltIn = names.contains { policy.uses($0) }
    return policy
  }

  private static func first(of patterns: [String], matching name: String) -> String? {
    patterns.first { fnmatch($0, name, 0) == 0 }
  }
}
