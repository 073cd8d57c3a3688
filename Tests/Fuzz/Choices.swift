// SPDX-License-Identifier: Apache-2.0

/// Makes decisions from the bytes of an input, such as the events of a machine. After the end of the input, every byte
/// is 0.
struct Choices {
  private var rest: ArraySlice<UInt8>

  init(_ input: [UInt8]) { rest = input[...] }

  /// Whether there is nothing left to decide from.
  var isOver: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func flag() -> Bool { byte() & 1 == 1 }

  /// Returns a number below `count`, which is at most 256.
  mutating func number(below count: Int) -> Int { Int(byte()) % count }

  mutating func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) } }

  /// Returns one of the values, of which there must be at least one.
  mutating func pick<T>(_ values: some Collection<T>) -> T {
    // Characters: of any collection.
    values[values.index(values.startIndex, offsetBy: number(below: min(values.count, 256)))]
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Returns as many bytes as the first byte says.
  mutating func bytes() -> [UInt8] { bytes(Int(byte())) }

  mutating func remaining() -> [UInt8] { bytes(rest.count) }

  /// Returns the bytes in pieces of various lengths, as a socket delivers them.
  mutating func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let length = isOver ? rest.count : 1 + number(below: 64)
      pieces.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return pieces
  }
}
