// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

extension Verdict {
  /// How D-Bus and Avahi replied.
  package enum Avahi: Equatable, Sendable {
    case answers
    /// `busUnavailable` or `discoveryUnavailable`, with the library's error message.
    case fails(Reason, detail: String)
    /// Discovery is off by configuration.
    case disabled
  }

  package static func bus(_ avahi: Avahi) -> Finding {
    switch avahi {
    case .disabled: Finding(.bus, .skipped, localized("Discovery is turned off in batond.conf."))
    case .fails(.busUnavailable, let detail):
      Finding(
        .bus,
        .failed,
        localized("Can't use the system's D-Bus: \(detail)."),
        reason: .busUnavailable,
        advice: localized(
          "Run `sudo systemctl start dbus`. In a container or sandbox, give batond access to the system bus."
        )
      )
    case .answers, .fails: Finding(.bus, .passed, localized("D-Bus is running."))
    }
  }

  /// - Parameters:
  ///   - isCrowded: Whether Avahi tells of so many instances that its cache may be full.
  ///   - isMuted: Whether its configuration lets no program announce anything.
  package static func avahi(_ avahi: Avahi, isCrowded: Bool = false, isMuted: Bool = false) -> Finding {
    switch avahi {
    case .disabled:
      Finding(
        .avahi,
        .note,
        localized("Discovery is turned off in batond.conf, so Baton doesn't find other machines automatically."),
        advice: localized("To turn it on, set Discovery=yes there, and run `sudo systemctl reload batond`.")
      )
    case .fails(.busUnavailable, _): Finding(.avahi, .skipped, localized("Avahi can only be reached over D-Bus."))
    case .fails(let reason, let detail):
      Finding(
        .avahi,
        .failed,
        localized("avahi-daemon isn't responding: \(detail)."),
        reason: reason,
        advice: localized("Run `sudo systemctl enable --now avahi-daemon`.")
      )
    case .answers where isMuted:
      Finding(
        .avahi,
        .failed,
        localized("Avahi doesn't let programs announce anything, so other machines can't find this one."),
        reason: .discoveryUnavailable,
        advice: localized(
          """
          Remove disable-user-service-publishing=yes and disable-publishing=yes from /etc/avahi/avahi-daemon.conf, and run \
          `sudo systemctl restart avahi-daemon`. Or add this machine's address on the others: `baton machine add HOST`, or \
          `baton team join --address HOST`.
          """
        )
      )
    case .answers where isCrowded:
      Finding(
        .avahi,
        .note,
        localized(
          """
          At least \(Limits.cachedInstances) machines on this network have Baton, which may be too many for Avahi's \
          cache.
          """
        ),
        advice: localized(
          """
          Set cache-entries-max=32768 in /etc/avahi/avahi-daemon.conf, and run `sudo systemctl restart avahi-daemon`.
          """
        )
      )
    case .answers: Finding(.avahi, .passed, localized("Avahi is running."))
    }
  }

  /// A network interface of this machine.
  package struct Interface: Equatable, Sendable {
    /// The result of a multicast that this machine sent to itself.
    package enum Test: Equatable, Sendable {
      case untested, heard, notHeard
      /// With the system's error message.
      case notSent(String)
    }

    package let name: String
    package let isUp: Bool
    package let isLoopback: Bool
    /// Whether this machine is announced with the interface's addresses.
    package let isUsed: Bool
    /// The rule that excludes it; nil if it is used or if no rule applies.
    package let exclusion: String?
    package let hasMulticast: Bool
    /// Whether it has no link that others share, as those of VPNs.
    package let isPointToPoint: Bool
    /// The results with IPv4 and with IPv6.
    package let tests: [Test]

    package init(
      name: String,
      isUp: Bool,
      isLoopback: Bool,
      isUsed: Bool,
      exclusion: String? = nil,
      hasMulticast: Bool,
      isPointToPoint: Bool = false,
      tests: [Test] = []
    ) {
      self.name = name
      self.isUp = isUp
      self.isLoopback = isLoopback
      self.isUsed = isUsed
      self.exclusion = exclusion
      self.hasMulticast = hasMulticast
      self.isPointToPoint = isPointToPoint
      self.tests = tests
    }

    /// The name with the rule that excludes it: `docker0 (docker*)`.
    var excludedName: String { exclusion.map { "\(name) (\($0))" } ?? name }
  }

