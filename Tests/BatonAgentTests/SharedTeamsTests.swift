// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import Testing

@testable import BatonAgent

struct SharedTeamsTests {
  private let removed: DeviceID

  init() throws { removed = try #require(DeviceID(bytes: Array(repeating: 7, count: DeviceID.byteCount))) }

  private func team(_ id: String, _ name: String) throws -> IndexTeam {
    let own = try #require(DeviceID(bytes: Array(repeating: 1, count: DeviceID.byteCount)))
    return IndexTeam(id: id, name: name, deviceID: own, removed: [removed])
  }

  @Test func whatTheDaemonHasNotSaidIsNotCertain() throws {
    var teams = SharedTeams()
    #expect(teams.isCertain)
    teams.choice = .named(["Work"])
    #expect(teams.update().isEmpty)
    #expect(!teams.isCertain)
    teams.received([], unusable: [])
    #expect(teams.update().map(\.name) == ["Work"])
    #expect(teams.isCertain)
  }

  @Test func onlyChosenTeamsAreSharedWith() throws {
    var teams = SharedTeams()
    teams.received([try team("A", "Work"), try team("B", "Home"), try team("C", "Club")], unusable: ["Club"])
    #expect(teams.update().isEmpty)
    #expect(teams.removed.isEmpty && teams.names == [])
    teams.choice = .named(["Work", "b"])
    #expect(teams.update().isEmpty)
    #expect(teams.removed == ["A": [removed.text], "B": [removed.text]])
    #expect(teams.names == ["Home", "Work"])
    // Another team has this name, too.
    teams.choice = .named(["Club"])
    #expect(teams.update().map(\.isAmbiguous) == [true])
    #expect(teams.names == [])
    teams.choice = .all
    #expect(teams.update().isEmpty)
    #expect(teams.names == ["Club", "Home", "Work"])
    #expect(try teams.device(in: "A") == team("A", "").deviceID.text)
    #expect(teams.device(in: "D") == nil)
  }

  @Test func aNameThatMeansNoTeamIsReportedOnce() throws {
    var teams = SharedTeams()
    teams.choice = .named(["Demo", "Work"])
    teams.received([try team("A", "Demo"), try team("B", "Demo")], unusable: [])
    let unclear = teams.update()
    #expect(unclear.map(\.name) == ["Demo", "Work"])
    #expect(unclear.map(\.isAmbiguous) == [true, false])
    #expect(teams.update().isEmpty)
    // Its team is there for a while.
    teams.received([try team("C", "Work")], unusable: [])
    #expect(teams.update().map(\.name) == [])
    teams.received([], unusable: [])
    #expect(teams.update().map(\.name) == ["Work"])
  }
}
