// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Testing

@testable import BatonDaemon

struct IndexInboxTests {
  private func peer(_ number: UInt8) throws -> PeerID {
    PeerID(
      team: try #require(TeamID(bytes: Array(repeating: 0, count: 32))),
      device: try #require(DeviceID(bytes: Array(repeating: number, count: 32)))
    )
  }

  @Test func peersTakeTurns() throws {
    var inbox = IndexInbox()
    let (first, second) = (try peer(1), try peer(2))
    for number in 1...3 { inbox.add(["n": .integer(Int64(number))], from: first) }
    inbox.add(["n": 7], from: second)
    var taken: [(PeerID, JSON)] = []
    while let next = inbox.next() { taken.append(next) }
    #expect(taken.map(\.0) == [first, second, first, first])
    #expect(taken.map(\.1) == [["n": 1], ["n": 7], ["n": 2], ["n": 3]])
    #expect(inbox.isEmpty)
  }

  @Test func aPeerThatFloodsTakesNoRoomFromOthers() throws {
    var inbox = IndexInbox()
    for number in 0..<1000 { inbox.add(["n": .integer(Int64(number))], from: try peer(1)) }
    inbox.add(["n": 7], from: try peer(2))
    var taken: [PeerID] = []
    while let next = inbox.next() { taken.append(next.0) }
    #expect(taken.count == Limits.undeliveredIndexMessagesPerPeer + 1)
    #expect(taken[1] == (try peer(2)))
  }

  @Test func whatAPeerSentBeforeItsSessionEndedIsDropped() throws {
    var inbox = IndexInbox()
    inbox.add(["n": 1], from: try peer(1))
    inbox.add(["n": 2], from: try peer(2))
    inbox.remove(try peer(1))
    #expect(inbox.next()?.1 == ["n": 2])
    #expect(inbox.isEmpty)
    inbox.add(["n": 3], from: try peer(1))
    #expect(inbox.next()?.1 == ["n": 3])
  }

  @Test func theDeepestMessageComesOut() throws {
    var inbox = IndexInbox()
    let deep: JSON = ["k": (1..<Limits.indexMessageDepth).reduce(0) { json, _ in .array([json]) }]
    #expect(IndexMessage.decode(deep) == deep)
    inbox.add(deep, from: try peer(1))
    #expect(inbox.next()?.1 == deep)
  }
}
