// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import Localization

/// A time span as people write it: `90`, `90s`, `15m`, `2h`, `1d`.
enum TimeSpan {
  /// The time span in seconds; nil if it is not positive or is longer than ten years.
  static func seconds(_ text: String) -> Double? {
    let units: KeyValuePairs<String, Double> = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    let unit = units.first { text.ends(withBytesOf: $0.key) }
    let digits = unit.flatMap { text.start(beforeBytesOf: $0.key) } ?? text[...]
    guard !digits.isEmpty,
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == 0x2E }),
      let number = Double(digits), number > 0
    else { return nil }
    let seconds = number * (unit?.value ?? 1)
    return seconds <= 10 * 365 * 86400 ? seconds : nil
  }
}

extension Option<Double?> {
  /// An option whose value is a time span, in seconds.
  static func time(_ name: String, _ help: String) -> Option {
    value(name, "TIME", help) { text throws(InvalidValue) in
      guard let seconds = TimeSpan.seconds(text) else {
        throw InvalidValue { localized("'\($0)' must be a time such as 90s, 15m, 2h or 1d, not '\(text)'.") }
      }
      return seconds
    }
  }
}
