// SPDX-License-Identifier: Apache-2.0

import Activity
import SeededGenerator
import Testing

@testable import TLS

/// Several lists of one team, each of which lacks devices that the others name.
@Suite struct RevocationListsTests {
  private typealias Held = RevocationLists.Held

  private let team: TestTeam
  private let devices: [Credentials]

  init() throws {
    let team = try TestTeam()
    self.team = team
    devices = try (0..<6).map { _ in try team.device() }
  }

  private func held(_ numbers: [Int], _ number: UInt64) throws -> Held {
    let key = SystemRandom.bytes(32)
    let entries = try numbers.map { index in
      RevocationList.Entry(
        device: devices[index].device,
        serial: try devices[index].certificate.serial,
        date: now
      )
    }
    return Held(try team.authority.sign(entries, number: number, discoveryKey: key, now: now), discoveryKey: key)
  }

  private func lists(_ all: some Sequence<Held>) -> RevocationLists {
    var lists = RevocationLists()
    for held in all { lists.insert(held) }
    return lists
  }

  private func named(_ lists: RevocationLists) -> [Int] { devices.indices.filter { lists.names(devices[$0].device) } }

  // MARK: Lists that are held

  @Test func noneNamesNobody() throws {
    let none = RevocationLists()
    #expect(none.newest == nil && none.number == 0 && none.digest == nil && named(none).isEmpty)
    try devices[0].certificate.verify(under: team.authority.certificate, revocations: none, now: now)
  }

  @Test func whatALaterListNamesTooNeedsNoOther() throws {
    let (first, second) = (try held([0], 1), try held([0, 1], 2))
    var lists = lists([first])
    #expect(lists.insert(second) && lists.all == [second])
    #expect(!lists.insert(first) && !lists.insert(second))
  }

