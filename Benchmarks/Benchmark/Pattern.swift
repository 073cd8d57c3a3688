// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The bytes that a stream carries: a period of random ones. Its length is a prime, so that no block looks right in the
/// wrong place, twice, or in another stream.
struct Pattern {
  static let blockLength = 256 * 1024
  private static let period = 65_537
  private nonisolated(unsafe) static let bytes: UnsafeRawBufferPointer = {
    let made = UnsafeMutableRawBufferPointer.allocate(byteCount: period + blockLength, alignment: 64)
    var state: UInt64 = 88_172_645_463_325_252
    for index in 0..<period {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      made[index] = UInt8(truncatingIfNeeded: state >> 32)
    }
    for index in period..<made.count { made[index] = made[index - period] }
    return UnsafeRawBufferPointer(made)
  }()

  private var offset: Int

  /// - Parameter number: The number of the stream and direction, each with a pattern of its own.
  init(_ number: Int) { offset = number &* 7919 % Self.period }

  /// The next bytes: `blockLength`, or more.
  var next: UnsafeRawPointer? { Self.bytes.baseAddress?.advanced(by: offset) }

  mutating func advance(_ count: Int) { offset = (offset + count) % Self.period }

  /// Whether these are the next bytes.
  mutating func takes(_ block: UnsafeRawPointer, _ count: Int) -> Bool {
    guard let next else { return false }
    advance(count)
    return memcmp(block, next, count) == 0
  }
}
