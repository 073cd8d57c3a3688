// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import TestSupport
import Testing
import VarlinkServer

@testable import BatonCommand

/// `team promote`, `renew`, `passphrase` and `unlock` against a fake daemon.
@Suite @Loop struct TeamKeyCommandTests {
  private static let passphrase = "correct horse battery"

  private let daemon: FakeDaemon
  private let calls = Record<String>()
  private let team: ControlTeam
  private let file = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID().uuidString)")

  init() throws {
    daemon = try FakeDaemon()
    team = try sampleTeam()
    let device = ControlDevice(
      name: "desk\u{1B}top",
      deviceID: team.deviceID,
      serial: "0a",
      admitted: 1,
      administrator: true
    )
    try Data("\(Self.passphrase)\nmore".utf8).write(to: file)
    let (calls, team) = (calls, team)
    daemon.reply(to: ListTeams.self, ListTeams.Reply(teams: [team]))
    daemon.on(UnlockTeam.self) { parameters, exchange in
      calls.append("unlock \(parameters.team ?? "-") \(parameters.passphrase)")
      exchange.reply(TeamReply(team: team))
    }
    daemon.on(PromoteDevice.self) { parameters, exchange in
      let isFirst = !calls.values.contains { $0.hasPrefix("promote") }
      calls.append("promote \(parameters.device) \(parameters.team ?? "-")")
      if isFirst {
        let failure = ControlFailure(.passphraseNeeded)
        exchange.fail(ControlFailure.name, failure.members)
      } else {
        exchange.reply(PromoteDevice.Reply(device: device))
      }
    }
    daemon.on(RenewTeam.self) { parameters, exchange in
      calls.append("renew \(parameters.team ?? "-") \(parameters.passphrase ?? "-")")
      let expires = Date().timeIntervalSince1970 + 3600
      exchange.reply(RenewTeam.Reply(team: team, replaced: "OLD\u{1B}", code: "K7Q2M-9XW4T", expires: expires))
    }
    daemon.on(SetPassphrase.self) { parameters, exchange in
      calls.append("set \(parameters.passphrase ?? "-")")
      exchange.reply(TeamReply(team: team))
    }
    daemon.on(JoinTeam.self) { parameters, exchange in
      calls.append("join \(parameters.code) \(parameters.address ?? "-") \(parameters.replaces ?? "-")")
      exchange.reply(TeamReply(team: team))
    }
  }

  private func run(_ arguments: String..., input: String = "") async throws -> BatonProcess.Result {
    try await BatonProcess(["team"] + arguments, socket: daemon.path).finish(input: Data(input.utf8))
  }

  @Test func whatCannotBeUndoneTakesAPersonsWord() async throws {
    for verb in [["promote", "desktop"], ["renew"]] {
      let result = try await BatonProcess(["team"] + verb, socket: daemon.path).finish(input: Data("yes\n".utf8))
      #expect(result.status == 2 && result.errors.contains("can't be") && result.errors.contains("--yes"))
    }
    #expect(calls.values.isEmpty, "Nobody was asked, and nothing was done")
  }

  @Test func aLockedKeyIsOpenedAndTheCallMadeAgain() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try await run("promote", "desktop", "--yes", "--team", "T", "--passphrase-file", file.path)
    #expect(result.text == "\"desk\\u{1b}top\" (0000000000) now has the team's key.\n")
    #expect(calls.values == ["promote desktop T", "unlock T \(Self.passphrase)", "promote desktop T"])
    let again = try await run("promote", "desktop", "--yes", "--json")
    #expect(again.text.hasPrefix(#"{"device":{"administrator":true"#))
  }

  @Test func renewingShowsTheCodeAndWhatToDo() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try await run("renew", "--yes")
    #expect(result.lines.contains("    K7Q2M-9XW4T") && result.lines.contains("    baton team renew --accept"))
    #expect(
      result.text.contains(#"which replaces OLD\u{1b}."#) && result.text.contains("in 60 minutes, at")
        || result.text.contains("in 1 hour, at")
    )
    _ = try await run("renew", "--yes", "--passphrase-file", file.path)
    #expect(calls.values == ["renew 0000000000 -", "renew 0000000000 \(Self.passphrase)"])
    #expect(try await run("renew", "--yes", "--json").text.hasPrefix(#"{"code":"K7Q2M-9XW4T","expires":"#))
    #expect(try await run("renew", "--yes", "--team", "other").status == 8)
  }

  @Test func acceptingNamesTheTeamThatIsReplaced() async throws {
    let result = try await run("renew", "--accept", input: "C O D E\n")
    #expect(result.text == "The team \"Demo\" (0000000000) now replaces 0000000000.\n")
    _ = try await run("renew", "--accept", "CODE", "--address", "h:1", "--team", "Demo")
    #expect(calls.values == ["join C O D E - 0000000000", "join CODE h:1 0000000000"])
    for wrong in [
      ["renew", "CODE", "--yes"], ["renew", "--accept", "--yes"], ["renew", "--address", "h:1", "--yes"],
    ] {
      #expect(try await BatonProcess(["team"] + wrong, socket: daemon.path).finish(input: Data()).status == 2)
    }
  }

  @Test func passphrasesAreSetAndTakenAway() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try await run("passphrase", "--passphrase-file", file.path).status == 0)
    #expect(try await run("passphrase", "--remove").text.contains("no longer has a passphrase"))
    #expect(try await run("passphrase", "--remove", "--passphrase-file", file.path).status == 2)
    #expect(try await run("unlock", "--passphrase-file", file.path).text.contains("has no passphrase"))
    #expect(calls.values == ["set \(Self.passphrase)", "set -", "unlock - \(Self.passphrase)"])
    try Data("short\n".utf8).write(to: file)
    #expect(try await run("passphrase", "--passphrase-file", file.path).status == 8)
  }
}
