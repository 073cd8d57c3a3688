// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@Suite struct MessageDecoderTests {
  private let messages: [[UInt8]] = [Array("{\"method\":\"a.b.C\"}".utf8), [], [0xFF], Array("é€😀".utf8)]

  private var stream: [UInt8] { messages.flatMap { $0 + [0] } }

  private func take(_ decoder: inout MessageDecoder) throws -> [[UInt8]] {
    var taken: [[UInt8]] = []
    while let message = try decoder.next() { taken.append(Array(message)) }
    return taken
  }

  @Test func messagesAreTheSameAtEverySplit() throws {
    for first in 0...stream.count {
      for second in first...stream.count {
        var decoder = MessageDecoder(limit: 100)
        var taken: [[UInt8]] = []
        for part in [stream[..<first], stream[first..<second], stream[second...]] {
          decoder.receive(part)
          taken += try take(&decoder)
        }
        #expect(taken == messages)
        #expect(decoder.count == 0)
      }
    }
  }

  @Test func messagesMayBeTakenLater() throws {
    var decoder = MessageDecoder(limit: 100)
    for byte in stream + stream { decoder.receive(CollectionOfOne(byte)) }
    #expect(decoder.count == 2 * stream.count)
    #expect(try decoder.next().map(Array.init) == messages[0])
    decoder.receive(stream)
    #expect(try take(&decoder) == messages.dropFirst() + messages + messages)
  }

  @Test func aMessageAtTheLimitIsTakenAndALongerOneIsNot() throws {
    var decoder = MessageDecoder(limit: 5)
    decoder.receive([1, 2, 3, 4, 5])
    #expect(try decoder.next() == nil)
    decoder.receive([0])
    #expect(try decoder.next().map(Array.init) == [1, 2, 3, 4, 5])

    decoder.receive([1, 2, 3, 4, 5, 6])
    #expect(throws: MessageDecoder.MessageTooLong.self) { try decoder.next() }

    var whole = MessageDecoder(limit: 5)
    whole.receive([1, 0, 1, 2, 3, 4, 5, 6, 0])
    #expect(try whole.next().map(Array.init) == [1])
    #expect(throws: MessageDecoder.MessageTooLong.self) { try whole.next() }
  }

  @Test func theRestIsWhatFollowsTheLastMessage() throws {
    var decoder = MessageDecoder(limit: 5)
    decoder.receive([1, 0, 2, 0, 3])
    #expect(try decoder.next().map(Array.init) == [1])
    #expect(decoder.takeRest() == [2, 0, 3])
    #expect(decoder.takeRest() == [])
    #expect(try decoder.next() == nil)
  }

  @Test func manyMessagesInOneReadTakeLinearTime() throws {
    var decoder = MessageDecoder(limit: 5)
    decoder.receive(Array(repeating: 0, count: 200_000))
    let begin = ContinuousClock.now
    #expect(try take(&decoder).count == 200_000)
    #expect(ContinuousClock.now - begin < .seconds(10))
  }

  @Test func aMessageByteByByteTakesLinearTime() throws {
    var decoder = MessageDecoder(limit: 200_000)
    let begin = ContinuousClock.now
    for _ in 0..<200_000 {
      decoder.receive(CollectionOfOne(1))
      #expect(try decoder.next() == nil)
    }
    #expect(ContinuousClock.now - begin < .seconds(10))
  }
}
