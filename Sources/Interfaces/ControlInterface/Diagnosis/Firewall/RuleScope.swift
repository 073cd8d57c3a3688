// SPDX-License-Identifier: Apache-2.0

/// An address of this machine, and the network that it's in.
package struct OwnNetwork: Equatable, Sendable {
  package let interface: String
  package let network: AddressPrefix

  package init(_ interface: String, _ network: AddressPrefix) {
    self.interface = interface
    self.network = network
  }

  /// The address itself.
  var address: AddressPrefix? { AddressPrefix(network.bytes, length: network.bytes.count * 8) }
}

/// For which connections a firewall's rule is. Nil is for all of them.
package struct RuleScope: Equatable, Sendable {
  package var interface: String?
  package var senders: AddressPrefix?
  /// Whether it's for everybody but the senders.
  package var isInverted: Bool
  package var receivers: AddressPrefix?
  /// Whether it has a condition that can't be judged from here, such as a set of addresses.
  package var isUnclear: Bool

  package init(
    interface: String? = nil,
    senders: AddressPrefix? = nil,
    isInverted: Bool = false,
    receivers: AddressPrefix? = nil,
    isUnclear: Bool = false
  ) {
    self.interface = interface
    self.senders = senders
    self.isInverted = isInverted
    self.receivers = receivers
    self.isUnclear = isUnclear
  }

  /// Whether machines in one of these networks can be meant. If this machine has IPv4, a rule for IPv6 alone leaves out
  /// those that come by IPv4. Without networks, nothing can be told, and the person has decided.
  func reaches(_ networks: [OwnNetwork]) -> Bool {
    guard !isUnclear else { return false }
    let judged = Self.judged(networks)
    return judged.isEmpty || judged.contains(where: reaches)
  }

  /// Whether it's for all machines in all of these networks.
  func coversAll(_ networks: [OwnNetwork]) -> Bool {
    guard self != RuleScope() else { return true }
    let judged = Self.judged(networks)
    guard !isUnclear, !judged.isEmpty else { return false }
    return judged.allSatisfy { own in
      guard let senders else { return reaches(own) }
      return reaches(own) && (isInverted ? !senders.overlaps(own.network) : senders.contains(own.network))
    }
  }

  /// Whether whatever another scope means is in this one, too.
  func includes(_ other: RuleScope) -> Bool {
    guard self != RuleScope(), self != other else { return true }
    guard !isUnclear, !isInverted, !other.isInverted else { return false }
    func isWithin(_ outer: AddressPrefix?, _ inner: AddressPrefix?) -> Bool {
      outer.map { outer in inner.map(outer.contains) ?? false } ?? true
    }
    return (interface == nil || interface == other.interface) && isWithin(senders, other.senders)
      && isWithin(receivers, other.receivers)
  }

  private static func judged(_ networks: [OwnNetwork]) -> [OwnNetwork] {
    let ipv4 = networks.filter(\.network.isIPv4)
    return ipv4.isEmpty ? networks : ipv4
  }

  private func reaches(_ own: OwnNetwork) -> Bool {
    guard interface == nil || interface == own.interface else { return false }
    if let receivers, own.address.map(receivers.contains) != true { return false }
    guard let senders else { return true }
    // "NOT" an IPv6 network is about other IPv6 addresses, not about IPv4.
    guard senders.isIPv4 == own.network.isIPv4 else { return false }
    return isInverted ? !senders.contains(own.network) : senders.overlaps(own.network)
  }
}
