import BatonAgent
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

  @Test func anEditorThatNobodyKnowsGetsTheFile() throws {
    let own = try install("own")
    #expect(try commandLine(["EDITOR": "own --x"]) == [own, "--x", "/a b"])
    #expect(try TerminalEditor(ProcessEnvironment(["EDITOR": own])).style == nil)
  }

  @Test func noShellRuns() throws {
    let vim = try install("vim")
    #expect(try commandLine(["EDITOR": "vim $(id) ;x"]) == [vim, "$(id)", ";x", "+7", "/a b"])
  }

  @Test func faultsAreNamed() throws {
    #expect(message(["EDITOR": "'vim"])?.contains("$EDITOR is not a command") == true)
    #expect(message(["VISUAL": "missing\u{1B} -x"])?.contains("missing\\u{1b}, which $VISUAL names") == true)
    #expect(message(["VISUAL": "\(folder.path)/missing"])?.contains("There is no program") == true)
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
