// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import MessageSamples
import Testing

struct FrameDecoderTests {
  /// All messages, bytes of a stream and an extension, one after the other.
  private static let frames: [[UInt8]] =
    Sample.all.map(\.message.frame) + [
      [0, 0, 13, 15, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 9, 0xAA], [0, 0, 0, 64], [0, 0, 2, 255, 1, 2],
    ]
  private static let whole = Array(frames.joined())

  private func drain(_ decoder: inout FrameDecoder) throws -> [[UInt8]] {
    var output: [[UInt8]] = []
    while let frame = try decoder.next() {
      let length = UInt32(frame.payload.count)
      output.append([UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), frame.type] + frame.payload)
    }
    return output
  }

  @Test func framesComeOutAsTheyWentIn() throws {
    var decoder = FrameDecoder()
    decoder.receive(Self.whole)
    #expect(decoder.pendingCount == Self.whole.count)
    #expect(try drain(&decoder) == Self.frames)
    #expect(decoder.pendingCount == 0)
  }

  @Test func theyDoAtEverySplit() throws {
    for split in 0...Self.whole.count {
      var decoder = FrameDecoder()
      decoder.receive(Self.whole[..<split])
      var output = try drain(&decoder)
      #expect(output.joined().count + decoder.pendingCount == split)
      decoder.receive(Self.whole[split...])
      output += try drain(&decoder)
      #expect(output == Self.frames, "split at \(split)")
    }
  }

  @Test(arguments: [1, 2, 3, 5, 64, 1000]) func theyDoInPiecesOfAnySize(size: Int) throws {
    var decoder = FrameDecoder()
    var output: [[UInt8]] = []
    for start in stride(from: 0, to: Self.whole.count, by: size) {
      decoder.receive(Self.whole[start..<min(start + size, Self.whole.count)])
      output += try drain(&decoder)
      if start.isMultiple(of: 3) { decoder.trim() }
    }
    #expect(output == Self.frames)
  }

  @Test func fillingInPlaceIsReceiving() throws {
    var decoder = FrameDecoder()
    var output: [[UInt8]] = []
    var rest = Self.whole[...]
    while !rest.isEmpty {
      let count = decoder.receive(upTo: 50) { buffer, space in
        #expect(space.count == 50)
        let count = min(37, rest.count)
        for (index, byte) in rest.prefix(count).enumerated() { buffer[space.lowerBound + index] = byte }
        return count
      }
      rest = rest.dropFirst(count)
      output += try drain(&decoder)
    }
    #expect(output == Self.frames)
  }

  @Test func nothingFilledIsNothingReceived() throws {
    var decoder = FrameDecoder()
    #expect(decoder.receive(upTo: 10) { _, _ in 0 } == 0)
    #expect(decoder.pendingCount == 0)
    #expect(try decoder.next() == nil)
  }

  @Test func aPayloadOutlivesWhatComesAfterIt() throws {
    var decoder = FrameDecoder()
    decoder.receive([0, 0, 2, 64, 1, 2, 0, 0, 2, 64, 3])
    let first = try #require(try decoder.next())
    decoder.receive([4])
    let second = try #require(try decoder.next())
    #expect(Array(first.payload) == [1, 2])
    #expect(Array(second.payload) == [3, 4])
  }

  @Test func theLongestPayloadIsTaken() throws {
    var decoder = FrameDecoder()
    let payload = [UInt8](repeating: 7, count: Limits.framePayloadLength)
    decoder.receive([0x00, 0x3F, 0xFC, 15] + payload)
    #expect(Array(try #require(try decoder.next()).payload) == payload)
  }

  @Test(arguments: [[0x00, 0x3F, 0xFD, 15], [0x00, 0x40, 0x00, 5], [0xFF, 0xFF, 0xFF, 64]] as [[UInt8]])
  func aLongerOneIsRefusedByItsHeader(header: [UInt8]) throws {
    var decoder = FrameDecoder()
    decoder.receive([0, 0, 1, 64, 9] + header.prefix(3))
    #expect(try decoder.next() != nil)
    #expect(try decoder.next() == nil)
    decoder.receive(header.suffix(1))
    #expect(throws: Reason.protocolViolation) { try decoder.next() }
    decoder.receive([0, 0, 0, 64])
    #expect(throws: Reason.protocolViolation) { try decoder.next() }
  }
}
