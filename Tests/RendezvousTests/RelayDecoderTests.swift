// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Handoff

/// What relays say, as bytes.
enum RelayBytes {
  static func number(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

  static func opaque(_ bytes: [UInt8]) -> [UInt8] {
    number(UInt32(bytes.count)) + bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  static func message(_ type: UInt32, _ body: [UInt8] = []) -> [UInt8] {
    number(0x9E79_BC40) + number(type) + number(UInt32(body.count)) + body
  }

  static func response(_ code: UInt32, _ text: String) -> [UInt8] {
    message(4, number(code) + opaque(Array(text.utf8)))
  }

  static func invitation(key: [UInt8], address: [UInt8] = [192, 0, 2, 1]) -> [UInt8] {
    message(6, opaque(.init(repeating: 7, count: 32)) + opaque(key) + opaque(address) + number(22067) + number(1))
  }

  static let ping = message(0)
  static let success = response(0, "success")
}

struct RelayDecoderTests {
  private func messages(_ bytes: [UInt8], by count: Int = 10_000) throws -> [RelayMessage] {
    var (decoder, messages) = (RelayDecoder(), [RelayMessage]())
    for start in stride(from: 0, to: bytes.count, by: count) {
      decoder.append(bytes[start..<min(start + count, bytes.count)])
      while let message = try decoder.next() { messages.append(message) }
    }
    return messages
  }

  @Test(arguments: [1, 2, 5, 10_000]) func whatRelaysSayComesInAnyPieces(_ count: Int) throws {
    let key = [UInt8](1...32)
    let all = [
      RelayBytes.ping, RelayBytes.message(1), RelayBytes.success, RelayBytes.response(.max, "no\u{1B}[0m"),
      RelayBytes.invitation(key: key), RelayBytes.invitation(key: [9], address: []), RelayBytes.message(7),
    ]
    #expect(
      try messages(all.flatMap(\.self), by: count) == [
        .ping, .pong, .response(code: 0, text: "success"), .response(code: -1, text: "no?[0m"), .invitation(key: key),
        .invitation(key: [9]), .full,
      ]
    )
  }

  /// Later versions of the protocol add fields.
  @Test func moreThanAMessageNeedsIsIgnored() throws {
    let body = RelayBytes.number(2) + RelayBytes.opaque([0x61]) + RelayBytes.opaque([1, 2, 3])
    #expect(try messages(RelayBytes.message(4, body)) == [.response(code: 2, text: "a")])
  }

  @Test(arguments: [
    Array("HTTP/1.1 400 Bad Request\r\n".utf8), RelayBytes.number(0x9E79_BC41),
    // Longer than allowed, and much longer.
    RelayBytes.number(0x9E79_BC40) + RelayBytes.number(4) + RelayBytes.number(1025),
    RelayBytes.number(0x9E79_BC40) + RelayBytes.number(4) + RelayBytes.number(.max),
    // Messages of clients, and of nobody.
    RelayBytes.message(2), RelayBytes.message(3, RelayBytes.opaque([1])), RelayBytes.message(5), RelayBytes.message(8),
    RelayBytes.message(.max),
    // Not complete.
    RelayBytes.message(4), RelayBytes.message(4, RelayBytes.number(0)),
    RelayBytes.message(4, RelayBytes.number(0) + RelayBytes.number(1)),
    RelayBytes.message(4, RelayBytes.number(0) + RelayBytes.number(.max)),
    RelayBytes.message(4, RelayBytes.number(0) + RelayBytes.number(1) + [0x61]),
    RelayBytes.message(6), RelayBytes.message(6, RelayBytes.opaque([]) + RelayBytes.opaque([1])),
    Array(RelayBytes.invitation(key: [1]).dropLast(4)).replacingLength(44),
    // An ID, a key or an address that is too long, and no key.
    RelayBytes.invitation(key: .init(repeating: 1, count: 33)), RelayBytes.invitation(key: []),
    RelayBytes.invitation(key: [1], address: .init(repeating: 1, count: 33)),
  ])
  func anythingElseIsMalformed(_ bytes: [UInt8]) {
    for count in [1, 10_000] {
      #expect(throws: RelayDecoder.Malformed.self) { try messages(bytes, by: count) }
    }
  }

  @Test func aMessageThatIsNotCompleteIsAwaited() throws {
    let bytes = RelayBytes.invitation(key: [1, 2])
    for count in 0..<bytes.count { #expect(try messages(Array(bytes.prefix(count))).isEmpty) }
  }

  @Test func requestsAreWhatTheProtocolSays() {
    #expect(RelayRequest.joinRelay.bytes == RelayBytes.message(2))
    #expect(RelayRequest.pong.bytes == RelayBytes.message(1))
    #expect(RelayRequest.joinSession(key: [1, 2, 3, 4, 5]).bytes.suffix(12) == [0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0])
    let id = [UInt8](0..<32)
    #expect(RelayRequest.connect(hostID: id).bytes == RelayBytes.message(5, RelayBytes.opaque(id)))
  }
}

extension [UInt8] {
  /// Changes the length in a message's header.
  fileprivate func replacingLength(_ length: UInt32) -> [UInt8] {
    prefix(8) + RelayBytes.number(length) + dropFirst(12)
  }
}
