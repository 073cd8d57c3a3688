// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing

@testable import ActivityTypes

struct TerminalFrameTests {
  private static let frames: [TerminalFrame] = [
    .hello(TerminalHello(terminal: "xterm", size: .usual, isUTF8: true, token: nil)),
    .welcome(TerminalWelcome(session: "work", resumeTime: 60, token: "t", isReadOnly: false)),
    .data([1, 2, 3]), .size(TerminalSize(columns: 100, rows: 30)), .detach, .end(TerminalEnd(.detached)),
    .ping, .pong,
  ]

  @Test func framesArriveInPiecesOfAnyLength() throws {
    let bytes = Self.frames.flatMap(\.bytes)
    for length in 1...bytes.count {
      var decoder = TerminalFrameDecoder()
      var frames: [TerminalFrame] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        decoder.receive(rest.prefix(length))
        rest = rest.dropFirst(length)
        while let frame = try decoder.next() { frames.append(frame) }
      }
      #expect(frames == Self.frames)
      #expect(decoder.pendingCount == 0)
    }
  }

  @Test func longDataMakesSeveralFrames() throws {
    let data = [UInt8](repeating: 7, count: 3 * TerminalFrame.payloadLength + 1)
    var decoder = TerminalFrameDecoder()
    decoder.receive(TerminalFrame.data(data[...]).bytes)
    var received: [UInt8] = []
    while case .data(let bytes)? = try decoder.next() { received += bytes }
    #expect(received == data)
    #expect(TerminalFrame.data([]).bytes.isEmpty)
  }

  @Test(
    arguments: [
      [3, 0x40, 1], [255, 255, 255], [1, 0, 1, 0x7B], [2, 0, 2, 0x7B, 0x7D], [6, 0, 2, 0x5B, 0x5D], [4, 0, 3, 0, 1, 0],
    ] as [[UInt8]]
  )
  func whatIsNoFrameIsRefused(bytes: [UInt8]) {
    var decoder = TerminalFrameDecoder()
    decoder.receive(bytes)
    #expect(throws: MalformedTerminalFrame()) { try decoder.next() }
  }

  @Test func unknownFramesAreSkipped() throws {
    var decoder = TerminalFrameDecoder()
    decoder.receive([99, 0, 2, 1, 2] + TerminalFrame.detach.bytes)
    #expect(try decoder.next() == .detach)
  }

  @Test func sizesAreBounded() {
    #expect(TerminalSize(columns: 0, rows: -1) == .usual)
    #expect(TerminalSize(columns: .max, rows: 65_535) == TerminalSize(columns: 1000, rows: 1000))
    #expect(TerminalSize(columns: 1, rows: 1).columns == 1)
  }
}

struct EscapeSequenceTests {
  @Test(arguments: [
    ("~.", nil, ""), ("a~.", "a~.", ""), ("a\r~.", nil, "a\r"), ("~~.", "~.", ""), ("~x", "~x", ""),
    ("\r~\r~.", nil, "\r~\r"),
  ])
  func leaving(typed: String, passed: String?, before: String) {
    var escape = EscapeSequence()
    var output: [UInt8] = []
    for byte in typed.utf8 {
      switch escape.filter([byte]) {
      case .typed(let bytes): output += bytes
      case .leave(let bytes):
        #expect(passed == nil)
        #expect(String(decoding: output + bytes, as: UTF8.self) == before)
        return
      }
    }
    #expect(String(decoding: output, as: UTF8.self) == passed)
  }
}
