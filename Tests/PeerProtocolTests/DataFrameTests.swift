// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

struct DataFrameTests {
  private func bytes(_ header: (UInt64, UInt64)) -> [UInt8] {
    [header.0, header.1].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
  }

  @Test func theHeaderIsTheseBytes() {
    #expect(DataFrame.headerLength == 16)
    #expect(DataFrame.maximumCount == 16_368)
    #expect(
      bytes(DataFrame.header(stream: 0x0102_0304, offset: 0x1112_1314_1516_1718, count: 1)) == [
        0x00, 0x00, 0x0D, 0x0F, 0x01, 0x02, 0x03, 0x04, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
      ]
    )
    #expect(
      bytes(DataFrame.header(stream: .max, offset: .max, count: DataFrame.maximumCount)) == [
        0x00, 0x3F, 0xFC, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
      ]
    )
  }

  @Test(arguments: [1, 2, DataFrame.maximumCount]) func whatIsSentIsReceived(count: Int) throws {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    var decoder = FrameDecoder()
    decoder.receive(bytes(DataFrame.header(stream: 7, offset: 1 << 40, count: count)) + content)
    let frame = try #require(try decoder.next())
    #expect(frame.type == DataFrame.type)
    let data = try DataFrame(payload: frame.payload)
    #expect(data.stream == 7)
    #expect(data.offset == 1 << 40)
    #expect(Array(data.bytes) == content)
  }

  @Test(arguments: 0...12) func withoutAByteItIsAViolation(count: Int) {
    #expect(throws: Reason.protocolViolation) { try DataFrame(payload: Array(repeating: 0, count: count)[...]) }
  }

  @Test func itsPayloadMayStandAnywhereInABuffer() throws {
    let buffer: [UInt8] = [9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 5, 9]
    let data = try DataFrame(payload: buffer[3..<16])
    #expect(data.stream == 1)
    #expect(data.offset == 2)
    #expect(Array(data.bytes) == [5])
  }
}
