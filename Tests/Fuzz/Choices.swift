/// Makes decisions of an input's bytes: events of a machine, one after the other. Behind the end all is 0.
struct Choices {
  private var rest: ArraySlice<UInt8>

  init(_ input: [UInt8]) { rest = input[...] }

  /// Nothing is left to decide.
  var isOver: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func flag() -> Bool { byte() & 1 == 1 }

  /// Below `count`, which is 256 at most.
  mutating func number(below count: Int) -> Int { Int(byte()) % count }

  mutating func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) } }

  /// One of the values, of which there is one at least.
  mutating func pick<T>(_ values: some Collection<T>) -> T {
    values[values.index(values.startIndex, offsetBy: number(below: min(values.count, 256)))]
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// A length byte and as many bytes.
  mutating func bytes() -> [UInt8] { bytes(Int(byte())) }

  mutating func remaining() -> [UInt8] { bytes(rest.count) }

  /// The bytes in pieces of some lengths, as a socket gives them.
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
