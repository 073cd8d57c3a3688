// SPDX-License-Identifier: Apache-2.0

import Activity
import SeededGenerator

extension UserInfoValue {
  /// Returns a value as apps have them. Foundation considers keys and members equal only if they are the same.
  static func random(depth: Int, using generator: inout SeededGenerator) -> UserInfoValue {
    let count = Int.random(in: 0...3, using: &generator)
    switch Int.random(in: 0..<(depth > 0 ? 13 : 10), using: &generator) {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2: return .integer(Int64(bitPattern: generator.next()))
    case 3: return .integer(Int64.random(in: -1...1, using: &generator))
    case 4: return .unsigned(generator.next() | 1 << 63)
    case 5: return .double([0, -0.0, 1, 0.1, 1e300, .infinity].randomElement(using: &generator) ?? 0)
    case 6, 7: return randomKey(using: &generator)
    case 8: return .data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    case 9: return .date(Double.random(in: -1e9...1e9, using: &generator))
    case 10: return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
    case 11: return .set(Set((0..<count).map { _ in randomKey(using: &generator) }))
    default:
      let pairs = (0..<count).map { _ in
        (randomKey(using: &generator), random(depth: depth - 1, using: &generator))
      }
      return .dictionary(Dictionary(pairs) { first, _ in first })
    }
  }

  private static func randomKey(using generator: inout SeededGenerator) -> UserInfoValue {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .integer(Int64.random(in: 2...100, using: &generator))
    case 1: .string(["", "a", "naïve ✓", "$data", "1"].randomElement(using: &generator) ?? "")
    case 2: .url("https://example.org/\(generator.next())?q#f")
    default: .uuid((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
  }
}
