// SPDX-License-Identifier: Apache-2.0

/// A hash that is the same in every process and on every machine. It is no protection against collisions that somebody
/// looks for.
enum StableHash {
  /// Returns 32 hexadecimal digits: two FNV-1a hashes of 64 bits.
  static func text(of text: String) -> String {
    [0xcbf2_9ce4_8422_2325, 0x84222325_cbf29ce4].map { (start: UInt64) in
      let hash = text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
