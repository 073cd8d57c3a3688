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

/// A directory that exists as long as the test.
private final class Folder {
  let url = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// `team backup` and `team restore` against a fake daemon.
@Suite @Loop struct BackupCommandTests {
  private static let passphrase = "correct horse battery"
  private static let text = "baton team backup 1\nscrypt 65536 8 1\nAAAA\n"

  private let daemon: FakeDaemon
  private let folder = Folder()
  private var directory: URL { folder.url }
  private let backups = Record<BackUpTeam.Parameters>()
  private let restorations = Record<RestoreTeam.Parameters>()

  init() throws {
    daemon = try FakeDaemon()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let team = try sampleTeam()
    daemon.on(BackUpTeam.self) { [backups] parameters, exchange in
      backups.append(parameters)
      exchange.reply(BackUpTeam.Reply(backup: Self.text, team: team))
    }
    daemon.on(RestoreTeam.self) { [restorations] parameters, exchange in
      restorations.append(parameters)
      exchange.reply(RestoreTeam.Reply(team: team, device: "lap\u{1B}top", made: Date().timeIntervalSince1970 - 7200))
    }
  }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  /// Writes a file whose first line is a passphrase.
  private func file(_ text: String = "correct horse battery\nmore", name: String = "passphrase") throws -> String {
    try Data(text.utf8).write(to: directory.appending(path: name))
    return path(name)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  private func run(_ arguments: String..., input: Data = Data()) async throws -> BatonProcess.Result {
    try await BatonProcess(["team"] + arguments, socket: daemon.path).finish(input: input)
  }

  // MARK: Backup

  @Test func aFileIsWrittenAndOpenedBeforeItHasItsName() async throws {
    let done = try await run("backup", path("b"), "--team", "Demo", "--passphrase-file", file())
    #expect(done.status == 0)
    #expect(
      done.text == "Backed up the team \"Demo\" (0000000000) to \(path("b")), and checked that it can be restored.\n"
    )
    #expect(done.errors.contains("admit others") && done.errors.contains("apart"))
    #expect(try String(contentsOfFile: path("b"), encoding: .utf8) == Self.text)
    let attributes = try FileManager.default.attributesOfItem(atPath: path("b"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(backups.values == [BackUpTeam.Parameters(team: "Demo", passphrase: Self.passphrase)])
    let check = RestoreTeam.Parameters(backup: Self.text, passphrase: Self.passphrase, checkOnly: true)
    #expect(restorations.values == [check])
    #expect(try names() == ["b", "passphrase"])
  }

  @Test func nothingIsWrittenOver() async throws {
    for name in ["b", "link"] {
      if name == "b" { _ = try file("mine", name: name) }
      if name == "link" {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: path("nowhere"))
      }
      let done = try await run("backup", path(name), "--passphrase-file", file())
      #expect(done.status == 1 && done.errors.contains("\(path(name)) already exists"))
    }
    #expect(try String(contentsOfFile: path("b"), encoding: .utf8) == "mine")
    #expect(backups.values.isEmpty)
    #expect(try names() == ["b", "link", "passphrase"])
  }

  /// A file that appears while the backup is being made is not overwritten, either.
  @Test(arguments: [false, true]) func aFileThatComesMeanwhileStays(isHidden: Bool) throws {
    let new = try NewFile(path("b"), isHidden: isHidden)
    #expect(try new.write(Self.text) == Self.text)
    #expect(try names().count == (isHidden ? 1 : 0))
    _ = try file("mine", name: "b")
    #expect(throws: CommandError.self) { try new.publish() }
    #expect(try String(contentsOfFile: path("b"), encoding: .utf8) == "mine")
  }

  @Test(arguments: [false, true]) func aFileThatGetsNoNameIsGone(isHidden: Bool) throws {
    do {
      let new = try NewFile(path("b"), isHidden: isHidden)
      _ = try new.write(Self.text)
    }
    #expect(try names().isEmpty)
    let new = try NewFile(path("b"), isHidden: isHidden)
    _ = try new.write(Self.text)
    try new.publish()
    #expect(try names() == ["b"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path("b"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func standardOutputGetsTheTextAlone() async throws {
    let done = try await run("backup", "-", "--passphrase-file", file())
    #expect(done.status == 0 && done.text == Self.text && done.errors.contains("apart"))
    #expect(restorations.values.map(\.checkOnly) == [true])
    let json = try await run("backup", "-", "--passphrase-file", file(), "--json")
    let reply = BackUpTeam.Reply(backup: Self.text, team: try sampleTeam())
    #expect(json.text == reply.json.text + "\n" && json.errors == "")
  }

  @Test func jsonNamesTheFileAndTheTeam() async throws {
    let done = try await run("backup", path("b"), "--passphrase-file", file(), "--json")
    let members: [String: JSON] = ["file": .string(path("b")), "team": try sampleTeam().json]
    #expect(try JSON(parsing: Array(done.output), depth: 8) == .object(members))
    #expect(done.errors == "")
  }

  @Test func whatIsRefusedIsNotWritten() async throws {
    let refusing = try FakeDaemon()
    refusing.fail(BackUpTeam.self, ControlFailure(.notPermitted, message: "Not yours"))
    let arguments = ["team", "backup", path("b"), "--passphrase-file", try file()]
    let refused = try await BatonProcess(arguments, socket: refusing.path).finish()
    #expect(refused.status == 5 && refused.errors == "baton: Not yours\n")
    #expect(try names() == ["passphrase"])
  }

  @Test(arguments: ["b", "-"]) func aBackupThatDoesNotOpenIsNotKept(name: String) async throws {
    let daemon = try FakeDaemon()
    daemon.reply(to: BackUpTeam.self, BackUpTeam.Reply(backup: Self.text, team: try sampleTeam()))
    daemon.fail(RestoreTeam.self, ControlFailure(.backupInvalid))
    let arguments = ["team", "backup", name == "-" ? name : path(name), "--passphrase-file", try file()]
    let done = try await BatonProcess(arguments, socket: daemon.path).finish()
    #expect(done.status == 8 && done.errors.contains("was discarded") && done.text == "")
    #expect(try names() == ["passphrase"])
  }

  @Test func whereNoFileCanBeNobodyIsAskedForAPassphrase() async throws {
    let file = try file()
    for name in ["nowhere/b", "passphrase/b", "b/", ""] {
      let done = try await run("backup", name.isEmpty ? "" : path("") + name, "--passphrase-file", file)
      #expect(done.status == 1, "\(name)")
      #expect(done.errors.hasPrefix("baton: "))
    }
    #expect(try await run("backup", "--passphrase-file", file).status == 2)
    #expect(backups.values.isEmpty)
    #expect(try names() == ["passphrase"])
  }

  // MARK: Passphrases

  @Test func passphrasesThatAreNoGood() async throws {
    let longest = String(repeating: "p", count: Limits.passphraseLength)
    let cases: [(String, Int32)] = [
      ("", 1), ("\nsecond line\n", 1), ("elf Zeichen\n", 8), ("zwölf Zeiche\r\n", 0), ("zwölf Zeiche", 0), (longest, 0),
      (longest + "p", 1),
    ]
    for (index, (text, status)) in cases.enumerated() {
      let done = try await run("backup", path("\(index)"), "--passphrase-file", file(text))
      #expect(done.status == status, "\(text.prefix(20)): \(done.errors)")
    }
    #expect(backups.values.map(\.passphrase) == ["zwölf Zeiche", "zwölf Zeiche", longest])
    try Data([0xFF] + Array("123456789012".utf8)).write(to: directory.appending(path: "passphrase"))
    #expect(try await run("backup", path("x"), "--passphrase-file", path("passphrase")).status == 1)
    let missing = try await run("backup", path("x"), "--passphrase-file", path("nowhere"))
    #expect(missing.status == 1 && missing.errors.contains(path("nowhere")))
    // Restoring takes a passphrase of any length, because only the one that the backup was made with opens it.
    #expect(try await run("restore", file(Self.text, name: "b"), "--passphrase-file", file("short")).status == 0)
  }

  @Test func aPassphraseAndABackupComeFromOnePipe() async throws {
    let input = Data("\(Self.passphrase)\n\(Self.text)".utf8)
    let done = try await run("restore", "-", "--passphrase-file", "/dev/stdin", input: input)
    #expect(done.status == 0)
    #expect(restorations.values == [RestoreTeam.Parameters(backup: Self.text, passphrase: Self.passphrase)])
  }

  // MARK: Restoration

  @Test func aTeamIsRestoredWithAWordOfWarning() async throws {
    let backup = try file(Self.text, name: "b")
    let done = try await run("restore", backup, "--passphrase-file", file())
    #expect(done.text == "Restored the team \"Demo\" (0000000000), which \"lap\\u{1b}top\" backed up 2 hours ago.\n")
    #expect(done.errors.contains("second machine") && done.errors.contains("codes"))
    #expect(restorations.values == [RestoreTeam.Parameters(backup: Self.text, passphrase: Self.passphrase)])
    let json = try await run("restore", backup, "--passphrase-file", file(), "--json")
    #expect(json.text.hasPrefix(#"{"device":"lap\u001btop","made":"#) && json.errors == "")
  }

  @Test func aCheckSaysWhatIsInAFile() async throws {
    let done = try await run("restore", "--check", file(Self.text, name: "b"), "--passphrase-file", file())
    #expect(
      done.lines.first?.hasPrefix("The backup is good. It contains the team \"Demo\" (0000000000), which ") == true
    )
    #expect(
      done.text.contains("ID 0000000000") && done.text.contains("contains the team's key") && done.errors == ""
    )
    #expect(restorations.values.map(\.checkOnly) == [true])
  }

