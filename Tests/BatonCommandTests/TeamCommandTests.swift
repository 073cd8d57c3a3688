// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import TestSupport
import Testing
import VarlinkServer

/// `team …` against a fake daemon.
@Suite struct TeamCommandTests {
  @Test @Loop func createAndListAndLeave() async throws {
    let daemon = try FakeDaemon()
    let team = try sampleTeam()
    let seen = Record<String>()
    daemon.on(CreateTeam.self) { parameters, exchange in
      seen.append(parameters.name)
      exchange.reply(TeamReply(team: team))
    }
    daemon.reply(to: ListTeams.self, ListTeams.Reply(teams: [team]))
    daemon.on(LeaveTeam.self) { parameters, exchange in
      seen.append(parameters.team)
      exchange.reply(LeaveTeam.Reply())
    }
    #expect(
      try await baton("team", "create", "Demo", socket: daemon.path).lines.first
        == #"Created the team "Demo" (0000000000)."#
    )
    let list = try await baton("team", "list", socket: daemon.path).lines
    #expect(list.first?.hasPrefix("ID          NAME  ROLE   THIS MACHINE") == true)
    #expect(list.last?.hasPrefix("0000000000  Demo  admin  0000000000    in ") == true)
    // This machine has the key, and there is nobody to ask.
    #expect(try await baton("team", "leave", "0000000000", socket: daemon.path).status == 2)
    #expect(seen.values == ["Demo"])
    #expect(try await baton("team", "leave", "--yes", "0000000000", socket: daemon.path).status == 0)
    #expect(seen.values == ["Demo", "0000000000"])
    #expect(
      try await baton("team", "create", "Demo", "--json", socket: daemon.path).text
        == #"{"team":\#(team.json.text)}"# + "\n"
    )
  }

  /// The name of a team is enough to lose its key.
  @Test(arguments: ["Demo", "0000000000"]) @Loop func leavingAsksHoweverTheTeamIsNamed(name: String) async throws {
    let daemon = try FakeDaemon()
    daemon.reply(to: ListTeams.self, ListTeams.Reply(teams: [try sampleTeam()]))
    daemon.on(LeaveTeam.self) { _, exchange in
      Issue.record("It has left")
      exchange.reply(LeaveTeam.Reply())
    }
    #expect(try await baton("team", "leave", name, socket: daemon.path).status == 2)
  }

  @Test @Loop func twoTeamsOfOneNameAreToldApartByTheirIDs() async throws {
    let daemon = try FakeDaemon()
    let other = try sampleTeam(1)
    daemon.reply(to: ListTeams.self, ListTeams.Reply(teams: [try sampleTeam(), other]))
    let result = try await baton("team", "leave", "--yes", "Demo", socket: daemon.path)
    #expect(result.status == 8)
    #expect(result.errors.contains("  0000000000  Demo\n  \(other.id)  Demo"))
  }

  @Test @Loop func inviteShowsTheCodeAndWhatToDo() async throws {
    let daemon = try FakeDaemon()
    daemon.on(InviteDevice.self) { _, exchange in
      exchange.reply(InviteDevice.Reply(code: "K7Q2M-9XW4T", expires: Date().timeIntervalSince1970 + 900))
    }
    let lines = try await baton("team", "invite", socket: daemon.path).lines
    #expect(lines.first == "    K7Q2M-9XW4T")
    #expect(lines.contains("    baton team join"))
    #expect(lines.contains { $0.contains("expires in 15 minutes, at ") })
  }

  @Test @Loop func joinReadsTheCodeFromItsInput() async throws {
    let daemon = try FakeDaemon()
    let team = try sampleTeam()
    let seen = Record<JoinTeam.Parameters>()
    daemon.on(JoinTeam.self) { parameters, exchange in
      seen.append(parameters)
      exchange.reply(TeamReply(team: team))
    }
    let result = try await baton("team", "join", socket: daemon.path, input: Data("K7Q2M-9XW4T\nmore".utf8))
    #expect(result.text == "Joined the team \"Demo\" (0000000000).\n")
    #expect(result.errors == "")
    _ = try await baton("team", "join", "-", "--address", "h:1", socket: daemon.path, input: Data("a b".utf8))
    _ = try await baton("team", "join", "CODE", socket: daemon.path)
    #expect(
      seen.values == [
        JoinTeam.Parameters(code: "K7Q2M-9XW4T"), JoinTeam.Parameters(code: "a b", address: "h:1"),
        JoinTeam.Parameters(code: "CODE"),
      ]
    )
    #expect(try await baton("team", "join", socket: daemon.path, input: Data("\n".utf8)).status == 8)
  }

  @Test @Loop func devicesAreListedAndRemoved() async throws {
    let daemon = try FakeDaemon()
    let now = Date().timeIntervalSince1970
    let id = try #require(DeviceID(text: String(repeating: "0", count: 52)))
    let present = ControlDevice(name: "phone\u{1B}", deviceID: id, serial: "0a", admitted: now - 4200)
    let removed = ControlDevice(name: "", deviceID: id, serial: "0b", admitted: now - 7800, revoked: now - 4200)
    let seen = Record<RevokeDevice.Parameters>()
    daemon.reply(to: ListDevices.self, ListDevices.Reply(devices: [removed, present]))
    daemon.on(RevokeDevice.self) { parameters, exchange in
      seen.append(parameters)
      let isNew = parameters.team == nil
      exchange.reply(RevokeDevice.Reply(device: isNew ? present : removed, already: !isNew))
    }
    #expect(
      try await baton("team", "machines", socket: daemon.path).lines == [
        "ID          NAME         ROLE    ADMITTED     REMOVED",
        "0000000000               member  2 hours ago  1 hour ago", #"0000000000  phone\u{1b}  member  1 hour ago"#,
      ]
    )
    #expect(
      try await baton("team", "revoke", "phone", socket: daemon.path).text
        == "Removed \"phone\\u{1b}\" (0000000000) from the team.\n"
    )
    #expect(
      try await baton("team", "revoke", "0000", "--team", "T", socket: daemon.path).text
        == "0000000000 was already removed 1 hour ago.\n"
    )
    let reply = try await baton("team", "revoke", "phone", "--json", socket: daemon.path).text
    #expect(reply.hasPrefix(#"{"already":false,"device":{"admitted":"#))
    #expect(seen.values.map(\.device) == ["phone", "0000", "phone"] && seen.values.map(\.team) == [nil, "T", nil])
    #expect(try await baton("team", "revoke", socket: daemon.path).status == 2)
    let refusing = try FakeDaemon()
    refusing.fail(RevokeDevice.self, ControlFailure(.deviceAmbiguous, message: "Several: \u{1B}[2J"))
    let refused = try await baton("team", "revoke", "x", socket: refusing.path)
    #expect(refused.status == 8 && refused.errors == "baton: Several: \\u{1b}[2J\n")
  }

  @Test @Loop func theOfflineWayPassesFiles() async throws {
    let daemon = try FakeDaemon()
    let team = try sampleTeam()
    let seen = Record<String>()
    daemon.reply(to: RequestMembership.self, RequestMembership.Reply(request: "REQUEST\nTEXT\n"))
    daemon.on(ApproveRequest.self) { parameters, exchange in
      seen.append(parameters.request)
      exchange.reply(ApproveRequest.Reply(approval: #"{"version":1}"#, team: team))
    }
    daemon.on(ImportApproval.self) { parameters, exchange in
      seen.append(parameters.approval)
      exchange.reply(TeamReply(team: team))
    }
    let request = try await baton("team", "request", socket: daemon.path)
    #expect(request.text == "REQUEST\nTEXT\n")
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try request.output.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let approval = try await baton("team", "approve", file.path, socket: daemon.path)
    #expect(approval.text == "{\"version\":1}\n")
    #expect(approval.errors.contains("secret"))
    #expect(try await baton("team", "import", socket: daemon.path, input: approval.output).status == 0)
    #expect(seen.values == ["REQUEST\nTEXT\n", "{\"version\":1}\n"])
  }

  @Test @Loop func filesThatAreTooLongOrNoTextAreRefused() async throws {
    let daemon = try FakeDaemon()
    daemon.fail(ApproveRequest.self, ControlFailure(.internalFailure))
    let most = Data(repeating: 0x61, count: Limits.enrolmentFileLength)
    #expect(try await baton("team", "approve", socket: daemon.path, input: most).status == 1)
    #expect(try await baton("team", "approve", socket: daemon.path, input: most + [0x61]).status == 8)
    #expect(try await baton("team", "import", socket: daemon.path, input: Data([0xFF])).status == 8)
    #expect(try await baton("team", "import", "/nonexistent", socket: daemon.path).status == 1)
  }
}
