// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The names by which browsers reach the local pages of other machines: `laptop.localhost`. Browsers resolve all such
/// names to the loopback address (RFC 6761), and keep the cookies and storage of each apart. So a name that has meant
/// one machine never means another.
package struct MachineLabels: Equatable, Sendable {
  /// The maximum length of a label in the domain name system, in bytes.
  private static let length = 63
  /// How many digits of the Device ID tell machines of one name apart. All 52 are only ever one machine's.
  private static let digits = [6, 12, 24, 52]
  private static let suffix = ".localhost"

  /// The device that has each label.
  private var devices: [String: String] = [:]

  package init() {}

  /// Nil if it cannot be read.
  init?(json: JSON?) {
    guard let json, !json.isNull else { return }
    guard let all = json.array, all.count <= LocalPageLimits.labels else { return nil }
    for entry in all {
      guard let label = entry.object?["label"]?.string, Self.label(label).hasBytes(of: label),
        let device = entry.object?["device"]?.string
      else { return nil }
      devices[label] = device
    }
  }

  var json: JSON {
    .array(devices.sorted { $0.key < $1.key }.map { ["label": .string($0.key), "device": .string($0.value)] })
  }

  /// Returns the host name of a machine's pages, and keeps it for the machine.
  ///
  /// - Parameters:
  ///   - name: The machine's name, which need not be a label.
  ///   - device: All digits of the Device ID.
  package mutating func host(_ name: String, _ device: String) -> String {
    let label = Self.label(name)
    let digits = device.lowercased().unicodeScalars.filter(Self.isAllowed).map { String($0) }
    let ends = Self.digits.map { "-" + digits.prefix($0).joined() }
    let long = ends.map { Self.start(of: label, Self.length - $0.utf8.count) + $0 }  // Checked: at most 53 bytes.
    // If no more can be remembered, only a name that no other machine can have will do.
    let isFull = devices.count >= LocalPageLimits.labels
    let wanted = isFull && devices[label]?.hasBytes(of: device) != true ? Array(long.suffix(1)) : [label] + long
    let chosen = wanted.first { devices[$0, default: device].hasBytes(of: device) } ?? long.last ?? label
    if !isFull { devices[chosen] = device }
    return chosen + Self.suffix  // Checked: texts.
  }

  /// Whether a host has been another machine's, or is below such a name.
  package func isOfMachine(_ host: String) -> Bool {
    guard let name = host.start(beforeBytesOf: Self.suffix), let label = name.split(atScalar: ".").last else {
      return false
    }
    return devices[String(label)] != nil
  }

  /// Letters, digits, and hyphens between them.
  static func label(_ name: String) -> String {
    let parts = name.lowercased().unicodeScalars.split { !isAllowed($0) }.map { String(String.UnicodeScalarView($0)) }
    let label = start(of: parts.joined(separator: "-"), length)
    return label.isEmpty ? "machine" : label
  }

  private static func start(of label: String, _ length: Int) -> String {
    let start = label.prefix(utf8Count: length)
    return start.ends(withBytesOf: "-") ? String(start.unicodeScalars.dropLast()) : String(start)
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
  }
}
