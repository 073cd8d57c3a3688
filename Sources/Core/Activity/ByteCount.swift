// SPDX-License-Identifier: Apache-2.0

/// Sizes for people.
package enum ByteCount {
  private static let units = ["kB", "MB", "GB", "TB", "PB", "EB"]

  /// Returns the number with one digit after the point, in units of 10³ bytes: `1.2 MB`.
  package static func text(_ count: Int) -> String {
    guard count >= 1000 else { return count == 1 ? "1 byte" : "\(max(0, count)) bytes" }
    var tenths = count / 100
    var unit = 0
    // Checked: 2^63 bytes are 9.2 EB.
    while tenths >= 10_000, unit < units.count - 1 {
      tenths /= 1000
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