  package static func interfaces(_ interfaces: [Interface]) -> Finding {
    let real = interfaces.filter { !$0.isLoopback }
    let used = real.filter(\.isUsed)
    let excluded = real.filter { $0.isUp && !$0.isUsed }
    if !used.isEmpty {
      let (names, others) = (list(used.map(\.name)), list(excluded.map(\.excludedName)))
      let detail =
        excluded.isEmpty ? localized("In use: \(names).") : localized("In use: \(names). Not in use: \(others).")
      return Finding(.interfaces, .passed, detail)
    }
    guard !real.isEmpty else {
      return Finding(
        .interfaces,
        .note,
        localized("This machine has no network interface."),
        advice: localized("Connect it to a network.")
      )
    }
    guard !excluded.isEmpty else {
      return Finding(
        .interfaces,
        .failed,
        localized("No network interface is up and has an address: \(list(real.map(\.name)))."),
        reason: .interfaceExcluded,
        advice: localized("Connect this machine to the same network as the others.")
      )
    }
    return Finding(
      .interfaces,
      .failed,
      localized("None of the network interfaces is in use: \(list(excluded.map(\.excludedName)))."),
      reason: .interfaceExcluded,
      advice: localized(
        "Connect to the same network as the others, or add its interface to Interfaces= in batond.conf."
      )
    )
  }

  /// What is known about other machines' adverts.
  package struct Adverts: Equatable, Sendable {
    /// How many other machines of the user's teams have an advert that is seen.
    package let seen: Int
    /// Machines on the same network that have been connected for a while, but whose adverts are not seen.
    package let missing: [String]

    package init(seen: Int, missing: [String]) {
      self.seen = seen
      self.missing = missing
    }
  }

  package static func multicast(_ avahi: Avahi, _ interfaces: [Interface], _ adverts: Adverts) -> Finding {
    guard avahi != .disabled else {
      return Finding(.multicast, .skipped, localized("Discovery is turned off in batond.conf."))
    }
    let used = interfaces.filter { $0.isUsed && !$0.isLoopback && !$0.isPointToPoint }
    guard !used.isEmpty else {
      let isVirtual = interfaces.contains { $0.isUsed && $0.isPointToPoint }
      return Finding(
        .multicast,
        .skipped,
        isVirtual
          ? localized("Only VPNs are in use, which don't carry multicast.")
          : localized("There's no interface to check.")
      )
    }
    guard used.contains(where: \.hasMulticast) else {
      return Finding(
        .multicast,
        .failed,
        localized("No interface in use supports multicast: \(list(used.map(\.name)))."),
        reason: .multicastBlocked,
        advice: localized("If the network supports it, run `sudo ip link set \(used[0].name) multicast on`.")
      )
    }
    let tests = used.flatMap(\.tests).filter { $0 != .untested }
    if !tests.isEmpty, !tests.contains(.heard) {
      let words = tests.compactMap { if case .notSent(let detail) = $0 { detail } else { nil } }.first
      return Finding(
        .multicast,
        .failed,
        words.map { localized("Multicast DNS doesn't get through this machine's own firewall: \($0).") }
          ?? localized("Multicast DNS doesn't get through this machine's own firewall."),
        reason: .multicastBlocked,
        advice: localized(
          "Allow UDP port 5353 to and from 224.0.0.251 and ff02::fb: `sudo firewall-cmd --add-service=mdns`."
        )
      )
    }
    if adverts.seen == 0, !adverts.missing.isEmpty {
      return Finding(
        .multicast,
        .failed,
        localized("Online, but not visible by multicast: \(list(adverts.missing))."),
        reason: .multicastBlocked,
        advice: localized(
          "Allow UDP port 5353 on both machines, and multicast on the switch or access point (no isolation)."
        )
      )
    }
    guard adverts.seen > 0 else {
      return Finding(.multicast, .note, localized("Multicast works here, but no other machine in the team is visible."))
    }
    guard adverts.missing.isEmpty else {
      return Finding(
        .multicast,
        .note,
        localized("Other machines are visible by multicast, but not \(list(adverts.missing)).")
      )
    }
    return Finding(
      .multicast,
      .passed,
      localized(
        adverts.seen,
        one: "Found \(adverts.seen) other machine by multicast.",
        other: "Found \(adverts.seen) other machines by multicast."
      )
    )
  }

