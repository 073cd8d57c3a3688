/// A domain name (RFC 1035, section 3.1).
package struct DNSName: Hashable, Sendable {
  /// The maximum length of a label, in bytes.
  private static let labelLength = 63
  /// The maximum length of a name on the wire, in bytes.
  static let length = 255

  /// Labels with their lengths, and the root. All letters are lower-case, because names that differ only in case are
  /// equal, and because signatures cover lower-case names.
  let wire: [UInt8]

  /// - Parameter wire: A complete name, as it was read.
  init(wire: [UInt8]) { self.wire = wire }

  /// Parses the usual form, such as `devices.example.org`. A dot may follow.
  ///
  /// - Returns: Nil if it is longer than allowed, or has other characters than letters, digits, `-` and `_`.
  package init?(_ text: String) {
    var wire: [UInt8] = []
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    for label in labels.last?.isEmpty == true ? labels.dropLast() : labels {
      guard (1...Self.labelLength).contains(label.count), label.allSatisfy(Self.isPlain) else { return nil }
      wire.append(UInt8(label.count))
      wire += label.map(Self.lowercased)
    }
    wire.append(0)
    guard (2...Self.length).contains(wire.count) else { return nil }
    self.wire = wire
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch lowercased(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
