// SPDX-License-Identifier: Apache-2.0

import Activity

/// The values that only agent.conf has.
extension SettingValue {
  /// The maximum number of machines that a rule names.
  private static let deviceRules = 256

  /// The units of sizes, the greatest first.
  private static let units: KeyValuePairs = ["T": 1 << 40, "G": 1 << 30, "M": 1 << 20, "K": 1 << 10]

  /// Reads a size in bytes, with K, M, G or T for powers of 1,024.
  ///
  /// - Returns: Nil for `none`.
  package static func size(_ value: Substring, default usual: Int?) throws(UnusableSetting) -> Int? {
    if value.isEmpty { return usual }
    if value.lowercased() == "none" { return nil }
    let unit = units.first { value.ends(withBytesOf: $0.key) }
    guard let number = Int(unit.flatMap { value.start(beforeBytesOf: $0.key) } ?? value), number >= 0 else {
      throw UnusableSetting(
        "a size must be none or a number of bytes, optionally followed by K, M, G or T, not \(value.quoted)"
      )
    }
    let (size, isOver) = number.multipliedReportingOverflow(by: unit?.value ?? 1)
    guard !isOver else { throw UnusableSetting("the size \(value.quoted) is too large") }
    return size
  }

  /// Reads Device IDs, which are separated by commas.
  package static func devices(_ value: Substring) throws(UnusableSetting) -> Set<DeviceID> {
    var devices: Set<DeviceID> = []
    for word in value.split(atScalar: ",").map(\.trimmed) where !word.isEmpty {
      guard let device = DeviceID(text: word.uppercased()) else {
        throw UnusableSetting("\(word.quoted) isn't a full Device ID; run `baton team machines --json` to see them")
      }
      devices.insert(device)
    }
    guard devices.count <= Self.deviceRules else {
      throw UnusableSetting("at most \(Self.deviceRules) machines can be listed")
    }
    return devices
  }
}