  @Test func errorsHaveTheirStatus() async throws {
    let (backup, passphrase) = (try file(Self.text, name: "b"), try file())
    for (reason, status) in [
      (.passphraseWrong, 8), (.backupInvalid, 8), (.alreadyMember, 8), (.versionMismatch, 5), (.limitReached, 5),
    ] as [(Reason, Int32)] {
      let daemon = try FakeDaemon()
      daemon.fail(RestoreTeam.self, ControlFailure(reason))
      let arguments = ["team", "restore", backup, "--passphrase-file", passphrase]
      #expect(try await BatonProcess(arguments, socket: daemon.path).finish().status == status, "\(reason)")
    }
    let longest = Self.text + String(repeating: "A", count: Limits.backupLength - Self.text.utf8.count)
    #expect(try await run("restore", file(longest, name: "l"), "--passphrase-file", passphrase).status == 0)
    let tooLong = try await run("restore", file(longest + "A", name: "l"), "--passphrase-file", passphrase, "--json")
    #expect(tooLong.status == 8 && tooLong.errors.contains(#""reason":"backupInvalid""#))
    #expect(try await run("restore", path("nowhere"), "--passphrase-file", passphrase).status == 1)
    #expect(try await run("restore", "--passphrase-file", passphrase).status == 2)
  }
}
