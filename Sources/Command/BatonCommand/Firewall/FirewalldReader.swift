// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Systemd

/// Asks firewalld over D-Bus for the zones of some interfaces (firewalld.dbus(5)).
///
/// Only methods that firewalld answers without a question to the person are called: it lets polkit ask for a password
/// even for its properties and for its permanent configuration, so both stay unread.
struct FirewalldReader {
  static let name = "org.fedoraproject.FirewallD1"
  static let path = "/org/fedoraproject/FirewallD1"
  static let zone = "\(name).zone"

  /// The maximum number of zones and of services that are looked at, of entries in each list, and of bytes in each.
  private static let zoneLimit = 16
  private static let serviceLimit = 128
  private static let listLimit = 1024
  private static let textLimit = 64 * 1024

  private let bus: WaitingBus
  private let deadline: ContinuousClock.Instant

  init(_ bus: WaitingBus, until deadline: ContinuousClock.Instant) {
    self.bus = bus
    self.deadline = deadline
  }

  /// Nil if it doesn't run, or if no interface belongs to it.
  func state(_ interfaces: [String]) -> FirewallReport.Firewalld? {
    let own = "org.freedesktop.DBus"
    // Asked of the bus, because a call would start it.
    let isRunning = bus.ask(BusCall(own, "/org/freedesktop/DBus", own, "NameHasOwner", Self.name)) { $0.boolean() }
    guard isRunning == true, !interfaces.isEmpty else { return nil }
    guard let places = places(of: interfaces) else { return .silent }
    let mayRead = Polkit.allows("\(Self.name).config.info", bus)
    var zones: [FirewalldZone] = [], services: [String: [PortRange]] = [:]
    for place in places {
      var contents: FirewalldZone.Contents?
      if mayRead {
        guard let read = self.contents(place.zone), self.read(read.namedServices, into: &services) else {
          return .silent
        }
        contents = read
      }
      zones.append(FirewalldZone(place.zone, interfaces: place.interfaces, sources: place.sources, contents))
    }
    return .zones(zones, services: services)
  }

  private struct Place {
    var zone: String
    var interfaces: [String] = []
    var sources: [String] = []
  }

  /// The zones with one of the interfaces or with sources, by name. Interfaces without a zone are in the default zone.
  private func places(of interfaces: [String]) -> [Place]? {
    guard let fallback = ask(Self.path, Self.name, "getDefaultZone", nil, { $0.string() }), Self.isName(fallback) else {
      return nil
    }
    var places: [String: Place] = [:]
    for interface in interfaces.prefix(Self.listLimit) {
      guard let found = ask(Self.path, Self.zone, "getZoneOfInterface", interface, { $0.string() }) else { return nil }
      let zone = found.isEmpty ? fallback : found
      places[zone, default: Place(zone: zone)].interfaces.append(interface)
    }
    guard let bound = ask(Self.path, Self.zone, "getActiveZones", nil, { $0.zonesWithSources(limit: Self.listLimit) })
    else {
      return nil
    }
    for (zone, sources) in bound { places[zone, default: Place(zone: zone)].sources = sources }
    guard places.keys.allSatisfy(Self.isName), places.count <= Self.zoneLimit else { return nil }
    return places.values.sorted { $0.zone < $1.zone }
  }

  private func contents(_ zone: String) -> FirewalldZone.Contents? {
    ask(Self.path, Self.zone, "getZoneSettings2", zone) { reply in
      var contents = FirewalldZone.Contents()
      let isWhole = reply.properties(limit: Self.listLimit) { name in
        switch (name, reply.variantContents) {
        case ("target", "s"):
          guard let target = reply.enter(.variant, "s", { reply.string() }) ?? nil else { return false }
          contents.accepts = target == "ACCEPT"
        case ("services", "as"): return reply.texts(limit: Self.textLimit) { contents.services = $0 }
        case ("protocols", "as"):
          return reply.texts(limit: Self.textLimit) {
            contents.transports = $0.compactMap { PortRange.Transport(rawValue: $0) }
          }
        case ("rules_str", "as"):
          return reply.texts(limit: Self.textLimit) { contents.richRules = $0.compactMap { FirewalldRichRule($0) } }
        case ("ports", "a(ss)"): return reply.ports(limit: Self.listLimit) { contents.ports = $0 }
        default: reply.skip("v")
        }
        return true
      }
      return isWhole ? contents : nil
    }
  }

  /// Reads the ports of services and of those that they include.
  ///
  /// - Returns: False if there is no answer, or if there are too many.
  private func read(_ names: [String], into services: inout [String: [PortRange]]) -> Bool {
    for name in names where services[name] == nil {
      var ports: [PortRange] = [], seen: Set<String> = [], open = [name]
      while let next = open.popLast() {
        guard seen.insert(next).inserted else { continue }
        guard seen.count <= Self.serviceLimit, services.count < Self.serviceLimit else { return false }
        // firewalld itself ignores a service that is no longer there.
        let call = BusCall(Self.name, Self.path, Self.name, "getServiceSettings2", next)
        guard .now < deadline else { return false }
        do throws(WaitingBus.Refusal) {
          guard let found = try bus.answer(to: call, { $0.service(limit: Self.listLimit, textLimit: Self.textLimit) })
          else { return false }
          ports += found.ports
          open += found.includes
        } catch {
          guard error.name.starts(withBytesOf: Self.name) else { return false }
        }
      }
      services[name] = ports
    }
    return true
  }

  private func ask<T>(
    _ path: String,
    _ interface: String,
    _ member: String,
    _ argument: String?,
    _ read: (BusMessage) -> T?
  ) -> T? {
    guard .now < deadline else { return nil }
    let arguments = argument.map { [BusArgument.string($0)] } ?? []
    return bus.ask(BusCall(Self.name, path, interface, member, arguments: arguments), read)
  }

  /// Whether a shell in which somebody repeats a command takes it as one word. firewalld has no other names.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.first != UInt8(ascii: "-")
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_/".unicodeScalars.contains($0))
      }
  }
}
