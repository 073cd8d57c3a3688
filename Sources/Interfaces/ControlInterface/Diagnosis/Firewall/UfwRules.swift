// SPDX-License-Identifier: Apache-2.0

import Activity

/// The rules that a person has added to ufw, from `/etc/ufw/user.rules`. ufw repeats each of them in a comment:
/// `### tuple ### allow tcp 22866 0.0.0.0/0 any 0.0.0.0/0 in`.
package struct UfwRules: Equatable, Sendable {
  private struct Rule: Equatable, Sendable {
    let accepts: Bool
    let scope: RuleScope
    /// Nil for all protocols and ports.
    let ports: [PortRange]?
  }

  private let rules: [Rule]

  /// The maximum number of rules that are read, of which the first that fits decides.
  package static let ruleLimit = 4096

  /// - Parameter text: The contents of the file. Lines that are no rules for what comes in are ignored, as ufw does.
  package init(_ text: String) {
    rules = Array(
      text.splitScalars { $0 == "\n" }.lazy.compactMap { $0.rest(afterBytesOf: "### tuple ### ") }.compactMap(Self.rule)
        .prefix(Self.ruleLimit)
    )
  }

  private static func rule(_ line: Substring) -> Rule? {
    let fields = line.split(atScalar: " ").filter { !$0.starts(withBytesOf: "comment=") }
    // Without the direction, the rule is an old one, for what comes in.
    guard (6...9).contains(fields.count) else { return nil }
    let (name, transport, number) = (fields[0], fields[1], fields[2])  // Checked: there are six.
    let (receiver, senderPort, sender) = (fields[3], fields[4], fields[5])  // Checked: there are six.
    let hasDirection = fields.count % 2 == 1
    guard !hasDirection || fields.last?.starts(withBytesOf: "in") == true else { return nil }
    guard let action = name.splitScalars(where: { $0 == "_" }).first,
      ["allow", "limit", "deny", "reject"].contains(action)
    else { return nil }
    var scope = RuleScope()
    scope.interface = hasDirection ? fields.last?.rest(afterBytesOf: "in_").map { String($0) } : nil
    // Connections come from any port.
    scope.isUnclear = senderPort != "any"
    let anywhere: Set<Substring> = ["0.0.0.0/0", "::/0"]
    for (text, end) in [(receiver, \RuleScope.receivers), (sender, \RuleScope.senders)] where !anywhere.contains(text) {
      scope[keyPath: end] = AddressPrefix(text)
      if scope[keyPath: end] == nil { scope.isUnclear = true }
    }
    return Rule(accepts: action == "allow" || action == "limit", scope: scope, ports: ports(number, transport))
  }

  /// - Parameters:
  ///   - text: `22866`, `80,443`, `1714:1764` or `any`.
  ///   - transport: `tcp`, `udp`, `any`, or a protocol without ports.
  private static func ports(_ text: Substring, _ transport: Substring) -> [PortRange]? {
    let transports: [PortRange.Transport] =
      transport == "any" ? [.tcp, .udp] : PortRange.Transport(rawValue: String(transport)).map { [$0] } ?? []
    guard text != "any" else {
      return transport == "any" ? nil : transports.map { PortRange($0, 0...UInt16.max) }
    }
    return text.split(atScalar: ",").flatMap { part in transports.compactMap { PortRange(part, $0.rawValue) } }
  }

  /// Whether connections to a TCP port are let in, at least from some machines in these networks. The first rule that
  /// fits decides.
  ///
  /// - Parameter isOpen: Whether they are without a rule.
  func allows(_ port: UInt16, from networks: [OwnNetwork], otherwise isOpen: Bool) -> Bool {
    // Each interface has rules that are first for it. Without one, only rules for all are certain.
    let groups = Dictionary(grouping: networks, by: \.interface).values.map { $0 }
    return (groups.isEmpty ? [[]] : groups).contains { isAllowed(port, from: $0, otherwise: isOpen) }
  }

  private func isAllowed(_ port: UInt16, from networks: [OwnNetwork], otherwise isOpen: Bool) -> Bool {
    var refused: [RuleScope] = []
    for rule in rules where rule.ports?.contains(where: { $0.contains(.tcp, port) }) ?? true {
      if !rule.accepts {
        guard !rule.scope.coversAll(networks) else { return false }
        refused.append(rule.scope)
      } else if rule.scope.reaches(networks), !refused.contains(where: { $0.includes(rule.scope) }) {
        return true
      }
    }
    return isOpen
  }
}
