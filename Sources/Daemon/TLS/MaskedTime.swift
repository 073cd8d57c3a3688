// SPDX-License-Identifier: Apache-2.0

import Activity

/// A time that only those who have a key can read. Others must not be able to tell machines with wrong clocks apart
/// (Protocol.md, sections 2 and 3).
enum MaskedTime {
  static let length = 4

  /// - Parameters:
  ///   - time: Seconds since 1970.
  ///   - nonce: Sent with the time, and new each time.
  static func seal(_ time: Int64, nonce: [UInt8], key: [UInt8]) -> [UInt8] {
    // Checked: four bytes of eight bits.
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: time >> (24 - 8 * $0)) }
    return zip(bytes, mask(nonce, key)).map { $0 ^ $1 }
  }

  /// - Parameter sealed: ``length`` bytes.
  static func open(_ sealed: some Sequence<UInt8>, nonce: [UInt8], key: [UInt8]) -> Int64 {
    zip(sealed, mask(nonce, key)).reduce(0) { $0 << 8 | Int64($1.0 ^ $1.1) }
  }

  private static func mask(_ nonce: [UInt8], _ key: [UInt8]) -> ArraySlice<UInt8> {
    HMACSHA256.authenticate(nonce, key: key).prefix(length)
  }
}
