// SPDX-License-Identifier: Apache-2.0

import Activity

/// The name by which browsers reach a machine's local pages: `laptop.localhost`. Browsers resolve all such names to the
/// loopback address (RFC 6761), and keep the cookies and storage of each apart.
package enum MachineLabel {
  /// The maximum length of a label in the domain name system, in bytes.
  static let length = 63
  /// The number of digits of the Device ID that tell two machines of one name apart.
  static let digits = 6

  /// - Parameters:
  ///   - name: The machine's name, which need not be a label.
  ///   - known: The labels in use. A machine keeps its own; two machines never have the same one.
  package static func host(_ name: String, _ device: String, known: [String: String]) -> String {
    let label = label(name)
    if known[label, default: device].hasBytes(of: device) { return "\(label).localhost" }
    let suffix = "-" + device.lowercased().unicodeScalars.filter(isAllowed).suffix(digits).map { String($0) }.joined()
    let start = label.prefix(utf8Count: length - digits - 1)
    return "\(start)\(suffix).localhost"
  }

  /// Letters, digits, and hyphens between them.
  package static func label(_ name: String) -> String {
    let parts = name.lowercased().unicodeScalars.split { !isAllowed($0) }.map { String(String.UnicodeScalarView($0)) }
    let whole = parts.joined(separator: "-").prefix(utf8Count: length)
    let label = whole.ends(withBytesOf: "-") ? String(whole.unicodeScalars.dropLast()) : String(whole)
    return label.isEmpty ? "machine" : label
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
  }
}
