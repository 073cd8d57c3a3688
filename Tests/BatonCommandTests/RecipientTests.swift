// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import TestSupport
import Testing
import VarlinkServer

@testable import BatonCommand

/// Which machine a name means.
@Suite struct RecipientTests {
  private let real = DeviceID(text: "1234" + String(repeating: "0", count: 48))!
  private let impostor = DeviceID(text: "5678" + String(repeating: "0", count: 48))!
  private let twin = DeviceID(text: "1234" + String(repeating: "1", count: 47) + "0")!

  private func machine(
    _ name: String,
    _ id: DeviceID,
    connected: Bool = false,
    claim: String? = nil
  ) -> Recipient {
    Recipient(name: name, deviceID: id, team: "T", isConnected: connected, claim: claim)
  }

  private func failure(_ text: String, _ machines: [Recipient], _ admitted: [Recipient] = []) -> CommandError? {
    do {
      _ = try Recipient.choose(text, from: machines, and: admitted)
      return nil
    } catch { return error }
  }

  @Test func aNameThatBelongedToAnotherMachineIsRefused() throws {
    let other = machine("desktop (56780000)", impostor, connected: true, claim: "desktop")
    for machines in [[other], [machine("desktop", real), other]] {
      let error = try #require(failure("desktop", machines))
      #expect(error.reason == "nameTaken" && error.status == .team)
      #expect(error.message.contains("baton machine accept 56780000"))
      #expect(error.message.contains(impostor.text))
      #expect(error.message.contains(real.text) == (machines.count == 2))
    }
    // The name of the one that is there means that one, whatever others say.
    #expect(
      try Recipient.choose("desktop", from: [machine("desktop", real, connected: true), other])?.deviceID == real
    )
    // Both have an ID, and a name that is shown.
    let both = [machine("desktop", real), other]
    #expect(try Recipient.choose("1234", from: both)?.deviceID == real)
    #expect(try Recipient.choose("5678", from: both)?.deviceID == impostor)
    #expect(try Recipient.choose("desktop (56780000)", from: both)?.deviceID == impostor)
  }

  @Test func namesThatLookAlikeAreNotTheSame() throws {
    let other = machine("dеsktop (56780000)", impostor, connected: true, claim: "dеsktop")
    #expect(failure("desktop", [other])?.reason == "nameTaken")
    #expect(try Recipient.choose("de\u{301}sk", from: [machine("d\u{E9}sk", real)]) == nil)
    #expect(try Recipient.choose("Desktop", from: [machine("desktop", real)]) == nil)
  }

  @Test func digitsThatSeveralHaveAreRefused() throws {
    #expect(failure("1234", [machine("a", real, connected: true), machine("b", twin)])?.reason == "deviceAmbiguous")
    // Also if only the administrator knows one of them.
    #expect(failure("1234", [machine("a", real)], [machine("b", twin)])?.reason == "deviceAmbiguous")
    #expect(failure("1234", [machine("1234", impostor), machine("a", real)])?.reason == "deviceAmbiguous")
    #expect(try Recipient.choose("12341", from: [machine("a", real)], and: [machine("b", twin)])?.deviceID == twin)
    #expect(try Recipient.choose("123", from: [machine("a", real)]) == nil)
  }

  @Test func aMachineThatOnlyTheAdministratorKnowsHasItsName() throws {
    #expect(try Recipient.choose("tablet", from: [], and: [machine("tablet", real)])?.deviceID == real)
    let machines = [machine("tablet (56780000)", impostor, connected: true, claim: "tablet")]
    #expect(failure("tablet", machines, [machine("tablet", real)])?.reason == "nameTaken")
  }

  @Test @Loop func theCommandsRefuseIt() async throws {
    let daemon = try FakeDaemon()
    let team = try sampleTeam()
    let member = ControlTeam(id: team.id, name: "Demo", administrator: false, deviceID: team.deviceID, expires: 4e9)
    daemon.reply(to: ListTeams.self, ListTeams.Reply(teams: [member]))
    let other = ControlPeer(
      device: "desktop (56780000)",
      deviceID: impostor,
      team: team.id.description,
      state: .connected,
      claim: "desktop"
    )
    let first = ControlPeer(
      device: "desktop",
      deviceID: real,
      team: team.id.description,
      state: .unreachable,
      awaySince: 1_700_000_000
    )
    daemon.reply(to: ListPeers.self, ListPeers.Reply(peers: [other], away: [first]))
    daemon.reply(to: ListOffers.self, ListOffers.Reply(offers: [try sampleOffer()]))
    let commands = [
      ["send", "--later", "/etc/hostname", "desktop"], ["send", "/etc/hostname", "--to", "desktop"],
      // It is the only one that is connected.
      ["send", "/etc/hostname"],
      ["offer", "--type", "a.b", "--to", "desktop"], ["list", "--from", "desktop"],
      ["continue", "--from", "desktop"], ["open", "--from", "desktop"], ["watch", "--from", "desktop"],
      ["paste", "--from", "desktop"], ["paste", "--list", "--from", "desktop"],
    ]
    for command in commands {
      let result = await (try BatonProcess(command, socket: daemon.path)).finish()
      #expect(result.status == 8, "\(command)")
      #expect(result.errors.contains("baton machine accept 56780000"), "\(command): \(result.errors)")
    }
    let json = try await baton("list", "--from", "desktop", "--json", socket: daemon.path)
    #expect((json.text + json.errors).contains(#""nameTaken""#))
    let listed = try await baton("machines", socket: daemon.path)
    #expect(listed.lines.count == 3 && listed.lines[2].contains("offline since 2023-11-1"), "\(listed.lines)")
  }

  @Test @Loop func aPersonAcceptsTheNewMachine() async throws {
    let daemon = try FakeDaemon()
    let team = try sampleTeam()
    daemon.reply(to: ListTeams.self, ListTeams.Reply(teams: [team]))
    let other = ControlPeer(
      device: "desktop (56780000)",
      deviceID: impostor,
      team: team.id.description,
      state: .connected,
      claim: "desktop"
    )
    daemon.reply(to: ListPeers.self, ListPeers.Reply(peers: [other]))
    let seen = Record<AcceptName.Parameters>()
    let (real, impostor) = (real, impostor)
    daemon.on(AcceptName.self) { parameters, exchange in
      seen.append(parameters)
      exchange.reply(
        AcceptName.Reply(device: "desktop", deviceID: impostor, team: team.id.description, former: real)
      )
    }
    let result = try await baton("machine", "accept", "5678", socket: daemon.path)
    let text = "56780000 is now called desktop. The name previously belonged to 12340000.\n"
    #expect(result.text == text, "\(result.errors)")
    #expect(seen.values == [AcceptName.Parameters(deviceID: impostor, team: team.id.description)])
    // The name alone is what is in doubt.
    #expect(try await baton("machine", "accept", "desktop", socket: daemon.path).status == 8)
    #expect(try await baton("machine", "accept", "nobody", socket: daemon.path).status == 4)
  }
}
