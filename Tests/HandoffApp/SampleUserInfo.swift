// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation

/// Values of `userInfo` that commands cannot express in JSON.
enum SampleUserInfo {
  static func named(_ name: String) -> [AnyHashable: Any]? {
    switch name {
    case "kinds": kinds
    case "empty": [:]
    case "nil": nil
    case "large": ["text": String(repeating: "x", count: 4000)]
    case "illegal": ["fine": 1, "outer": ["inner": [1, NSObject()]] as [String: Any]]
    default: fatalError("There is no sample \(name)")
    }
  }

  /// All ten kinds of values, numbers of each type, and keys that are not strings.
  private static var kinds: [AnyHashable: Any] {
    [
      "array": [1, "two", [3.5]] as [Any],
      "data": Data([0, 1, 255]),
      "date": Date(timeIntervalSinceReferenceDate: 700_000_000.125),
      "dictionary": ["deep": ["deeper": [true, NSNull()] as [Any]], 5: "five"] as [AnyHashable: Any],
      "null": NSNull(),
      "true": true,
      "one": 1,
      "one point zero": 1.0,
      "minimum": Int.min,
      "unsigned": UInt64.max,
      "set": Set([1, 2]),
      "string": "naïve ✓",
      "url": URL(fileURLWithPath: "/tmp/some file"),
      "uuid": UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
      7: "a number as key",
      UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)): "a UUID as key",
    ]
  }
}
