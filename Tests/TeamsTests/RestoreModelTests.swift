// SPDX-License-Identifier: Apache-2.0

import Activity
import SeededGenerator
import TLS
import Testing

@testable import Teams

/// Machines of a team that are backed up, restored, removed and met in any order, with clocks that show anything.
@Suite struct RestoreModelTests {
  private final class Machine {
    let directory = TestDirectory()
    var store: TeamStore
    var isBackedUp = false

    init() throws { store = try directory.store() }
  }

  @Test(arguments: seeds(0..<12))
  func allAreOneTeamInTheEnd(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let machines = try (0..<7).map { _ in try Machine() }
    let administrator = machines[0]
    let team = try administrator.store.create(name: "Home", owner: 0, now: now).id
    for machine in machines.dropFirst() {
      let request = try machine.store.request(owner: 0)
      _ = try machine.store.import(administrator.store.approve(request, in: team, now: now), owner: 0, now: now)
    }
    let devices = try machines.map { try $0.store.team(team).device }
    func named(by machine: Machine) throws -> Set<DeviceID> {
      let lists = try machine.store.team(team).credentials.revocations
      return Set(devices.filter(lists.names))
    }
    for _ in 0..<60 {
      let clock = [0, now, now + 1, 1 << 32].randomElement(using: &generator) ?? now
      let machine = (Bool.random(using: &generator) ? machines.randomElement(using: &generator) : nil) ?? administrator
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        try machine.directory.backUp()
        machine.isBackedUp = true
      case 1, 2:
        guard machine.isBackedUp else { continue }
        machine.store = try machine.directory.restore(now: clock)
      case 3:
        // The first device, which is the administrator's, and the last two are never removed.
        let lost = try #require(devices.dropFirst().dropLast(2).randomElement(using: &generator))
        try administrator.store.revoke(lost, of: team, now: clock)
      default:
        let other = try #require(machines.filter { $0 !== machine }.randomElement(using: &generator))
        let before = (try named(by: machine), try named(by: other))
        let isOpen = try meet(machine.store, other.store, team, now: clock)
        let after = (try named(by: machine), try named(by: other))
        #expect(after.0.isSuperset(of: before.0) && after.1.isSuperset(of: before.1), "Nobody comes in again")
        if isOpen { #expect(after.0 == after.1) }
      }
    }
    var everNamed: Set<DeviceID> = []
    for machine in machines { everNamed.formUnion(try named(by: machine)) }
    let present = zip(machines, devices).filter { !everNamed.contains($0.1) }.map(\.0)
    var expected: Set<DeviceID> = []
    for machine in present { expected.formUnion(try named(by: machine)) }
    for _ in 0..<2 {
      for (first, second) in present.indices.flatMap({ first in present.indices.map { (first, $0) } })
        .filter({ $0 < $1 }).shuffled(using: &generator)
      {
        #expect(try meet(present[first].store, present[second].store, team))
      }
    }
    let held = try administrator.store.team(team).credentials
    #expect(held.revocations.all.count <= 1)
    for machine in present {
      #expect(try named(by: machine) == expected)
      let credentials = try machine.directory.store().team(team).credentials
      #expect(credentials.revocations == held.revocations && credentials.discoveryKey == held.discoveryKey)
    }
  }
}
