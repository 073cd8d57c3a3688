// SPDX-License-Identifier: Apache-2.0

/// A key with a meaning in the screen interface.
enum Key: Equatable {
  case character(Character)
  case up, down, pageUp, pageDown, home, end, enter, tab, interrupt
}

/// Decodes keys from the bytes that a terminal sends. A key may arrive in two parts.
struct KeyDecoder {
  private var rest: [UInt8] = []

  mutating func receive(_ bytes: some Sequence<UInt8>) -> [Key] {
    rest += bytes
    var keys: [Key] = []
    while let (key, length) = next() {
      if let key { keys.append(key) }
      rest.removeFirst(length)
    }
    return keys
  }

  /// - Returns: Nil if more bytes are needed. The key is nil if the bytes mean nothing here.
  private func next() -> (Key?, length: Int)? {
    guard let first = rest.first else { return nil }
    guard first == 0x1b else { return (Self.key(first), 1) }
    guard rest.count > 1 else { return nil }
    // CSI and SS3. The escape key alone means nothing here.
    guard rest[1] == UInt8(ascii: "[") || rest[1] == UInt8(ascii: "O") else { return (nil, 1) }
    guard let end = rest.indices.dropFirst(2).first(where: { 0x40...0x7e ~= rest[$0] }) else {
      // No terminal sends a sequence this long.
      return rest.count > 32 ? (nil, rest.count) : nil
    }
    return (Self.sequences[String(decoding: rest[2...end], as: UTF8.self)], end + 1)
  }

  private static let sequences: [String: Key] = [
    "A": .up, "B": .down, "5~": .pageUp, "6~": .pageDown, "H": .home, "F": .end, "1~": .home, "4~": .end,
  ]

  private static func key(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x03: .interrupt
    case 0x09: .tab
    case 0x0a, 0x0d: .enter
    case 0x20...0x7e: .character(Character(Unicode.Scalar(byte)))
    default: nil
    }
  }
}
