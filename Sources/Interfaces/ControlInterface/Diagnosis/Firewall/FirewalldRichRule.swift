// SPDX-License-Identifier: Apache-2.0

import Activity

/// A rule in firewalld's rich language (firewalld.richlanguage(5)), as far as it decides about a port.
///
/// Rules that log, mark or forward decide nothing, and give nil.
package struct FirewalldRichRule: Equatable, Sendable {
  package enum Subject: Equatable, Sendable {
    case everything
    case service(String)
    case ports(PortRange)
    case transport(PortRange.Transport)
    /// An element that has nothing to do with ports of TCP and UDP.
    case other
  }

  package let subject: Subject
  package let accepts: Bool
  package let scope: RuleScope
  /// A rule with a positive priority comes after those of the zone.
  package let isLate: Bool

  package init?(_ text: String) {
    let words = Self.words(text)
    guard words.first == "rule", let action = words.first(where: { ["accept", "reject", "drop"].contains($0) }) else {
      return nil
    }
    func value(_ name: String) -> String? {
      words.lazy.compactMap { $0.rest(afterBytesOf: "\(name)=") }.first.map(Self.unquoted)
    }
    accepts = action == "accept"
    scope = Self.scope(words)
    isLate = value("priority").flatMap { Int($0) }.map { $0 > 0 } ?? false
    subject = Self.subject(words, value)
  }

  /// The words, which quotation marks may hold together.
  private static func words(_ text: String) -> [Substring] {
    var isQuoted = false
    return text.splitScalars { scalar in
      if scalar == "\"" { isQuoted.toggle() }
      return scalar == " " && !isQuoted
    }
  }

  private static func scope(_ words: [Substring]) -> RuleScope {
    var scope = RuleScope()
    var end: WritableKeyPath<RuleScope, AddressPrefix?>?
    let family = words.lazy.compactMap { $0.rest(afterBytesOf: "family=") }.first.map(unquoted)
    for word in words {
      switch word {
      case "source": end = \.senders
      case "destination": end = \.receivers
      case "NOT", "not":
        // Whoever isn't one receiver can be any other.
        if end == \.senders { scope.isInverted = true } else { scope.isUnclear = true }
      default:
        if let end, let text = word.rest(afterBytesOf: "address=") {
          scope[keyPath: end] = AddressPrefix(unquoted(text))
          if scope[keyPath: end] == nil { scope.isUnclear = true }
        } else if let text = word.rest(afterBytesOf: "invert="), ["true", "yes"].contains(unquoted(text).lowercased()) {
          if end == \.senders { scope.isInverted = true } else { scope.isUnclear = true }
        } else if word.rest(afterBytesOf: "ipset=") != nil || word.rest(afterBytesOf: "mac=") != nil {
          // Machines on this network, or not.
          scope.isUnclear = true
        }
      }
    }
    if scope.senders == nil, let family {
      scope.senders = family == "ipv6" ? AddressPrefix("::/0") : family == "ipv4" ? AddressPrefix("0.0.0.0/0") : nil
    }
    return scope
  }

  private static func unquoted(_ text: Substring) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\"" }))
  }

  private static func subject(_ words: [Substring], _ value: (String) -> String?) -> Subject {
    func has(_ word: String) -> Bool { words.contains { $0.hasBytes(of: word) } }
    if has("service") { return value("name").map(Subject.service) ?? .other }
    if has("port") {
      return value("port").flatMap { port in value("protocol").flatMap { PortRange(port, $0) } }.map(Subject.ports)
        ?? .other
    }
    if has("protocol") {
      return value("value").flatMap { PortRange.Transport(rawValue: $0) }.map(Subject.transport) ?? .other
    }
    let others: Set<Substring> = [
      "forward-port", "source-port", "icmp-block", "icmp-type", "masquerade", "tcp-mss-clamp",
    ]
    return words.contains(where: others.contains) ? .other : .everything
  }

  /// Whether it decides about a port.
  ///
  /// - Parameter services: The ports of the services that it may name.
  func isAbout(_ transport: PortRange.Transport, _ port: UInt16, _ services: [String: [PortRange]]) -> Bool {
    switch subject {
    case .everything: true
    case .service(let name): services[name]?.contains { $0.contains(transport, port) } ?? false
    case .ports(let range): range.contains(transport, port)
    case .transport(let named): named == transport
    case .other: false
    }
  }
}
