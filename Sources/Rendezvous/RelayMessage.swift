import Activity

/// A message of Syncthing's relay protocol, version 1 (syncthing-relay(7)).
package enum RelayMessage: Equatable, Sendable {
  case ping
  case pong
  /// The sender waits at the relay for others.
  case joinRelay
  /// The sender wants the connection to be joined with the one that has the same key.
  case joinSession(key: [UInt8])
  /// 0 means success.
  case response(code: Int32, text: String)
  /// The sender wants to meet the one with this ID.
  case connect(id: [UInt8])
  /// Both sides get a key for the session. The address that a relay names is not used.
  case invitation(key: [UInt8])
  case full

  private static let magic: UInt32 = 0x9E79_BC40
  private static let headerLength = 12

  /// The response to a connect if nobody has the ID.
  package static let notFound: Int32 = 1

  package var bytes: [UInt8] {
    let (type, body): (UInt32, [UInt8]) =
      switch self {
      case .ping: (0, [])
      case .pong: (1, [])
      case .joinRelay: (2, [])
      case .joinSession(let key): (3, Self.opaque(key))
      case .response(let code, let text): (4, Self.word(UInt32(bitPattern: code)) + Self.opaque(Array(text.utf8)))
      case .connect(let id): (5, Self.opaque(id))
      case .invitation(let key):
        (6, Self.opaque([]) + Self.opaque(key) + Self.opaque([]) + Self.word(0) + Self.word(0))
      case .full: (7, [])
      }
    return Self.word(Self.magic) + Self.word(type) + Self.word(UInt32(clamping: body.count)) + body
  }

  private static func word(_ word: UInt32) -> [UInt8] {
    // Checked: four bytes of eight bits.
    (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
  }

  private static func opaque(_ bytes: [UInt8]) -> [UInt8] {
    word(UInt32(clamping: bytes.count)) + bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// What came is not the protocol, or longer than allowed.
  package struct Malformed: Error, Equatable {
    package let why: String
  }

  /// Takes the first message from the bytes. Nil if it is not complete.
  package static func take(from bytes: inout ArraySlice<UInt8>) throws(Malformed) -> RelayMessage? {
    var rest = bytes
    guard let magic = rest.takeWord(), let type = rest.takeWord(), let length = rest.takeWord() else { return nil }
    guard magic == Self.magic else { throw Malformed(why: "it is no message of a relay") }
    guard let length = Int(exactly: length), length <= Limits.relayMessageLength else {
      throw Malformed(why: "a message is too long")
    }
    guard var body = rest.takeFirst(length) else { return nil }
    guard let message = read(type, &body) else { throw Malformed(why: "a message is not complete") }
    bytes = rest
    return message
  }

  private static func read(_ type: UInt32, _ body: inout ArraySlice<UInt8>) -> RelayMessage? {
    switch type {
    case 0: return .ping
    case 1: return .pong
    case 2: return .joinRelay
    case 3: return body.takeOpaque().map { .joinSession(key: $0) }
    case 4:
      guard let code = body.takeWord(), let text = body.takeOpaque() else { return nil }
      return .response(code: Int32(bitPattern: code), text: String(decoding: text, as: UTF8.self))
    case 5: return body.takeOpaque().map { .connect(id: $0) }
    case 6:
      guard body.takeOpaque() != nil, let key = body.takeOpaque(), !key.isEmpty else { return nil }
      return .invitation(key: key)
    case 7: return .full
    default: return nil
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func takeWord() -> UInt32? { takeFirst(4)?.reduce(0) { $0 << 8 | UInt32($1) } }

  fileprivate mutating func takeOpaque() -> [UInt8]? {
    guard let count = takeWord().flatMap({ Int(exactly: $0) }), count <= self.count, let bytes = takeFirst(count),
      takeFirst((4 - count % 4) % 4) != nil
    else { return nil }
    return Array(bytes)
  }
}
