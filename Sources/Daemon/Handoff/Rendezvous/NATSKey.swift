// SPDX-License-Identifier: Apache-2.0

/// The text of a public key, as NATS writes it: a letter for its kind, the key, and a checksum, in base 32 (`nkeys`).
package enum NATSKey {
  package enum Kind: UInt8, Sendable {
    /// Of an organisation, which authorizes accounts.
    case `operator` = 0x70
    /// Of a team.
    case account = 0x00
    /// Of a device in a team.
    case user = 0xA0
  }

  /// - Parameter key: The public key: 32 bytes.
  package static func text(_ kind: Kind, _ key: [UInt8]) -> String {
    let body = [kind.rawValue] + key
    let sum = checksum(body)
    // Checked: two bytes of eight bits.
    return StandardBase32.encode(body + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)])
  }

  /// CRC-16 (XMODEM).
  private static func checksum(_ bytes: [UInt8]) -> UInt16 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }
  }
}
