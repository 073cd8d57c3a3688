// SPDX-License-Identifier: Apache-2.0

import Activity

@testable import Handoff

/// A peer's bytes. The first part of the input gives the lengths of the pieces in which they arrive.
enum FrameFuzzer: Fuzzer {
  static var seeds: [[UInt8]] {
    let data: [UInt8] = [0, 0, 15, 15, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]
    return MessageFuzzer.samples.map { [2, 7, 3] + $0.frame } + [
      [0] + MessageFuzzer.samples.flatMap(\.frame), [3, 1, 2, 3] + data + data, [0, 0, 0, 0, 64, 0, 0, 1, 99],
      [0, 255, 255, 255, 1],
    ]
  }

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    var lengths = Choices(choices.bytes())
    let bytes = choices.remaining()
    let whole = frames(of: [bytes[...]])
    let pieces = frames(of: lengths.pieces(of: bytes))
    same(pieces.frames, whole.frames, "Other pieces make other frames")
    same(pieces.isViolation, whole.isViolation)
    for frame in whole.frames { try check(frame) }
  }

  private static func frames(of pieces: [ArraySlice<UInt8>]) -> (frames: [FrameDecoder.Frame], isViolation: Bool) {
    var decoder = FrameDecoder()
    var frames: [FrameDecoder.Frame] = []
    do throws(Reason) {
      for piece in pieces {
        decoder.receive(piece)
        while let frame = try decoder.next() { frames.append(FrameDecoder.Frame(frame)) }
        hold(
          decoder.pendingCount < FrameHeader.length + Limits.framePayloadLength,
          "A frame of \(decoder.pendingCount) bytes waits"
        )
        if decoder.pendingCount == 0 { decoder.trim() }
      }
    } catch {
      same(error, .protocolViolation)
      return (frames, true)
    }
    return (frames, false)
  }

  private static func check(_ frame: FrameDecoder.Frame) throws {
    hold(frame.payload.count <= Limits.framePayloadLength, "A payload of \(frame.payload.count) bytes")
    if frame.type == DataFrame.type, let data = try? DataFrame(payload: frame.payload) {
      let header = DataFrame.header(stream: data.stream, offset: data.offset, count: data.bytes.count)
      same(UInt32(truncatingIfNeeded: header.0), data.stream)
      same(header.1, data.offset)
      hold((1...DataFrame.maximumCount).contains(data.bytes.count), "\(data.bytes.count) bytes of a stream")
    }
    if let message = try? Message(type: frame.type, payload: frame.payload) { try MessageFuzzer.check(message) }
  }
}

extension FrameDecoder.Frame {
  /// Copies a frame, with its own bytes.
  fileprivate init(_ frame: Self) { self.init(type: frame.type, payload: Array(frame.payload)[...]) }
}
