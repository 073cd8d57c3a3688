// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS
import Testing

/// The names of instances, by which a machine knows whose they are.
@Suite struct InstanceNameTests {
  private let team: TeamID
  private let other: TeamID

  init() throws {
    team = try #require(TeamID(bytes: Array(0..<32)))
    other = try #require(TeamID(bytes: Array(1...32)))
  }

  /// As another implementation computes it (Protocol.md section 2): Python's `hmac`.
  @Test func aNameIsWhatTheProtocolSays() {
    let key = InstanceName.key(for: team)
    let random: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(InstanceName.make(random: random, key: key) == "041061050R3GHZE71BNKKTVG3M")
    let inviterKey = InstanceName.inviterKey(for: team.description)
    #expect(InstanceName.make(random: random, key: key, inviterKey: inviterKey) == "0410617CTNXXW9HK8QY3C717WW")
  }

  @Test func aNameIsForItsTeamAlone() {
    let name = InstanceName.make(key: InstanceName.key(for: team))
    #expect(name.utf8.count == 26)
    #expect(filter([team]).accepts(name))
    #expect(filter([other, team]).accepts(name))
    #expect(!filter([other]).accepts(name))
    #expect(!filter([]).accepts(name))
  }

  @Test func aMachineWithACodeKnowsAnInviterAlone() {
    let key = InstanceName.key(for: team)
    let inviterKey = InstanceName.inviterKey(for: team.description)
    let joining = InstanceFilter(keys: [], inviterKeys: [inviterKey])
    let inviting = InstanceName.make(key: key, inviterKey: inviterKey)
    #expect(joining.accepts(inviting))
    #expect(filter([team]).accepts(inviting))
    #expect(!joining.accepts(InstanceName.make(random: Array(0..<8), key: key)))
    let foreign = InstanceFilter(keys: [], inviterKeys: [InstanceName.inviterKey(for: other.description)])
    #expect(!foreign.accepts(InstanceName.make(random: Array(0..<8), key: key, inviterKey: inviterKey)))
  }

  /// Who has seen one name cannot make others of it.
  @Test func aNameHasOneSpelling() {
    let name = InstanceName.make(random: [0, 0, 0, 0, 1, 1, 1, 1], key: InstanceName.key(for: team))
    let start = String(name.dropLast())
    let others = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".map { start + String($0) }.filter { $0 != name }
    let spellings = [name.lowercased(), name.replacing("0", with: "O"), name + "0", String(name.dropLast())] + others
    for spelling in spellings { #expect(!filter([team]).accepts(spelling), "\(spelling)") }
  }

  @Test(arguments: ["", "printer", "é", String(repeating: "0", count: 26), String(repeating: "é", count: 13)])
  func whatIsNoNameIsLeftOut(_ text: String) {
    #expect(!filter([team]).accepts(text))
  }

  @Test func namesDiffer() {
    let key = InstanceName.key(for: team)
    #expect(Set((0..<1000).map { _ in InstanceName.make(key: key) }).count == 1000)
  }

  @Test func filtersOfTheSameKeysAreEqual() {
    #expect(filter([team, other]) == filter([other, team]))
    #expect(filter([team]) != filter([other]))
    #expect(filter([]).isEmpty && !filter([team]).isEmpty)
    #expect(!InstanceFilter(keys: [], inviterKeys: [InstanceName.inviterKey(for: "0123456789")]).isEmpty)
  }

  private func filter(_ teams: [TeamID]) -> InstanceFilter { InstanceFilter(keys: Set(teams.map(InstanceName.key))) }
}
