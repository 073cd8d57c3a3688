// SPDX-License-Identifier: Apache-2.0

import Activity

/// What a relay says ("Relay Protocol v1" of Syncthing).
package enum RelayMessage: Equatable, Sendable {
  /// The maximum length of an ID, a key or an address in a relay's message, in bytes.
  static let relayFieldLength = 32

  case ping
  case pong
  /// - Parameters:
  ///   - code: 0 for success.
  ///   - text: The relay's own words: printable ASCII.
  case response(code: Int32, text: String)
  /// A session with the other side, which this client joins with the key (`SessionInvitation`). The address in the
  /// message is left out, because a hostile relay could name any machine.
  case invitation(key: [UInt8])
  /// It takes nobody else for now.
  case full

  /// How each message begins.
  static let magic: UInt32 = 0x9E79_BC40

  /// Reads the body of a message. Bytes after its fields are ignored, because later versions add fields there.
  init(type: UInt32, body: ArraySlice<UInt8>) throws(RelayDecoder.Malformed) {
    var body = body
    switch type {
    case 0: self = .ping
    case 1: self = .pong
    case 4:
      guard let code = body.takeNumber(), let text = body.takeOpaque(upTo: Limits.relayMessageLength) else {
        throw RelayDecoder.Malformed(why: "a response isn't complete")
      }
      let printable = text.map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }
      self = .response(code: Int32(bitPattern: code), text: String(decoding: printable, as: UTF8.self))
    case 6:
      // From whom, the key, the address with its port, and whether to be the server.
      guard body.takeOpaque(upTo: Self.relayFieldLength) != nil,
        let key = body.takeOpaque(upTo: Self.relayFieldLength), !key.isEmpty,
        body.takeOpaque(upTo: Self.relayFieldLength) != nil, body.takeNumber() != nil, body.takeNumber() != nil
      else { throw RelayDecoder.Malformed(why: "an invitation isn't complete") }
      self = .invitation(key: key)
    case 7: self = .full
    default: throw RelayDecoder.Malformed(why: "an unknown message")
    }
  }
}

extension ArraySlice<UInt8> {
  /// Takes 32 bits, big-endian. Nil if there are fewer.
  mutating func takeNumber() -> UInt32? { takeFirst(4)?.reduce(0) { $0 << 8 | UInt32($1) } }

  /// Takes bytes of any length, as XDR (RFC 4506) writes them. Nil if there are fewer, or more than the limit.
  fileprivate mutating func takeOpaque(upTo limit: Int) -> [UInt8]? {
    guard let length = takeNumber(), length <= limit, let bytes = takeFirst(Int(length)),
      takeFirst((4 - bytes.count % 4) % 4) != nil
    else { return nil }
    return Array(bytes)
  }
}
