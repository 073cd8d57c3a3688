// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The network interfaces on which this machine is announced and looks for others.
///
/// An interface is judged by its name, with shell patterns as in systemd's `Name=` (glob(7)). What the user excludes is
/// never used. If the user names interfaces, only those are used. Otherwise, all are used except the built-in
/// exclusions.
package struct InterfacePolicy: Equatable, Sendable {
  /// Why an interface is not used.
  package enum Rule: Equatable, Sendable {
    /// A pattern of `ExcludeInterfaces=`.
    case excluded(pattern: String)
    /// `Interfaces=` is set and does not name it.
    case notNamed
    /// A pattern of ``builtInExclusions``.
    case builtIn(pattern: String)
  }

  package enum Verdict: Equatable, Sendable {
    case used
    case excluded(Rule)
  }

  /// Bridges and interfaces of containers and virtual machines. Their networks belong to this machine, and cannot be
  /// reached from outside. VPNs are not excluded: an address is announced only on its own interface, and most VPNs
  /// carry no multicast anyway. One that does was set up to bring machines together.
  ///
  /// Docker's bridges are `br-` and 12 digits. Others of that kind, such as `br-lan`, are the networks of houses.
  package static let builtInExclusions = [
    "docker*", "br-????????????", "veth*", "virbr*", "vnet*", "vmnet*", "vboxnet*", "lxcbr*", "lxdbr*", "incusbr*",
    "podman*",
    "cni*",
    "cali*", "cilium*", "flannel*", "kube-*", "ve-*", "vb-*", "vz-*", "waydroid*", "dummy*", "ifb*",
  ]

  /// Patterns of `Interfaces=`. If empty, all interfaces match.
  package var interfaces: [String]
  /// Patterns of `ExcludeInterfaces=`.
  package var excluded: [String]
  private var hasBuiltIn = true

  package init(interfaces: [String] = [], excluded: [String] = []) {
    self.interfaces = interfaces
    self.excluded = excluded
  }

  /// - Parameter name: The interface's name, such as `eth0`.
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

  /// Returns the rule that excludes an interface of this name, in readable form; nil if the interface is used.
  package func exclusion(of name: String) -> String? {
    switch verdict(name) {
    case .used: nil
    case .excluded(.excluded(let pattern)): "ExcludeInterfaces=\(pattern)"
    case .excluded(.notNamed): "not in Interfaces="
    case .excluded(.builtIn(let pattern)): "\(pattern), virtual"
    }
  }

  package func uses(_ name: String) -> Bool { verdict(name) == .used }

  /// Returns the policy for a machine that has these interfaces. If the built-in exclusions would leave none, they do
  /// not apply.
  ///
  /// - Parameter names: The names of the interfaces with addresses, without loopback.
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
