// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct ForgottenPeersTests {
  private typealias Version = KnownPeer.Version

  /// Peers that were known in a session stay longer than those that were known only from adverts, however new.
  @Test(
    arguments: [
      ([nil, nil], [1, 2], 0), ([nil, nil], [2, 1], 1), ([7, nil], [1, 2], 1), ([nil, 7], [1, 2], 0),
      ([7, 7], [2, 1], 1),
    ] as [([UInt64?], [Int64], Int)]
  )
  func oneIsForgottenFirst(epochs: [UInt64?], times: [Int64], expected: Int) {
    var forgotten = ForgottenPeers()
    for number in 0...1 {
      let lost = forgotten.remember(Names.peer(number: number), Version(time: times[number]), epoch: epochs[number])
      #expect(lost == nil)
    }
    for number in 2..<Limits.knownPeers {
      #expect(forgotten.remember(Names.peer(number: number), Version(time: 9), epoch: 7) == nil)
    }
    let lost = forgotten.remember(Names.peer(number: Limits.knownPeers), Version(time: 9), epoch: 7)
    #expect(lost == Names.peer(number: expected))
    #expect(forgotten[Names.peer(number: expected)] == nil)
    #expect(forgotten[Names.peer(number: 1 - expected)] != nil)
    #expect(forgotten.count == Limits.knownPeers)
  }

  @Test func theNewestStateIsRemembered() {
    var forgotten = ForgottenPeers()
    _ = forgotten.remember(Names.desktop, Version(time: 2, epoch: 1, counter: 5), epoch: 1)
    _ = forgotten.remember(Names.desktop, Version(time: 1, epoch: 9, counter: 9), epoch: nil)
    #expect(forgotten[Names.desktop]?.version == Version(time: 2, epoch: 1, counter: 5))
    #expect(forgotten[Names.desktop]?.epoch == nil)
  }

  @Test func nothingIsRememberedOfTeamsThatWereLeft() {
    var forgotten = ForgottenPeers()
    var teams = TeamOwners()
    _ = teams.change(to: [Names.team: [1000]])
    for peer in [Names.desktop, Names.stranger] { _ = forgotten.remember(peer, Version(), epoch: nil) }
    forgotten.keep(only: teams)
    #expect(forgotten[Names.desktop] != nil && forgotten[Names.stranger] == nil)
  }
}
