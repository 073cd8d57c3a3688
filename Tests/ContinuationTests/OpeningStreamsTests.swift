// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct OpeningStreamsTests {
  private let time = Time(instant: .now, date: 1_000_000)

  private func open(
    _ streams: inout OpeningStreams,
    with peer: PeerID = Names.desktop,
    isFirst: Bool = true,
    client: ClientID = c1
  ) -> UInt32? {
    streams.open(Names.id(1), peer, isFirst: isFirst, client, 1000, time)?.number
  }

  /// All peers share one count, which goes on where the previous daemon's ended.
  @Test(arguments: [(0, 1, 4, 5), (1, 3, 6, 7), (7, 15, 18, 19)] as [(UInt32, UInt32, UInt32, UInt32)])
  func numbersContinue(openedCount: UInt32, first: UInt32, second: UInt32, third: UInt32) {
    var streams = OpeningStreams(openedCount: openedCount)
    #expect(open(&streams) == first)
    #expect(open(&streams, with: Names.tablet, isFirst: false) == second)
    #expect(streams.remove(StreamID(peer: Names.desktop, number: first)) == c1)
    #expect(open(&streams) == third)
    #expect(streams.openedCount == openedCount + 3)
  }

  @Test(arguments: [(true, .max - 2), (false, .max - 1)] as [(Bool, UInt32)])
  func theLastNumberIsNotPassed(isFirst: Bool, last: UInt32) {
    var streams = OpeningStreams(openedCount: .max / 2 - 1)
    #expect(open(&streams, isFirst: isFirst) == last)
    #expect(open(&streams, isFirst: isFirst) == nil)
    #expect(streams.openedCount == UInt32.max / 2)
  }

  @Test func eachIsRemovedOnce() {
    var streams = OpeningStreams(openedCount: 0)
    for client in [c1, c2, c3] { #expect(open(&streams, client: client) != nil) }
    #expect(open(&streams, with: Names.tablet) == 7)
    #expect(streams.with(Names.desktop).map(\.client) == [c1, c2, c3])
    #expect(streams.remove(of: c2) == [StreamID(peer: Names.desktop, number: 3)])
    #expect(streams.remove(of: c2) == [])
    #expect(Set(streams.remove(with: Names.desktop)) == [c1, c3])
    #expect(streams.peers == [Names.tablet])
    let late = time.instant + Limits.streamAcceptTime + Limits.fetchTime
    #expect(streams.deadline == late)
    #expect(streams.removeLate(at: late - .nanoseconds(1)).isEmpty)
    #expect(streams.removeLate(at: late).map(\.id.number) == [7])
    #expect(streams.deadline == nil)
  }
}
