// SPDX-License-Identifier: Apache-2.0

import Handoff
import Testing

@Suite struct HTTPReplyTests {
  private func reply(_ text: String) -> HTTPReply? { HTTPReply(Array(text.utf8)) }

  private func body(_ text: String) -> String? { reply(text).map { String(decoding: $0.body, as: UTF8.self) } }

  @Test func theBodyEndsWithTheConnectionOrItsLength() {
    #expect(reply("HTTP/1.0 200 OK\r\n\r\n{}") == reply("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}"))
    #expect(reply("HTTP/1.0 200 OK\r\n\r\n{}")?.status == 200)
    #expect(reply("HTTP/1.1 403 Forbidden\r\nA: b\r\n\r\n")?.status == 403)
    #expect(body("HTTP/1.1 200 OK\r\ncontent-length:2\r\n\r\n{}more") == "{}")
    #expect(body("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\na\r\n\r\nb") == "a\r\n\r\nb")
  }

  @Test func chunksAreJoined() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(body(head + "4\r\nWiki\r\n1A;x=y\r\npedia in chunks, for a test\r\n0\r\nTrailer: z\r\n\r\n") == nil)
    #expect(
      body(head + "4\r\nWiki\r\n1b;x=y\r\npedia in chunks, for a test\r\n0\r\nTrailer: z\r\n\r\n")
        == "Wikipedia in chunks, for a test"
    )
    #expect(body(head + "0\r\n\r\n") == "")
  }

  @Test(arguments: [
    "", "HTTP/1.0 200 OK", "HTTP/1.0 200 OK\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.0\r\n\r\n", "HTTP/1.0 ok\r\n\r\n",
    "SSH-2.0-x\r\n\r\n", "HTTP/1.0 200 OK\r\nno field\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n{}",
  ])
  func whatIsCutOrElseIsNoReply(text: String) { #expect(reply(text) == nil) }

  @Test(arguments: [
    "", "2", "2\r\n", "2\r\n{", "2\r\n{}", "2\r\n{}\r\n", "2\r\n{}0\r\n", "x\r\n{}\r\n0\r\n", "-2\r\n{}\r\n0\r\n",
    "\r\n",
    "ffffffffffffffffff\r\n{}\r\n0\r\n", "7fffffffffffffff\r\n{}\r\n0\r\n",
  ])
  func chunksThatAreCutOrWrongAreNoReply(chunks: String) {
    #expect(reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks) == nil)
  }
}
