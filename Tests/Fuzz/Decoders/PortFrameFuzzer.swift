// SPDX-License-Identifier: Apache-2.0

import ActivityTypes

/// What the other machine sends through the stream of a local page. The first part of the input gives the lengths of
/// the pieces in which the bytes arrive.
enum PortFrameFuzzer: Fuzzer {
  private static let frames: [PortFrame] = [
    .open(1, port: 8000), .data(1, [1, 2, 3]), .taken(1, count: 65536), .end(1), .reset(1, .asking),
  ]

  static let seeds: [[UInt8]] =
    frames.map { [1, 3] + $0.bytes } + [
      [0] + frames.flatMap(\.bytes), [0, 9, 0, 0, 0, 1, 0, 1, 7, 2, 0, 0, 0, 1, 64, 1],
    ]

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    var lengths = Choices(choices.bytes())
    let bytes = choices.remaining()
    let whole = frames(of: [bytes[...]])
    let pieces = frames(of: lengths.pieces(of: bytes))
    same(pieces.frames, whole.frames, "Other pieces make other frames")
    same(pieces.isMalformed, whole.isMalformed)
    for frame in whole.frames {
      var decoder = PortFrameDecoder()
      decoder.receive(frame.bytes)
      same(try? decoder.next(), frame, "A frame does not survive")
    }
    // The other machine's frames cannot bring this one into a state that is not allowed.
    for isOrigin in [false, true] {
      var connections = PortConnections(isOrigin: isOrigin)
      _ = connections.open(port: 1)
      for frame in whole.frames {
        guard let (event, _) = try? connections.receive(frame) else { break }
        if case .received(let id, let bytes)? = event { _ = connections.take(id, bytes.count / 2) }
        hold(connections.count <= LocalPageLimits.connections, "\(connections.count) connections")
        hold((0...LocalPageLimits.window).contains(connections.credit(frame.connection)), "The credit is wrong")
      }
    }
  }

  private static func frames(of pieces: [ArraySlice<UInt8>]) -> (frames: [PortFrame], isMalformed: Bool) {
    var decoder = PortFrameDecoder()
    var frames: [PortFrame] = []
    do throws(MalformedPortFrame) {
      for piece in pieces {
        decoder.receive(piece)
        while let frame = try decoder.next() { frames.append(frame) }
        hold(
          decoder.pendingCount < PortFrame.headerLength + PortFrame.payloadLength,
          "\(decoder.pendingCount) bytes wait"
        )
      }
    } catch {
      return (frames, true)
    }
    return (frames, false)
  }
}
