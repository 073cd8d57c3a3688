// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import TestSupport
import Testing
import VarlinkServer

@testable import BatonCommand

/// Which argument of `baton send` is the machine.
@Suite struct SendOperandsTests {
  @Test func theLastOfSeveralIsTheMachine() {
    func split(_ operands: String..., option: Bool = false) -> (files: [String], machine: String?) {
      SendOperands.split(operands, hasMachine: option)
    }
    #expect(split("notes.txt", "desktop") == (["notes.txt"], "desktop"))
    #expect(split("notes.txt", "photos", "desktop") == (["notes.txt", "photos"], "desktop"))
    #expect(split("notes.txt") == (["notes.txt"], nil))
    #expect(split("notes.txt", "desktop", option: true) == (["notes.txt", "desktop"], nil))
    // These are paths, whatever they lead to.
    for path in ["./desktop", "desktop/", "/desktop", "file:///desktop", "./e\u{301}"] {
      #expect(split("notes.txt", path) == (["notes.txt", path], nil))
    }
    // What exists here.
    for name in [".", "..", "tmp"] { #expect(split("notes.txt", name).machine == name) }
  }

  @Test func aNameWithASlashAtTheEndIsNotGuessed() {
    func check(_ operands: String..., option: Bool = false) throws(CommandError) {
      try SendOperands.requireClearEnd(operands, hasMachine: option)
    }
    for name in ["tablet/", "tablet\u{301}/", "e/"] {
      #expect(throws: CommandError.self) { try check("notes.txt", name) }
      #expect(throws: Never.self) { try check("notes.txt", name, option: true) }
      #expect(throws: Never.self) { try check(name) }
    }
    for path in ["./tablet/", "tablet", "/tablet/", "a/tablet/", "../", "./", "~/", "/"] {
      #expect(throws: Never.self) { try check("notes.txt", path) }
    }
  }

  @Test @Loop func noOtherMachineIsChosenThanTheOneThatIsNamed() async throws {
    let daemon = try FakeDaemon()
    let team = try sampleTeam()
    let member = ControlTeam(id: team.id, name: "Demo", administrator: false, deviceID: team.deviceID, expires: 4e9)
    let id = try #require(DeviceID(text: "1234" + String(repeating: "0", count: 48)))
    daemon.reply(to: ListTeams.self, ListTeams.Reply(teams: [member]))
    daemon.reply(
      to: ListPeers.self,
      ListPeers.Reply(peers: [
        ControlPeer(device: "desktop", deviceID: id, team: team.id.description, state: .connected)
      ])
    )
    // The directory of the tests has a folder of this name.
    for name in ["tablet", "."] {
      let result = try await baton("send", "/etc/hostname", name, socket: daemon.path)
      #expect(result.status == 4)
      #expect(result.errors.contains("The last argument is the machine, but none is called \(name)."))
      #expect(result.errors.contains("`./\(name)`"))
    }
    let json = try await baton("send", "/etc/hostname", "tablet", "--json", socket: daemon.path)
    #expect((json.text + json.errors).contains(#""peerNotFound""#))
  }
}
