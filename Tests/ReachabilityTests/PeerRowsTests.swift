// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// What is kept beside the table of peers says the same as a look at all of them.
@Suite struct PeerRowsTests {
  private func agrees(_ table: Table) -> Bool {
    let due = table.peers.compactMap { id, peer in peer.due.map { (id, $0) } }
    return table.peers.due == Dictionary(uniqueKeysWithValues: due)
      && table.peers.presentCount == table.peers.count { $0.value.isKnown || $0.value.openings > 0 }
      && table.peers.sessionCount == table.peers.count { $0.value.readySince != nil }
      && ["A", "B"].allSatisfy { instance in
        let owners = table.peers.filter { _, peer in
          peer.instances.contains(instance) || peer.attempt?.awaited.contains(instance) == true
        }
        return table.peers.owners(of: instance) == Set(owners.map(\.key))
      }
  }

  @Test func theTablesAgreeWhateverHappens() {
    var machine = Machine()
    let events: [Table.Event] = [
      .seen(instance: "A", of: earlier), .seen(instance: "B", of: later), .seen(instance: "A", of: later),
      .wake, .lost(instance: "A"), .resolved(instance: "B", ["b1"]), .opened(later, isDialler: true),
      .ready(later, address: "b1", isDialler: true), .opened(earlier, isDialler: false),
      .openingEnded(earlier, .peerUnreachable, isDialler: false), .remembered(earlier, ["a1"]),
      .ended(later, .peerUnreachable), .networkChanged, .lost(instance: "B"), .dialFailed(later, .peerUnreachable),
      .remembered(later, []), .teamsChanged([:]),
    ]
    for event in events {
      _ = machine.handle(event)
      #expect(agrees(machine.table), "\(event)")
      _ = machine.pass(Limits.dialCourtesy)
      #expect(agrees(machine.table), "After \(event)")
    }
    #expect(machine.table.peers.isEmpty && machine.table.peers.sessionCount == 0)
  }
}