  @Test func aListWithAnOlderNumberCountsWhereItNamesAnother() throws {
    let (old, new) = (try held([0, 1], 1), try held([0, 2], 2))
    for lists in [lists([old, new]), lists([new, old])] {
      #expect(lists.newest == new && lists.all == [old, new] && lists.number == 2)
      #expect(named(lists) == [0, 1, 2])
      #expect(lists.entries.map(\.device) == [0, 1, 2].map { devices[$0].device })
      for index in 0..<3 {
        #expect(throws: TLSError(.certificateRevoked, "The device was removed from the team")) {
          try devices[index].certificate.verify(under: team.authority.certificate, revocations: lists, now: now)
        }
      }
    }
  }

  @Test func theDevicesOfAllListsAreRefusedInHandshakes() throws {
    let lists = lists([try held([0], 1), try held([1], 2)])
    let holder = try Credentials(
      key: devices[5].key,
      certificate: devices[5].certificate,
      authority: devices[5].authority,
      discoveryKey: team.discoveryKey,
      revocations: lists
    )
    for lost in devices.prefix(2) {
      #expect(try SessionPair(client: lost, servers: [holder]).serverError?.reason == .certificateRevoked)
      #expect(try SessionPair(client: holder, servers: [lost]).clientError?.reason == .certificateRevoked)
    }
    #expect(try SessionPair(client: devices[2], servers: [holder]).server.isEstablished)
  }

  /// Both were made from one backup, within one second or with a clock that stands still.
  @Test func twoListsOfOneNumberBothCount() throws {
    let pair = [try held([0], 7), try held([1], 7)]
    #expect(lists(pair) == lists(pair.reversed()))
    #expect(named(lists(pair)) == [0, 1])
    let same = [try held([2], 7), try held([2], 7)]
    #expect(lists(same).all.count == 1 && lists(same) == lists(same.reversed()))
  }

  @Test func theNewestIsHeldAlsoWhereAnotherNamesMore() throws {
    let (more, newest) = (try held([0, 1], 1), try held([0], 2))
    let lists = lists([newest, more])
    #expect(lists.all == [more, newest] && lists.newest == newest)
  }

  /// The result depends on which lists arrived, not on when or from whom.
  @Test(arguments: seeds(0..<20))
  func theOrderIsOfNoAccount(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let all = try (0..<8).map { _ in
      try held(
        devices.indices.filter { _ in Bool.random(using: &generator) },
        .random(in: 1...5, using: &generator)
      )
    }
    let expected = lists(all)
    #expect(Set(named(expected)) == Set(all.flatMap { held in named(lists([held])) }))
    for _ in 0..<20 {
      let order = all.shuffled(using: &generator)
      #expect(lists(order) == expected && lists(order).digest == expected.digest)
      // Some lists come by way of another machine.
      let half = lists(order.prefix(4))
      #expect(lists(half.all + order.dropFirst(4)) == expected)
    }
  }

  @Test func thereAreSoManyOthersAndTheOldestGoes() throws {
    let authority = team.authority
    let all = try (1...Limits.otherRevocationLists + 2).map { number in
      let device = try #require(DeviceID(bytes: SystemRandom.bytes(32)))
      let entry = RevocationList.Entry(device: device, serial: [1, UInt8(number)], date: now)
      let list = try authority.sign([entry], number: UInt64(number), discoveryKey: team.discoveryKey, now: now)
      return Held(list, discoveryKey: team.discoveryKey)
    }
    let lists = lists(all.shuffled())
    #expect(lists.all == Array(all.dropFirst()))
  }

  // MARK: Lists that are sent

  /// Exchanges lists until both sides are silent, and returns how many messages that took.
  private func converse(_ left: inout RevocationLists, _ right: inout RevocationLists) -> Int {
    var toRight = RevocationExchange(number: right.number, digest: right.digest)
    var toLeft = RevocationExchange(number: left.number, digest: left.digest)
    var (messages, count) = (0, -1)
    while count != messages {
      count = messages
      for held in toRight.take(from: left) {
        messages += 1
        right.insert(held)
        toLeft.received(held.list.der, holding: right)
      }
      for held in toLeft.take(from: right) {
        messages += 1
        left.insert(held)
        toRight.received(held.list.der, holding: left)
      }
    }
    return messages
  }

  @Test func twoThatHoldDifferentListsHoldTheSameThen() throws {
    let (a, b, c) = (try held([0, 1], 4), try held([2], 4), try held([3], 2))
    for (first, second, limit) in [
      ([a], [b], 2), ([a, c], [b], 3), ([a], [], 1), ([], [b, c], 2), ([a, b, c], [c, b, a], 0), ([], [], 0),
      ([a, c], [a, b], 4),
    ] as [([Held], [Held], Int)] {
      for isSwapped in [false, true] {
        var (left, right) = (lists(isSwapped ? second : first), lists(isSwapped ? first : second))
        let messages = converse(&left, &right)
        #expect(messages <= limit, "\(messages) messages")
        #expect(left == right && left == lists(first + second))
        #expect(converse(&left, &right) == 0, "They are silent")
      }
    }
  }

  @Test func whatComesInASessionIsPassedOnOnce() throws {
    let (a, b) = (try held([0], 1), try held([1], 2))
    var exchange = RevocationExchange(number: 1, digest: lists([a]).digest)
    #expect(exchange.take(from: lists([a])).isEmpty)
    #expect(exchange.take(from: lists([a, b])) == [b])
    #expect(exchange.take(from: lists([a, b])).isEmpty)
    let c = try held([2], 3)
    exchange.received(c.list.der, holding: lists([a, b, c]))
    #expect(exchange.take(from: lists([a, b, c])).isEmpty)
  }

  /// A peer with the first version holds one list, and sends only its number.
  @Test func whoSaysANumberAloneIsGivenAGreaterOneAlone() throws {
    let all = lists([try held([0], 4), try held([1], 6)])
    for (number, count) in [(3, 1), (5, 1), (6, 0), (7, 0)] as [(UInt64, Int)] {
      var exchange = RevocationExchange(number: number, digest: nil)
      #expect(exchange.take(from: all) == all.all.suffix(count))
      #expect(exchange.take(from: all).isEmpty)
    }
    // A peer that has none gets all of them, the newest one last.
    var exchange = RevocationExchange(number: 0, digest: nil)
    #expect(exchange.take(from: all) == all.all)
    let later = try held([2], 8)
    #expect(exchange.take(from: lists(all.all + [later])) == [later])
  }

  // MARK: Numbers

  @Test func numbersGrowAndDoNotComeTwice() {
    for (greatest, now) in [
      (0, 0), (0, 1_800_000_000), (9, -5), (1 << 51, 0), (1 << 51, 1 << 32), (1 << 61, .max), (7, .min),
    ] as [(UInt64, Int64)] {
      let numbers = [0, 1, 0xFFFFF, .max - 1].map { RevocationNumber.next(after: greatest, now: now, random: $0) ?? 0 }
      #expect(numbers.allSatisfy { $0 > greatest && $0 <= Int64.max }, "\(greatest) \(now)")
      #expect(Set(numbers).count == numbers.count, "By their random bits")
    }
    let (byClock, following): (UInt64, UInt64) = (1_800_000_000 << 20 | 5, 1 << 60 + 6)
    #expect(RevocationNumber.next(after: 0, now: 1_800_000_000, random: 5) == byClock)
    #expect(RevocationNumber.next(after: 1 << 60, now: 1_800_000_000, random: 5) == following)
    for greatest in [UInt64(Int64.max), .max, 1 << 63] {
      #expect(RevocationNumber.next(after: greatest, now: 0, random: 0) == nil)
    }
    #expect(RevocationNumber.next(after: UInt64(Int64.max) - 1, now: 0, random: 0) == UInt64(Int64.max))
  }
}
