// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import BatonAgent
import ChildProcess
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import BatonCommand

@Suite(.isolated) final class TerminalEditorTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "editor-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func install(_ name: String) throws -> String {
    let url = folder.appending(path: name)
    try Data("#!/bin/sh\n".utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    return url.path
  }

  private func commandLine(_ variables: [String: String]) throws -> [String] {
    let environment = ProcessEnvironment(["PATH": folder.path].merging(variables) { $1 })
    return try TerminalEditor(environment).commandLine(path: "/a b", line: 7, column: nil)
  }

  private func message(_ variables: [String: String]) -> String? {
    do {
      _ = try commandLine(variables)
      return nil
    } catch {
      return (error as? CommandError)?.message
    }
  }

  @Test func visualComesBeforeEditor() throws {
    let (vim, nano) = (try install("vim"), try install("nano"))
    #expect(try commandLine(["VISUAL": "vim -y", "EDITOR": "nano"]) == [vim, "-y", "+7", "/a b"])
    #expect(try commandLine(["VISUAL": "", "EDITOR": "nano"]) == [nano, "+7,1", "/a b"])
    #expect(try commandLine(["VISUAL": " ", "EDITOR": "'\(nano)' -w"]) == [nano, "-w", "+7,1", "/a b"])
  }

  @Test func withoutAChoiceItIsTheSystems() throws {
    #expect(message([:])?.contains("No editor is installed") == true)
    let nano = try install("nano")
    #expect(try commandLine([:]) == [nano, "+7,1", "/a b"])
    // As Debian's alternatives do it.
    let editor = folder.appending(path: "editor").path
    try FileManager.default.createSymbolicLink(atPath: editor, withDestinationPath: try install("vim.basic"))
    #expect(try commandLine([:]) == [editor, "+7", "/a b"])
  }

  @Test func viIsTheProgramToWhichItLeads() throws {
    let vi = folder.appending(path: "vi").path
    try FileManager.default.createSymbolicLink(atPath: vi, withDestinationPath: try install("vim.basic"))
    let editor = try TerminalEditor(ProcessEnvironment(["PATH": folder.path, "EDITOR": "vi"]))
    #expect(editor.style == .vim)
    #expect(editor.commandLine(path: "/a", line: 1, column: nil, isFetched: true).prefix(2) == [vi, "--cmd"])
    try FileManager.default.removeItem(atPath: vi)
    try FileManager.default.createSymbolicLink(atPath: vi, withDestinationPath: try install("nvi"))
    #expect(try TerminalEditor(ProcessEnvironment(["PATH": folder.path, "EDITOR": "vi"])).style == .line)
  }

  /// Runs the real ones. They are not installed everywhere.
  @Test(arguments: ["/usr/bin/vim", "/usr/bin/nvim"])
  func vimObeysNothingInAFetchedFile(program: String) throws {
    guard access(program, X_OK) == 0 else { return }
    let (file, configuration, seen) = (path("x.txt"), path("vimrc"), path("seen"))
    try Data("vim: set shiftwidth=13 :\n".utf8).write(to: URL(filePath: file))
    // Many people write it before their own autocommands.
    try Data("set modeline\nautocmd!\n".utf8).write(to: URL(filePath: configuration))
    let editor = try TerminalEditor(ProcessEnvironment(["EDITOR": "'\(program)' -es -i NONE -u '\(configuration)'"]))
    let look = ["-c", "call writefile([&shiftwidth, &modeline], '\(seen)')", "-c", "qall!"]
    for (isFetched, expected) in [(true, "8\n0\n"), (false, "13\n1\n")] {
      let words = editor.commandLine(path: file, line: 1, column: nil, isFetched: isFetched) + look
      #expect(try ChildProcess(words).waitUntilExit() == 0)
      #expect(try String(contentsOfFile: seen, encoding: .utf8) == expected)
    }
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  @Test func anEditorThatNobodyKnowsGetsTheFile() throws {
    let own = try install("own")
    #expect(try commandLine(["EDITOR": "own --x"]) == [own, "--x", "/a b"])
    #expect(try TerminalEditor(ProcessEnvironment(["EDITOR": own])).style == nil)
  }

  @Test(arguments: [
    ("env LC_ALL=C vim -y", "env|LC_ALL=C|vim|-y"), ("LC_ALL=C vim", "env|LC_ALL=C|vim"),
    ("nice -n 5 vim", "nice|-n|5|vim"), ("xterm -e vim", "xterm|-e|vim"),
    ("sh -c 'vim \"$@\"' x", "sh|-c|vim \"$@\"|x"),
    ("flatpak run org.vim.Vim", "flatpak|run|org.vim.Vim"), ("own", "own"), ("env own -x", "env|own|-x"),
  ])
  func theLineAndTheDistrustReachAnEditorThatAnotherProgramRuns(setting: String, words: String) throws {
    let known = ["env", "nice", "xterm", "sh", "flatpak", "vim"]
    for name in known { _ = try install(name) }
    let own = try install("own")
    try Data("#!/bin/sh\n# code \"$@\"\nif true; then exec vim -p \"$@\"; fi\n".utf8).write(to: URL(filePath: own))
    var expected = words.split(separator: "|").map(String.init)
    expected[0] = path(expected[0])
    #expect(try commandLine(["EDITOR": setting]) == expected + ["+7", "/a b"])
    let editor = try TerminalEditor(ProcessEnvironment(["PATH": folder.path, "EDITOR": setting]))
    let fetched = editor.commandLine(path: "/a", line: 7, column: nil, isFetched: true)
    #expect(fetched.starts(with: expected + ["--cmd"]) && fetched.suffix(2) == ["+7", "/a"])
  }

  @Test(arguments: [
    "own vim", "other", "one", "env -u X", "sh -c vim", "sh",
  ])
  func anArgumentIsNoEditorOfAProgramThatNobodyKnows(setting: String) throws {
    for name in ["env", "sh", "own", "vim", "nano"] { _ = try install(name) }
    try Data("#!/bin/sh\nvim \"$@\" || nano \"$@\"\nnano \"$@\"\n".utf8).write(to: URL(filePath: try install("other")))
    try Data("#!/bin/sh\nvim \"$1\"\n".utf8).write(to: URL(filePath: try install("one")))
    #expect(try TerminalEditor(ProcessEnvironment(["PATH": folder.path, "EDITOR": setting])).style == nil)
  }

  @Test func noShellRuns() throws {
    let vim = try install("vim")
    #expect(try commandLine(["EDITOR": "vim $(id) ;x"]) == [vim, "$(id)", ";x", "+7", "/a b"])
  }

  @Test func faultsAreNamed() throws {
    #expect(message(["EDITOR": "'vim"])?.contains("$EDITOR isn't a valid command") == true)
    #expect(message(["VISUAL": "missing\u{1B} -x"])?.contains("missing\\u{1b} from $VISUAL") == true)
    #expect(message(["VISUAL": "\(folder.path)/missing"])?.contains("Can't find the program") == true)
  }

  @Test func aDifferenceHasNothingThatATerminalObeys() throws {
    let (one, other) = (folder.appending(path: "-1"), folder.appending(path: "2"))
    try Data("a\n\tb\n".utf8).write(to: one)
    try Data("a\n\tb\n\u{1B}]0;x\u{7}\n".utf8).write(to: other)
    #expect(TextDifference.lines(one.path, one.path) == [])
    let lines = TextDifference.lines(one.path, other.path)
    #expect(lines.suffix(3) == [" a", "     b", #"+\u{1b}]0;x\u{7}"#])
    #expect(TextDifference.lines(one.path, folder.appending(path: "3").path).count == 1)
  }

  @Test func aLongDifferenceIsCut() {
    let lines = (1...203).map(String.init)
    #expect(TextDifference.shown(lines).suffix(2) == ["200", "… and 3 more lines"])
    #expect(TextDifference.shown(["1"]) == ["1"])
  }
}
