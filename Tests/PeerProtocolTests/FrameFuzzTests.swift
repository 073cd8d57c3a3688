// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding
import MessageSamples
import SeededGenerator
import Testing

/// Damaged frames, made from valid ones with random numbers that are the same in each run.
struct FrameFuzzTests {
  private func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
      case 3 where bytes.count > 1: bytes.remove(at: index)
      case 4: bytes.insert(contentsOf: bytes.shuffled(using: &generator).prefix(3), at: index)
      default: bytes[index] = Array("{}[]\",:0e-\\".utf8).randomElement(using: &generator) ?? 0
      }
    }
    return bytes
  }

  @Test(arguments: seeds(1...10)) func twentyThousandBrokenFramesAreReadOrRefused(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let data: [UInt8] = [0, 0, 13, 15, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 9, 0xAA]
    let frames = Sample.all.map(\.message.frame) + [data]
    var read = 0
    var refused = 0
    for _ in 0..<2000 {
      let bytes = mutated(try #require(frames.randomElement(using: &generator)), &generator)
      var decoder = FrameDecoder()
      decoder.receive(bytes)
      do throws(Reason) {
        while let frame = try decoder.next() {
          if frame.type == DataFrame.type {
            let data = try DataFrame(payload: frame.payload)
            #expect(!data.bytes.isEmpty)
          } else if let message = try Message(type: frame.type, payload: frame.payload) {
            // A message that was understood can be encoded again, and means the same.
            let again = try Message(type: frame.type, payload: message.frame[4...])
            #expect(again == message)
          }
          read += 1
        }
      } catch {
        #expect(error == .protocolViolation)
        refused += 1
      }
    }
    #expect(read > 100)
    #expect(refused > 500)
  }

  @Test func noiseIsReadOrRefused() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      let count = Int.random(in: 0...40, using: &generator)
      let payload = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      for type in UInt8.min...63 {
        if let message = try? Message(type: type, payload: payload[...]) { Issue.record("\(payload) is \(message)") }
      }
    }
  }
}
