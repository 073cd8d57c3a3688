// SPDX-License-Identifier: Apache-2.0

/// Reads the words and signs of an expression, one after the other.
struct ExpressionScanner {
  private let count: Int
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    count = bytes.count
    rest = bytes[...]
  }

  /// How many bytes were read.
  var offset: Int { count - rest.count }
  var isAtEnd: Bool { rest.isEmpty }
  var next: UInt8? { rest.first }

  func error(_ expected: String, at offset: Int? = nil) -> SearchExpressionError {
    SearchExpressionError(offset: offset ?? self.offset, expected: expected)
  }

  mutating func skipSpace() { rest = rest.drop(while: Self.isSpace) }

  /// Skips space and a sign, if it is there.
  mutating func take(_ sign: String) -> Bool {
    skipSpace()
    guard rest.starts(with: sign.utf8) else { return false }
    rest = rest.dropFirst(sign.utf8.count)
    return true
  }

  /// - Throws: If it is not there.
  mutating func expect(_ sign: String) throws(SearchExpressionError) {
    guard take(sign) else { throw error(sign) }
  }

  mutating func takeByte() -> UInt8? { rest.popFirst() }

  mutating func take(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let part = rest.prefix(while: isPart)
    rest = rest.dropFirst(part.count)
    return part
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  /// Whether it can be in the name of an attribute.
  static func isName(_ byte: UInt8) -> Bool { byte.isASCIIWord || "_.:-".utf8.contains(byte) }

  /// Whether it can be in a text without quotes.
  static func isBare(_ byte: UInt8) -> Bool { byte > 0x20 && byte != 0x7F && !"()[]<>=!&|,\"'".utf8.contains(byte) }
}