  /// Names the VPNs in use, over which machines do not find each other by themselves.
  ///
  /// - Parameter asksTailscale: Whether this machine asks tailscaled where others are.
  /// - Returns: Nil if there is none, or if there is nothing to say of it.
  package static func virtualNetworks(
    _ avahi: Avahi,
    _ interfaces: [Interface],
    asksTailscale: Bool
  ) -> Finding? {
    let used = interfaces.filter { $0.isUsed && $0.isPointToPoint && !$0.isLoopback }.map(\.name)
    let asked = asksTailscale ? used.filter(isTailscale) : []
    let silent = used.filter { !asked.contains($0) }
    guard avahi != .disabled, !silent.isEmpty else { return nil }
    return Finding(
      .multicast,
      .note,
      localized(
        """
        Multicast doesn't find machines over \(list(silent)), as is usual for a VPN. Machines that were connected before, \
        on any network, find each other there.
        """
      ),
      advice: silent.contains(where: isTailscale)
        ? localized("For others, run `baton machine add ADDRESS`, or set Source=tailscale in batond.conf.")
        : localized("For others, run `baton machine add ADDRESS`.")
    )
  }

  private static func isTailscale(_ interface: String) -> Bool { interface.starts(withBytesOf: "tailscale") }

  /// The result of a machine's attempt to dial back to the port.
  package enum DialBack: Equatable, Sendable {
    case reached(device: String)
    case notReached(device: String, Reason)
    /// The session with the machine goes through a relay, because neither reaches the other.
    case relayed(device: String)
    case unanswered(device: String)
  }

  /// The configured port cannot be had.
  ///
  /// - Parameters:
  ///   - other: The port on which this machine listens now; 0 if there is none.
  ///   - owner: The user whose program has the port; nil if that is not known.
  ///   - error: Why this machine does not get the port.
  package static func takenPort(_ port: UInt16, instead other: UInt16, owner: UInt32?, _ error: String) -> Finding {
    let cause =
      owner.map { localized("A program run by the user \($0) is using TCP port \(port).") }
      ?? localized("TCP port \(port) isn't available (\(error)).")
    let consequence =
      other == 0
      ? localized("No machine can connect to this one.")
      : localized("This machine listens on \(other) until that port is free.")
    return Finding(
      .port,
      .failed,
      "\(cause) \(consequence)",
      reason: .portClosed,
      advice: localized(
        "To find the program, run `sudo ss -ltnp 'sport = :\(port)'`. Stop it, or choose a different port in batond.conf."
      )
    )
  }

  /// - Parameter port: The port on which this machine listens.
  package static func port(_ port: UInt16, _ answers: [DialBack]) -> Finding {
    let reached = answers.compactMap { if case .reached(let device) = $0 { device } else { nil } }
    let failed = answers.compactMap {
      if case .notReached(let device, .peerUnreachable) = $0 { device } else { nil }
    }
    if !failed.isEmpty {
      return Finding(
        .port,
        reached.isEmpty ? .failed : .note,
        localized("These machines couldn't connect to TCP port \(port) of this machine: \(list(failed))."),
        reason: .portClosed,
        advice:
          localized(
            "Open the port in this machine's firewall: `sudo firewall-cmd --add-port=\(port)/tcp`, `sudo ufw allow \(port)/tcp`."
          )
      )
    }
    if !reached.isEmpty {
      return Finding(.port, .passed, localized("TCP port \(port) is reachable from \(list(reached))."))
    }
    let relayed = answers.compactMap { if case .relayed(let device) = $0 { device } else { nil } }
    if !relayed.isEmpty {
      return Finding(
        .port,
        .note,
        localized(
          "TCP port \(port) of this machine isn't reachable from \(list(relayed)). A relay connects them instead."
        ),
        advice: localized("For a direct connection, forward the port to this machine in the router, or use a VPN.")
      )
    }
    return Finding(
      .port,
      .skipped,
      answers.isEmpty
        ? localized("No connected machine can test TCP port \(port).")
        : localized("No machine has tested TCP port \(port).")
    )
  }
}
