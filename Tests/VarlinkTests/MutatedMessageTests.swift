// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing
import Varlink

/// Damaged messages. They must be either read or refused, and nothing else may happen.
@Suite struct MutatedMessageTests {
  private static let seeds: [[UInt8]] = [
    #"{"method":"org.varlink.service.GetInfo"}"#,
    #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"},"more":false}"#,
    #"{"method":"a.b.C","parameters":{"x":[1,-2.5e10,null,true,{"y":"\ud83d\ude00\n"}]},"oneway":true}"#,
    #"{"parameters":{"offers":[{"id":"1","n":18446744073709551615}]},"continues":true}"#,
    #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"é"}}"#,
  ].map { Array($0.utf8) }

  @Test func mutatedMessagesDoNoHarm() async throws {
    var generator = SplitMix64(state: 0x5EED)
    var read = 0
    var refused = 0
    for number in 0..<100_000 {
      if number.isMultiple(of: 1000) { await Task.yield() }
      var decoder = MessageDecoder(limit: 256)
      decoder.receive(mutated(using: &generator) + [0])
      do {
        while let message = try decoder.next() {
          if let call = try? Call(message: message, depth: 16) {
            read += 1
            #expect(try Call(message: call.bytes, depth: 16) == call)
          } else if let reply = try? Reply(message: message, depth: 16) {
            read += 1
            #expect(try Reply(message: reply.bytes, depth: 16) == reply)
          } else {
            refused += 1
          }
        }
      } catch {
        refused += 1
      }
    }
    #expect(read > 1_000)
    #expect(refused > 50_000)
  }

  /// Returns a message with one to four changes: bytes are replaced, removed, doubled, or swapped for those of another
  /// message.
  private func mutated(using generator: inout SplitMix64) -> [UInt8] {
    let syntax = Array(#"{}[],:"\0123456789eE+-.truefalsn"#.utf8) + [0, 0x0A, 0x1F, 0x7F, 0x80, 0xC0, 0xED, 0xF4, 0xFF]
    var bytes = Self.seeds.randomElement(using: &generator) ?? []
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      guard !bytes.isEmpty else { break }
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[place] = syntax.randomElement(using: &generator) ?? 0
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
      default:
        let other = Self.seeds.randomElement(using: &generator) ?? []
        bytes = bytes[..<place] + other.suffix(Int.random(in: 0...other.count, using: &generator))
      }
    }
    return bytes
  }
}

/// SplitMix64 by Steele, Lea and Flood, which gives the same numbers in each run.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
