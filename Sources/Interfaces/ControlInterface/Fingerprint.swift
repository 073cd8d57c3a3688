// SPDX-License-Identifier: Apache-2.0

import Activity

/// A full Team ID, as 64 small hexadecimal digits. Two people compare it to make sure that they mean the same team.
package enum Fingerprint {
  package static func text(of team: TeamID) -> String {
    team.bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  /// Reads a fingerprint in either case. Nil for anything but 64 hexadecimal digits.
  package static func team(of text: String) -> TeamID? {
    let digits = Array(text.utf8)
    guard digits.count == 2 * TeamID.byteCount, digits.allSatisfy("0123456789abcdefABCDEF".utf8.contains) else {
      return nil
    }
    // Checked index: even, and below the even count.
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
      UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
    }
    return TeamID(bytes: bytes)
  }
}
