// SPDX-License-Identifier: Apache-2.0

/// The ID of a team: SHA-256 of the DER SubjectPublicKeyInfo of the team's CA, whose key certifies its devices. IDs are
/// compared in full; people see the first 10 base-32 digits.
package struct TeamID: Hashable, Sendable, CustomStringConvertible {
  package static let byteCount = 32
  package let bytes: [UInt8]

  /// - Parameter bytes: 32 bytes; nil otherwise.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// The first 10 base-32 digits (50 bits). They are for people, never for a decision about trust.
  package var description: String { String(Base32.encode(bytes.prefix(7)).prefix(10)) }
}

/// The ID of a device of a team: SHA-256 of the DER SubjectPublicKeyInfo of its certificate.
package struct DeviceID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package static let byteCount = 32
  package let bytes: [UInt8]

  /// - Parameter bytes: 32 bytes; nil otherwise.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// All 52 base-32 digits.
  package var text: String { Base32.encode(bytes) }

  package init?(text: String) {
    guard let bytes = Base32.decode(text) else { return nil }
    self.init(bytes: bytes)
  }

  /// The first 10 base-32 digits, for people and logs.
  package var description: String { String(text.prefix(10)) }

  package static func < (left: DeviceID, right: DeviceID) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

/// The ID of one activity for as long as it exists: a random UUID (RFC 9562, version 4) that its origin made.
package struct ActivityID: Hashable, Sendable, CustomStringConvertible {
  package static let byteCount = 16
  package let bytes: [UInt8]

  /// - Parameter bytes: 16 bytes; nil otherwise.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  package init(randomBytes random: (UInt64, UInt64)) {
    // Checked: eight bytes of eight bits.
    var bytes = [random.0, random.1].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }
    bytes[6] = bytes[6] & 0x0F | 0x40  // Checked: there are sixteen.
    bytes[8] = bytes[8] & 0x3F | 0x80  // Checked: there are sixteen.
    self.bytes = bytes
  }

  /// Creates an ID from the system's randomness.
  package static func random() -> ActivityID {
    ActivityID(randomBytes: (.random(in: .min ... .max), .random(in: .min ... .max)))
  }

  /// Reads the form `8-4-4-4-12` in hexadecimal digits, in either case.
  package init?(text: String) {
    guard let bytes = UUIDText.bytes(of: text) else { return nil }
    self.bytes = bytes
  }

  /// The form `8-4-4-4-12` in small hexadecimal digits.
  package var description: String { UUIDText.text(of: bytes) }
}

/// The text form of a UUID (RFC 9562 section 4).
enum UUIDText {
  private static let length = 36

  /// - Parameter bytes: 16 bytes.
  static func text(of bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(length)
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { output.append(UInt8(ascii: "-")) }
      output.append(digit(byte >> 4))
      output.append(digit(byte & 15))
    }
    return String(decoding: output, as: UTF8.self)
  }

  static func bytes(of text: String) -> [UInt8]? {
    guard text.utf8.count == length else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(ActivityID.byteCount)
    var first: UInt8?
    for (index, character) in text.utf8.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let value = value(of: character) else { return nil }
      if let high = first { bytes.append(high << 4 | value) }
      first = first == nil ? value : nil
    }
    return bytes
  }

  // Checked value, character: the digit's own range.
  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "a")
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
