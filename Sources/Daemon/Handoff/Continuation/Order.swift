// SPDX-License-Identifier: Apache-2.0

/// Numbers what happens, so that newer things have greater numbers. No number is given twice.
struct Order: Sendable {
  private var last: UInt64

  /// - Parameter last: The number after which to begin.
  init(after last: UInt64 = 0) { self.last = last }

  mutating func next() -> UInt64 {
    last &+= 1
    return last
  }
}
