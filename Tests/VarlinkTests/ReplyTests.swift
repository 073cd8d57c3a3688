// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing
import Varlink

@Suite struct ReplyTests {
  @Test(
    arguments: [
      ("{}", Reply([:])), (#"{"parameters":null}"#, Reply([:])), (#"{"parameters":{"x":1}}"#, Reply(["x": 1])),
      (#"{"continues":false}"#, Reply([:])), (#"{"continues":true}"#, Reply([:], continues: true)),
      (#"{"error":"a.b.E"}"#, Reply(error: "a.b.E")),
      (#"{"error":"a.b.E","parameters":{"x":1},"continues":false}"#, Reply(error: "a.b.E", ["x": 1])),
    ] as [(String, Reply)]
  )
  func aReplyIsRead(text: String, expected: Reply) throws {
    #expect(try Reply(message: text.utf8, depth: 16) == expected)
    #expect(try Reply(message: expected.bytes, depth: 16) == expected)
  }

  @Test(
    arguments: [
      ("", .notJSON), ("[]", .notAnObject), (#"{"parameters":[]}"#, .member("parameters")),
      (#"{"error":null}"#, .member("error")), (#"{"error":1}"#, .member("error")),
      (#"{"continues":null}"#, .member("continues")), (#"{"continues":1}"#, .member("continues")),
      (#"{"continues":true,"error":"a.b.E"}"#, .member("continues")),
      (#"{"foo":{}}"#, .unknownMember("foo")), (#"{"org.example":{}}"#, .unknownMember("org.example")),
    ] as [(String, MalformedMessage)]
  )
  func whatIsNoReplyIsRefused(text: String, error: MalformedMessage) {
    #expect(throws: error) { try Reply(message: text.utf8, depth: 16) }
  }

  @Test func bytesAreExact() {
    #expect(text(Reply([:])) == #"{"parameters":{}}"#)
    #expect(text(Reply(["x": 1], continues: true)) == #"{"continues":true,"parameters":{"x":1}}"#)
    #expect(text(Reply(error: "a.b.E")) == #"{"error":"a.b.E","parameters":{}}"#)
  }

  private func text(_ reply: Reply) -> String { String(decoding: reply.bytes, as: UTF8.self) }
}
