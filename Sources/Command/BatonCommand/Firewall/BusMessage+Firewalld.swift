// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Systemd

/// What firewalld's replies consist of. Each reader refuses a reply that is longer than its limit.
extension BusMessage {
  /// Reads a dictionary `a{sv}`.
  ///
  /// - Parameter body: Reads the value, and returns whether it could.
  /// - Returns: Whether everything was read.
  func properties(limit: Int, _ body: (String) -> Bool) -> Bool {
    let isWhole: Bool? = enter(.array, "{sv}") {
      for _ in 0..<limit {
        guard let isRead = enter(.entry, "sv", { string().map(body) ?? false }) else { return true }
        guard isRead else { return false }
      }
      return false
    }
    return isWhole == true
  }

  /// Reads a variant that contains an array of strings.
  func texts(limit: Int, _ body: ([String]) -> Void) -> Bool {
    enter(.variant, "as") { body(strings(limit: limit)) } != nil
  }

  /// Reads a variant that contains ports and their protocols. Those of other protocols than TCP and UDP are left out.
  func ports(limit: Int, _ body: ([PortRange]) -> Void) -> Bool {
    let ports: [PortRange]?? = enter(.variant, "a(ss)") {
      enter(.array, "(ss)") {
        var ports: [PortRange] = []
        for _ in 0..<limit {
          guard let pair = enter(.structure, "ss", { (string(), string()) }) else { break }
          if let ports_ = pair.0, let transport = pair.1, let range = PortRange(ports_, transport) {
            ports.append(range)
          } else if pair.0?.isEmpty == true, let transport = pair.1.flatMap({ PortRange.Transport(rawValue: $0) }) {
            // A service may let in a whole protocol so.
            ports.append(PortRange(transport, 0...UInt16.max))
          }
        }
        return ports
      }
    }
    guard let ports = ports ?? nil else { return false }
    body(ports)
    return true
  }

  /// Reads the reply to `getServiceSettings2`.
  func service(limit: Int, textLimit: Int) -> (ports: [PortRange], includes: [String])? {
    var service: (ports: [PortRange], includes: [String]) = ([], [])
    let isWhole = properties(limit: limit) { name in
      switch (name, variantContents) {
      case ("ports", "a(ss)"): return ports(limit: limit) { service.ports = $0 }
      case ("includes", "as"): return texts(limit: textLimit) { service.includes = $0 }
      default:
        skip("v")
        return true
      }
    }
    return isWhole ? service : nil
  }

  /// Reads the reply to `getActiveZones`, `a{sa{sas}}`: the zones with sources, and these.
  func zonesWithSources(limit: Int) -> [(zone: String, sources: [String])]? {
    enter(.array, "{sa{sas}}") {
      var zones: [(zone: String, sources: [String])] = []
      for _ in 0..<limit {
        let zone: (zone: String, sources: [String])?? = enter(.entry, "sa{sas}") {
          guard let name = string() else { return nil }
          let sources: [String]? = enter(.array, "{sas}") {
            var sources: [String] = []
            for _ in 0..<limit {
              let kind: String?? = enter(.entry, "sas") {
                let kind = string()
                if kind == "sources" {
                  // Each is an address, or the name of a set.
                  sources = strings(limit: limit * 64)
                } else {
                  skip("as")
                }
                return kind
              }
              guard kind != nil else { break }
            }
            return sources
          }
          return sources.map { (name, $0) }
        }
        guard let zone else { break }
        if let zone, !zone.sources.isEmpty { zones.append(zone) }
      }
      return zones
    }
  }
}
