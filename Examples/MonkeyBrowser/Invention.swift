// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Invents text from a seed: the same on every machine, because there is no network here to load pages from. The
/// standard library's random numbers could differ in another version of Swift.
struct Invention {
  private var state: UInt64

  init(_ seed: String) { state = Digest.of(seed.utf8) }

  /// SplitMix64.
  private mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// - Parameter range: A range that is not empty.
  mutating func number(in range: Range<Int>) -> Int { range.lowerBound + Int(next() % UInt64(range.count)) }

  private mutating func pick(_ words: [String]) -> String { words[number(in: words.indices)] }

  mutating func topic() -> String { "\(pick(Self.qualities).capitalized) \(pick(Self.things).capitalized)" }

  mutating func sentence() -> String {
    let monkey = "the \(pick(Self.qualities)) \(pick(Self.monkeys))"
    let thing = "\(pick(Self.qualities)) \(pick(Self.things))"
    switch number(in: 0..<4) {
    case 0: return "Yesterday \(monkey) \(pick(Self.deeds)) the \(thing)."
    case 1: return "Nobody knows why \(monkey) \(pick(Self.deeds)) so many \(thing) \(pick(Self.places))."
    case 2: return "Last winter \(pick(Self.places)), \(monkey) \(pick(Self.deeds)) all \(thing)."
    default: return "Where there are \(thing), \(monkey) is not far."
    }
  }

  private static let qualities = [
    "yellow", "quiet", "famous", "golden", "curious", "sleepy", "brave", "ripe", "ancient", "clever", "tiny",
    "northern",
  ]
  private static let things = [
    "bananas", "ladders", "coconuts", "drums", "vines", "mirrors", "umbrellas", "mangoes", "typewriters", "rivers",
    "hats", "lanterns",
  ]
  private static let monkeys = ["gibbon", "macaque", "baboon", "capuchin", "tamarin", "mandrill", "howler", "marmoset"]
  private static let deeds = ["counted", "hid", "juggled", "painted", "described", "lost", "traded", "polished"]
  private static let places = [
    "on the roof", "after the rain", "behind the library", "at the harbour", "in the market",
  ]
}
