// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Testing

@testable import Handoff

struct NATSDecoderTests {
  private func messages(_ text: String, by count: Int = 10_000) throws -> [NATSMessage] {
    var decoder = NATSDecoder()
    let bytes = Array(text.utf8)
    return try stride(from: 0, to: bytes.count, by: count).flatMap { start in
      try decoder.receive(bytes[start..<min(start + count, bytes.count)])
    }
  }

  @Test(arguments: [1, 2, 5, 10_000]) func whatServersSayComesInAnyPieces(_ count: Int) throws {
    let text =
      "INFO {\"version\":\"2.9.10\",\"nonce\":\"abc\",\"tls_required\":true,\"max_payload\":1048576,"
      + "\"connect_urls\":[\"192.0.2.1:4222\",\"a b\"]} \r\nPING\r\npong\r\n+OK\r\n"
      + "MSG b.adv.x 7 5\r\n12\r\n4\r\nMSG b.to.x.y 8 b.reply 0\r\n\r\n-ERR 'Slow Consumer'\r\n"
    let all = try messages(text, by: count)
    guard case .info(let info) = try #require(all.first) else { throw TestError("no INFO") }
    #expect(info.nonce == "abc" && info.requiresTLS && !info.isLeaving)
    #expect(
      Array(all.dropFirst()) == [
        .ping, .pong, .ok, .message(subject: "b.adv.x", subscription: 7, payload: Array("12\r\n4".utf8)),
        .message(subject: "b.to.x.y", subscription: 8, payload: []), .error("Slow Consumer"),
      ]
    )
  }

  @Test(arguments: [
    "HELLO\r\n", "INFO x\r\n", "INFO []\r\n", "MSG a 1\r\n", "MSG a b c d e\r\n", "MSG a -1 5\r\n", "MSG a 1 -5\r\n",
    "MSG a 1 1025\r\n", "MSG a 1 99999999999999999999\r\n", "MSG a 1 1\r\nabc", "PING\n", "\r\n",
    String(repeating: "x", count: 20_000),
  ])
  func anythingElseIsMalformed(_ text: String) {
    #expect(throws: NATSDecoder.Malformed.self) { try messages(text) }
  }

  @Test func commandsAreLines() {
    #expect(NATSCommand.subscribe(subject: "b.adv.*", subscription: 1).bytes == Array("SUB b.adv.* 1\r\n".utf8))
    #expect(NATSCommand.publish(subject: "a", payload: [0x31, 0x0A]).bytes == Array("PUB a 2\r\n1\n\r\n".utf8))
    #expect(NATSCommand.ping.bytes + NATSCommand.pong.bytes == Array("PING\r\nPONG\r\n".utf8))
    let connect = NATSCommand.connect(token: "x.y.z", signature: [0xFB]).bytes
    #expect(connect.starts(with: "CONNECT {".utf8) && connect.suffix(2).elementsEqual("\r\n".utf8))
    let json = try? JSON(parsing: connect.dropFirst(8).dropLast(2), depth: 2)
    #expect(json?.object?["sig"] == .string("-w") && json?.object?["jwt"] == .string("x.y.z"))
  }

  private struct TestError: Error {
    init(_ text: String) { _ = text }
  }
}
