// SPDX-License-Identifier: Apache-2.0

import Activity
import SeededGenerator

extension UserInfoValue {
  /// Returns any value whose encoded form has at most `depth` nested arrays and objects.
  static func random(depth: Int, using generator: inout SeededGenerator) -> UserInfoValue {
    let count = Int.random(in: 0...4, using: &generator)
    switch Int.random(in: 0..<17, using: &generator) {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2: return .integer(oddIntegers.randomElement(using: &generator)!)
    case 3: return .integer(Int64(bitPattern: generator.next()))
    case 4: return .unsigned(generator.next() | 1 << 63)
    case 5 where depth >= 1: return .double(oddDoubles.randomElement(using: &generator)!)
    case 6 where depth >= 1: return .double(Double(bitPattern: generator.next()))
    case 7: return .string(randomText(using: &generator))
    case 8 where depth >= 1: return .data(randomBytes(count, using: &generator))
    case 9 where depth >= 1: return .date(oddDoubles.randomElement(using: &generator)!)
    case 10 where depth >= 1: return .date(Double(bitPattern: generator.next()))
    case 11 where depth >= 1: return .url("https://example.org/" + randomText(using: &generator))
    case 12 where depth >= 1: return .uuid(randomBytes(16, using: &generator))
    case 13 where depth >= 1:
      return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
    case 14 where depth >= 2:
      return .set(Set((0..<count).map { _ in random(depth: depth - 2, using: &generator) }))
    case 15 where depth >= 1:
      let names = (0..<count).map { _ in randomText(using: &generator) }
      // Two names that Swift's String considers equal are written as pairs, which takes three levels.
      let rest = Set(names).count == count ? depth - 1 : depth - 3
      guard rest >= 0 else { return .null }
      let pairs = names.map { (UserInfoValue.string($0), random(depth: rest, using: &generator)) }
      return .dictionary(Dictionary(pairs) { _, last in last })
    case 16 where depth >= 3:
      let pairs = (0..<count).map { _ in
        (random(depth: depth - 3, using: &generator), random(depth: depth - 3, using: &generator))
      }
      return .dictionary(Dictionary(pairs) { _, last in last })
    default: return .integer(Int64.random(in: -2...2, using: &generator))
    }
  }

  /// Whether both are the same to the last bit, without using the encoding that is tested.
  func isIdentical(to other: UserInfoValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
      left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)), (.url(let left), .url(let right)):
      Array(left.utf8) == Array(right.utf8)
    case (.data(let left), .data(let right)), (.uuid(let left), .uuid(let right)): left == right
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    case (.set(let left), .set(let right)):
      left.count == right.count && left.allSatisfy { one in right.contains { one.isIdentical(to: $0) } }
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count
        && left.allSatisfy { one in
          right.contains { one.key.isIdentical(to: $0.key) && one.value.isIdentical(to: $0.value) }
        }
    default: false
    }
  }

  private static let oddIntegers: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 53, 1 << 53 + 1, .max - 1, .max]

  static let oddDoubles: [Double] = [
    0, -0.0, 1, -1, 1.5, 0.1, 1e16, 1e300, .infinity, -.infinity, .nan, .signalingNaN, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude, .leastNormalMagnitude, Double(bitPattern: 0xFFF8_0000_DEAD_BEEF),
    Double(bitPattern: 0x7FF0_0000_0000_0001), 9_007_199_254_740_992, 18_446_744_073_709_551_616,
  ]

  private static func randomText(using generator: inout SeededGenerator) -> String {
    let parts = [
      "", "$", "$$", "$data", "a", "key", "\u{0}", "\n", "\"", "\\", "é", "e\u{301}", "\u{301}", "😀", "\u{7F}",
      "\u{2028}", "\u{FFFF}", "日本", "1", "1.0", "true", "null",
    ]
    let count = Int.random(in: 0...3, using: &generator)
    return (0..<count).map { _ in parts.randomElement(using: &generator)! }.joined()
  }

  private static func randomBytes(_ count: Int, using generator: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}
