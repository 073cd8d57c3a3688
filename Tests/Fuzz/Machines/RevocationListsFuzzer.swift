// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// Two machines that hold some lists of one team and tell each other about them. In the end, both know what either
/// knew.
enum RevocationListsFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 0, 1, 1, 2, 0, 1], [0b1010_1010, 0b0101_0101, 7, 6, 5, 4, 3, 2, 1, 0], [255, 0], [1, 255, 3],
  ]

  static let length = 16

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    var sides = [choices.byte(), choices.byte()].map { flags in
      FuzzTeam.lists.enumerated().filter { flags & (1 << $0.offset) != 0 }.map(\.element)
    }
    let all = held(sides[0] + sides[1])
    // The result is the same, in whatever order the lists arrive.
    for side in sides.indices {
      let inOrder = held(sides[side])
      for _ in 0..<4 where !sides[side].isEmpty {
        let moved = sides[side].remove(at: choices.number(below: sides[side].count))
        sides[side].append(moved)
      }
      same(held(sides[side]), inOrder, "Another order of lists")
      same(inOrder.entries.count, Set(inOrder.entries.map { $0.device.bytes + $0.serial }).count, "An entry twice")
      hold(
        sides[side].allSatisfy { held in held.list.entries.allSatisfy { inOrder.names($0.device) } },
        "Somebody came back"
      )
    }
    try meet(sides.map(held), all)
  }

  private static func held(_ lists: [RevocationLists.Held]) -> RevocationLists {
    lists.reduce(into: RevocationLists()) { $0.insert($1) }
  }

  private static func meet(_ begin: [RevocationLists], _ all: RevocationLists) throws {
    var lists = begin
    var exchanges = [1, 0].map { RevocationExchange(number: begin[$0].number, digest: begin[$0].digest) }
    var rounds = 0
    var isTelling = true
    while isTelling {
      rounds += 1
      hold(rounds < 8, "The exchange does not end")
      isTelling = false
      for side in 0...1 {
        for told in exchanges[side].take(from: lists[side]) {
          isTelling = true
          lists[1 - side].insert(told)
          exchanges[1 - side].received(told.list.der, holding: lists[1 - side])
        }
      }
    }
    for side in 0...1 {
      same(lists[side], all, "Side \(side) does not know all")
      same(lists[side].digest, all.digest)
    }
  }
}
