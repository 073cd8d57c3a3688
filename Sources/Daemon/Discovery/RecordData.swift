// SPDX-License-Identifier: Apache-2.0

/// The data of DNS resource records (RFC 1035 section 3.3, RFC 2782), without compression.
enum RecordData {
  /// The most bytes that a label can have.
  static let labelLength = 63
  /// The most bytes that a string of a TXT record can have.
  static let stringLength = 255

  /// Encodes a domain name.
  ///
  /// - Returns: Nil if a label is empty or too long.
  static func name(_ labels: [String]) -> [UInt8]? {
    var output: [UInt8] = []
    for label in labels {
      guard let length = UInt8(exactly: label.utf8.count), (1...labelLength).contains(Int(length)) else { return nil }
      output.append(length)
      output += label.utf8
    }
    return output + [0]
  }

  /// Encodes an SRV record, with priority and weight 0.
  static func service(port: UInt16, target: [String]) -> [UInt8]? {
    guard let target = name(target) else { return nil }
    return [0, 0, 0, 0, UInt8(port >> 8), UInt8(port & 0xFF)] + target
  }

  /// - Returns: Nil if a string is longer than 255 bytes.
  static func text(_ strings: [[UInt8]]) -> [UInt8]? {
    guard !strings.isEmpty else { return [0] }  // RFC 6763 section 6.1: at least one string.
    var output: [UInt8] = []
    for string in strings {
      guard let length = UInt8(exactly: string.count) else { return nil }
      output.append(length)
      output += string
    }
    return output
  }

  /// Returns the strings of a TXT record, without empty ones.
  ///
  /// - Returns: Nil if a length points past the end.
  static func strings(ofText data: [UInt8]) -> [[UInt8]]? {
    var strings: [[UInt8]] = []
    var rest = data[...]
    while let length = rest.popFirst() {
      guard rest.count >= Int(length) else { return nil }
      if length > 0 { strings.append(Array(rest.prefix(Int(length)))) }
      rest = rest.dropFirst(Int(length))
    }
    return strings
  }
}
