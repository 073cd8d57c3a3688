// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import JSONCoding

/// What the other end of a live terminal sends, and a description of a terminal. The first part of the input gives the
/// lengths of the pieces in which the bytes arrive.
enum TerminalFrameFuzzer: Fuzzer {
  private static let frames: [TerminalFrame] = [
    .hello(TerminalHello(terminal: "xterm", size: .usual, isUTF8: true, token: "t")),
    .welcome(TerminalWelcome(session: "work", resumeTime: 60, token: "t", isReadOnly: true)), .data([1, 2, 3]),
    .size(.usual), .detach, .ping, .pong, .end(TerminalEnd(.failed, message: "no")),
  ]

  private static let info = #"""
    {"session":"work","windows":[{"name":"a:b","layout":"b25d,80x24,0,0,0","isActive":true,"panes":[{"document":
    {"path":"/home"},"command":"vim"}]}],"resumeTime":60,"omittedWindows":1}
    """#

  static let seeds: [[UInt8]] =
    frames.map { [1, 3] + $0.bytes } + [
      [0] + frames.flatMap(\.bytes), [0, 9, 0, 1, 7, 3, 64, 1], [0] + Array(info.utf8),
    ]

  static let words = [
    "\"version\":1", "\"columns\":", "\"rows\":", "\"how\":\"ended\"", "\"windows\":[", "#{", "[80x24,0,0",
  ]

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    var lengths = Choices(choices.bytes())
    let bytes = choices.remaining()
    let whole = frames(of: [bytes[...]])
    let pieces = frames(of: lengths.pieces(of: bytes))
    same(pieces.frames, whole.frames, "Other pieces make other frames")
    same(pieces.isMalformed, whole.isMalformed)
    for frame in whole.frames { check(frame) }
    guard let json = try? JSON(parsing: bytes, depth: 8), let info = TerminalInfo(json: json) else { return }
    hold(info.fitting(3000).json.bytes.count <= 3000 || info.fitting(3000).windows.isEmpty, "It is too long")
    for text in [info.session] + info.windows.map(\.name) {
      guard let name = TerminalText.name(text) else { continue }
      hold(!name.isEmpty && !name.utf8.contains { "#:.%".utf8.contains($0) }, "\(name) is no name")
      hold(name.utf8.first != UInt8(ascii: "-"), "\(name) is an option")
    }
    for window in info.windows {
      if let layout = TerminalText.layout(window.layout) {
        hold(!layout.utf8.contains { "#; ".utf8.contains($0) }, layout)
      }
    }
  }

  private static func check(_ frame: TerminalFrame) {
    if case .hello(let hello) = frame {
      hold(TerminalSize.range.contains(Int(hello.size.columns)), "\(hello.size)")
      hold(TerminalSize.range.contains(Int(hello.size.rows)), "\(hello.size)")
    }
    if case .data(let data) = frame { hold(data.count <= TerminalFrame.payloadLength, "\(data.count) bytes") }
    var decoder = TerminalFrameDecoder()
    decoder.receive(frame.bytes)
    // Empty data is not sent.
    if case .data(let data) = frame, data.isEmpty { return }
    // A message with texts of many bytes can be longer when it is written again.
    guard frame.bytes.count <= TerminalFrame.headerLength + TerminalFrame.payloadLength else { return }
    same(try? decoder.next(), frame, "A frame does not survive")
  }

  private static func frames(of pieces: [ArraySlice<UInt8>]) -> (frames: [TerminalFrame], isMalformed: Bool) {
    var decoder = TerminalFrameDecoder()
    var frames: [TerminalFrame] = []
    do throws(MalformedTerminalFrame) {
      for piece in pieces {
        decoder.receive(piece)
        while let frame = try decoder.next() { frames.append(frame) }
        hold(
          decoder.pendingCount < TerminalFrame.headerLength + TerminalFrame.payloadLength,
          "\(decoder.pendingCount) bytes wait"
        )
      }
    } catch {
      return (frames, true)
    }
    return (frames, false)
  }
}
