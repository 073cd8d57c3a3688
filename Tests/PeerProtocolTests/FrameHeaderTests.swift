// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

struct FrameHeaderTests {
  @Test(arguments: [(0, 1, 0x0000_0001), (12, 5, 0x0000_0C05), (16_380, 255, 0x003F_FCFF)] as [(Int, UInt8, UInt32)])
  func aHeaderIsOneWord(length: Int, type: UInt8, word: UInt32) throws {
    let header = FrameHeader(payloadLength: length, type: type)
    #expect(header.word == word)
    #expect(try FrameHeader(word: word) == header)
  }

  @Test(arguments: [0x003F_FD01, 0x0040_0001, 0xFFFF_FF40] as [UInt32]) func aLongerPayloadIsAViolation(word: UInt32) {
    #expect(throws: Reason.protocolViolation) { try FrameHeader(word: word) }
  }
}
