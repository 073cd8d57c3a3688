// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Systemd

/// Finds this machine's firewalls, and reads of their rules what this user may see without a question.
struct FirewallReader {
  /// How long each question may take, and all of them.
  private static let time = Duration.seconds(2)
  private static let wholeTime = Duration.seconds(5)
  /// The maximum length of each of ufw's files in bytes.
  private static let fileLength = 1 << 20
  private static let manager = "org.freedesktop.systemd1"
  /// The units that load a person's own rules, and the files from which they do.
  private static let units: [(name: String, files: [String])] = [
    ("nftables.service", ["/etc/nftables.conf", "/etc/sysconfig/nftables.conf"]),
    ("netfilter-persistent.service", []), ("iptables.service", []), ("ip6tables.service", []),
  ]

  /// The beginning of the paths of installed files. Tests have their own.
  var root = ""

  /// - Parameter interfaces: The names of those that other machines can use. Without them, firewalld isn't asked.
  func report(_ interfaces: [String]) -> FirewallReport {
    var report = FirewallReport(ufw: ufw, networks: Self.networks(of: interfaces))
    let bus: WaitingBus
    do throws(MessageBus.Failure) { bus = try WaitingBus(.system, time: Self.time) } catch { return report }
    report.firewalld = FirewalldReader(bus, until: .now + Self.wholeTime).state(interfaces)
    report.services = Self.units.filter { isActive($0.name, bus) && !$0.files.contains(where: letsAllIn) }.map(\.name)
    return report
  }

  private static func networks(of interfaces: [String]) -> [OwnNetwork] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    return sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap { entry in
      guard let entry = entry?.pointee, let address = SocketAddress(entry.ifa_addr) else { return nil }
      let name = String(cString: entry.ifa_name)
      guard interfaces.contains(name) else { return nil }
      let mask = SocketAddress(entry.ifa_netmask)?.bytes.reduce(0) { $0 + $1.nonzeroBitCount }
      let prefix = AddressPrefix(address.bytes, length: mask ?? address.bytes.count * 8)
      return prefix.map { OwnNetwork(name, $0) }
    }
  }

  /// Whether a file has no rules that could refuse something, as Debian's of nftables. It may be that of root alone.
  private func letsAllIn(_ path: String) -> Bool {
    text(path).map { text in !["drop", "reject", "include"].contains { text.containsBytes(of: $0) } } ?? false
  }

  private func isActive(_ unit: String, _ bus: WaitingBus) -> Bool {
    let name = Self.manager
    let call = BusCall(name, "/org/freedesktop/systemd1", "\(name).Manager", "GetUnit", unit)
    guard let path = bus.ask(call, { $0.string(.path) }) else { return false }
    return bus.property(name, path, "\(name).Unit", "ActiveState", "s") { $0.string() } == "active"
  }

  /// Nil if it isn't enabled.
  private var ufw: FirewallReport.Ufw? {
    guard value(of: "ENABLED", in: "/etc/ufw/ufw.conf")?.lowercased() == "yes" else { return nil }
    let policy = value(of: "DEFAULT_INPUT_POLICY", in: "/etc/default/ufw")
    return FirewallReport.Ufw(
      accepts: policy == "ACCEPT",
      rules: text("/etc/ufw/user.rules").map(UfwRules.init),
      hasProfile: text("/etc/ufw/applications.d/baton") != nil
    )
  }

  /// The value of the last line `NAME=VALUE`, as a shell reads it.
  private func value(of name: String, in path: String) -> String? {
    text(path)?.split(atScalar: "\n").compactMap { $0.trimmed.rest(afterBytesOf: "\(name)=") }.last.map { value in
      String(String.UnicodeScalarView(value.trimmed.unicodeScalars.filter { $0 != "\"" && $0 != "'" }))
    }
  }

  /// Nil also if this user may not read it.
  private func text(_ path: String) -> String? {
    RegularFile(root + path, length: Self.fileLength).map { String(decoding: $0.bytes, as: UTF8.self) }
  }
}
