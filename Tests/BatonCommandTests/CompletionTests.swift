// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import EventLoop
import TestSupport
import Testing
import VarlinkServer

@testable import BatonCommand

/// What the shells are offered. `Tests/Integration/test_completions.py` asks the shells themselves.
@Suite struct CompletionTests {
  private func words(_ line: String...) -> [String]? {
    guard case .words(let words) = Completion(of: line).candidates else { return nil }
    return words.map(\.text)
  }

  @Test func everyCommandAndOptionIsOffered() {
    for command in Program.commands {
      let line = command.words.dropLast() + [""]
      #expect(Completion(of: Array(line)).candidates.texts.contains(command.words[command.words.count - 1]))
      let options = (command.options + command.commonOptions).map(\.declaration)
      #expect(Completion(of: command.words + ["--"]).candidates.texts == options.map(\.title))
      for option in options {
        guard let value = option.value else { continue }
        #expect(Completion(of: command.words + [option.title, ""]).candidates == .value(value.kind))
        let joined = Completion(of: command.words + ["\(option.title)=x"])
        #expect(joined.candidates == .value(value.kind) && joined.prefix == "\(option.title)=")
      }
    }
  }

  @Test func commandsAreOfferedOnce() {
    #expect(words("")?.filter { $0 == "team" }.count == 1)
    #expect(words("")?.contains("help") == true)
    #expect(words("machine", "") == ["list", "add", "remove", "accept"])
    #expect(words("help", "machine", "") == ["list", "add", "remove", "accept"])
    #expect(words("help", "")?.contains("diagnosis") == true)
    #expect(words("help", "")?.filter { $0 == "search" }.count == 1)
    #expect(words("help", "")?.contains("help") == false)
    #expect(words("frob", "") == [])
    let verbs = ["show", "create", "request", "authorize", "import", "remove"]
    #expect(words("rendezvous", "") == verbs && words("help", "rendezvous", "") == verbs)
    #expect(words("")?.filter { $0 == "rendezvous" }.count == 1)
  }

  @Test func optionsBeforeTheCommandAreSkipped() {
    #expect(words("--socket", "/x", "machine", "") == ["list", "add", "remove", "accept"])
    #expect(words("--socket=/x", "machine", "") == ["list", "add", "remove", "accept"])
    #expect(words("-") == ["--help", "--version"])
  }

  @Test func anOperandIsOfferedOnce() {
    #expect(Completion(of: ["continue", ""]).candidates == .value(.offer))
    #expect(Completion(of: ["continue", "--latest", ""]).candidates == .value(.offer))
    #expect(Completion(of: ["continue", "--", ""]).candidates == .value(.offer))
    #expect(words("continue", "abc", "") == [])
    #expect(words("list", "") == [])
    #expect(Completion(of: ["team", "import", ""]).candidates == .value(.file))
    for verb in ["create", "authorize", "import"] {
      #expect(Completion(of: ["rendezvous", verb, ""]).candidates == .value(.file))
    }
    #expect(Completion(of: ["rendezvous", "create", "d", "--server", ""]).candidates == .value(.text))
    #expect(words("rendezvous", "show", "") == [])
  }

  @Test func wordsToSearchForAreNotCompletedButOptionsAre() {
    #expect(Completion(of: ["search", ""]).candidates == .value(.text))
    #expect(words("search", "white", "") == [])
    #expect(words("search", "white", "whale", "--f") == words("search", "--"))
    #expect(words("search", "--")?.contains("--forget") == true)
    #expect(Completion(of: ["search", "white", "--socket", ""]).candidates == .value(.file))
    #expect(words("suggest", "") == [])
  }

  @Test func nothingAfterTwoDashesIsAnOption() {
    #expect(Completion(of: ["continue", "--", "--"]).candidates == .value(.offer))
  }

  @Test(arguments: ["a$(b)", "a b", "a;b", "`a`", "", "a/b", "é", "[::1]:1"])
  func textsThatAShellCouldExpandAreLeftOut(text: String) {
    #expect(!LiveValues.isHarmless(text))
  }

  @Test @Loop func valuesComeFromTheDaemon() async throws {
    let daemon = try FakeDaemon()
    daemon.offer([try sampleOffer(2), try sampleOffer(1)])
    let result = try await baton("__complete", "--", "continue", "0000", socket: daemon.path)
    #expect(result.lines.first == "words" && result.lines.count == 3 && result.status == 0)
    let types = try await baton("__complete", "--", "list", "--type=", socket: daemon.path)
    #expect(types.text == "words\n--type=org.example.files\n")
  }

  @Test func withoutADaemonThereAreNone() async throws {
    #expect(try await baton("__complete", "--", "continue", "", socket: "/nonexistent").text == "words\n")
    #expect(try await baton("__complete", "--", "team", "backup", "", socket: "").text == "files\n")
    #expect(
      try await baton("__complete", "--", "list", "--js", socket: "").text
        == "words\n--json\t\(CommonOptions.json.declaration.help)\n"
    )
  }
}

extension Completion.Candidates {
  var texts: [String] {
    guard case .words(let words) = self else { return [] }
    return words.map(\.text)
  }
}
