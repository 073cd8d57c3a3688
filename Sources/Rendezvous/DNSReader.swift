import Activity

/// Reads a DNS message from its start to its end.
struct DNSReader {
  /// The maximum number of pointers in a name: one for each label. Without a limit, one name could be a chain of all
  /// pointers in the message, and each record could have that name.
  private static let pointers = 127

  private let message: [UInt8]
  private var rest: ArraySlice<UInt8>

  init(_ message: [UInt8]) { (self.message, rest) = (message, message[...]) }

  /// How many bytes have been read.
  var position: Int { message.count - rest.count }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func bytes(_ count: Int) throws(DNSFailure) -> ArraySlice<UInt8> {
    guard let bytes = rest.takeFirst(count) else { throw .malformed("the message is too short") }
    return bytes
  }

  /// Returns a number of so many bytes, at most eight.
  mutating func number(_ count: Int) throws(DNSFailure) -> UInt64 {
    try bytes(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func uint16() throws(DNSFailure) -> UInt16 { UInt16(truncatingIfNeeded: try number(2)) }

  /// Returns bytes after their number.
  mutating func counted() throws(DNSFailure) -> ArraySlice<UInt8> { try bytes(Int(try uint16())) }

  /// Reads a name. Its end may be elsewhere (RFC 1035, section 4.1.4).
  mutating func name() throws(DNSFailure) -> DNSName {
    var (wire, part, start, pointers): ([UInt8], ArraySlice<UInt8>, Int, Int) = ([], rest, position, 0)
    var after: ArraySlice<UInt8>?
    while let length = part.popFirst() {
      switch length {
      case 0:
        rest = after ?? part
        return DNSName(wire: wire + [0])
      case 1..<0x40:
        guard let label = part.takeFirst(Int(length)) else { throw .malformed("a label is too short") }
        wire.append(length)
        wire += label.map(DNSName.lowercased)
        guard wire.count < DNSName.length else { throw .malformed("a name is too long") }
      case 0xC0...:
        guard let low = part.popFirst() else { throw .malformed("a pointer is too short") }
        let target = Int(length & 0x3F) << 8 | Int(low)
        // Nothing but names before it, so there is no loop.
        guard target < start, pointers < Self.pointers else { throw .malformed("a pointer leads nowhere") }
        after = after ?? part
        // Checked: target is before the start of this part.
        (part, start, pointers) = (message[target...], target, pointers + 1)
      default: throw .malformed("a label of an unknown kind")
      }
    }
    throw .malformed("a name has no end")
  }
}
