// SPDX-License-Identifier: Apache-2.0

/// The addresses that begin with the same bits, as a firewall's rule names them.
package struct AddressPrefix: Equatable, Sendable {
  /// 4 or 16 bytes, in network order.
  package let bytes: [UInt8]
  /// How many bits count: 0 to 32, or to 128.
  package let length: Int

  /// - Returns: Nil if the bytes are no address, or the length is none of one.
  package init?(_ bytes: [UInt8], length: Int) {
    guard bytes.count == 4 || bytes.count == 16, (0...bytes.count * 8).contains(length) else { return nil }
    self.bytes = bytes
    self.length = length
  }

  /// - Parameter text: `10.1.2.3`, `10.0.0.0/8`, `10.0.0.0/255.0.0.0` or `fd00::/8`.
  package init?(_ text: some StringProtocol) {
    let parts = Self.parts(Substring(text), UInt8(ascii: "/"))
    guard let first = parts.first, parts.count <= 2 else { return nil }
    guard let bytes = Self.ipv4(first) ?? Self.ipv6(first) else { return nil }
    guard parts.count == 2, let last = parts.last else {
      self.init(bytes, length: bytes.count * 8)
      return
    }
    if let mask = Self.ipv4(last) {
      let value = mask.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      // Bits that aren't the first ones name no prefix.
      // Checked: both counts are at most 32.
      guard bytes.count == 4, (~value).leadingZeroBitCount + (~value).nonzeroBitCount == 32 else { return nil }
      self.init(bytes, length: value.nonzeroBitCount)
    } else {
      guard last.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(last) else { return nil }
      self.init(bytes, length: length)
    }
  }

  package var isIPv4: Bool { bytes.count == 4 }

  /// Whether every address of another is in it.
  package func contains(_ other: AddressPrefix) -> Bool {
    guard bytes.count == other.bytes.count, length <= other.length else { return false }
    return zip(bytes, other.bytes).enumerated().allSatisfy { index, pair in
      let bits = min(max(length - index * 8, 0), 8)  // Checked: at most 128, and fewer than 16 bytes.
      return (pair.0 ^ pair.1) >> (8 - bits) == 0  // Checked: 0 to 8.
    }
  }

  /// Whether the two have addresses in common. One of them then contains the other.
  package func overlaps(_ other: AddressPrefix) -> Bool { contains(other) || other.contains(self) }

  /// The parts between separators, also the empty ones.
  private static func parts(_ text: Substring, _ separator: UInt8) -> [Substring] {
    text.utf8.split(separator: separator, omittingEmptySubsequences: false).map { Substring($0) }
  }

  private static func ipv4(_ text: Substring) -> [UInt8]? {
    let parts = Self.parts(text, UInt8(ascii: "."))
    let bytes = parts.compactMap { part in
      part.utf8.allSatisfy { (48...57).contains($0) } ? UInt8(part) : nil
    }
    return parts.count == 4 && bytes.count == 4 ? bytes : nil
  }

  /// RFC 4291, section 2.2, without the form that ends with an IPv4 address.
  private static func ipv6(_ text: Substring) -> [UInt8]? {
    // Empty parts are a gap: `::` at an end gives two.
    var parts = Self.parts(text, UInt8(ascii: ":"))
    guard (3...9).contains(parts.count) else { return nil }
    if parts.first?.isEmpty == true {
      guard parts[1].isEmpty else { return nil }  // Checked: there are three.
      parts.removeFirst()
    }
    if parts.last?.isEmpty == true {
      guard parts.dropLast().last?.isEmpty == true else { return nil }
      parts.removeLast()
    }
    let gaps = parts.indices.filter { parts[$0].isEmpty }
    guard gaps.count <= 1, gaps.isEmpty ? parts.count == 8 : parts.count <= 8 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      if part.isEmpty {
        bytes += Array(repeating: 0, count: (9 - parts.count) * 2)
      } else {
        guard part.utf8.count <= 4, part.utf8.allSatisfy({ $0 != 43 && $0 != 45 }), let group = UInt16(part, radix: 16)
        else { return nil }
        bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
      }
    }
    return bytes.count == 16 ? bytes : nil
  }
}
