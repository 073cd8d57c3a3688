// SPDX-License-Identifier: Apache-2.0

/// Decides which addresses belong to machines on the internet, and not to this machine, its network or nobody.
package enum PublicAddress {
  /// IPv4 (RFC 6890 and its successors in IANA's registry): the first bytes, and how many of their bits count.
  private static let special4: [([UInt8], Int)] = [
    ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
    ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
    ([203, 0, 113], 24), ([224], 3),
  ]
  /// Parts of 2000::/3, the only part of IPv6 in use: special protocols, documentation, and embedded IPv4.
  private static let special6: [([UInt8], Int)] = [
    ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16), ([0x3F, 0xFF, 0x00], 20),
  ]
  /// 64:ff9b::/96: an IPv4 address follows. Networks without IPv4 reach it this way (RFC 6052).
  private static let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

  /// - Parameter bytes: 4 bytes for IPv4 or 16 for IPv6, in network byte order.
  package static func contains(_ bytes: [UInt8]) -> Bool {
    switch bytes.count {
    case 4: !special4.contains { begins(bytes, $0, $1) }
    case 16 where bytes.starts(with: translated): contains(Array(bytes.dropFirst(translated.count)))
    case 16: bytes[0] & 0xE0 == 0x20 && !special6.contains { begins(bytes, $0, $1) }  // Checked: it has sixteen bytes.
    default: false
    }
  }

  private static func begins(_ bytes: [UInt8], _ prefix: [UInt8], _ bits: Int) -> Bool {
    zip(bytes, prefix).enumerated().allSatisfy { index, pair in
      // Checked: an index below sixteen, and at most 128 bits.
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, max(0, bits - 8 * index)))
      return pair.0 & mask == pair.1 & mask
    }
  }
}
