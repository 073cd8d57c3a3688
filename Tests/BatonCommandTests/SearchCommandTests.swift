// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import Search
import TestSupport
import Testing
import VarlinkServer

@testable import BatonCommand

/// `baton search` and `baton suggest`, with an index whose answers the tests provide.
@Suite struct SearchCommandTests {
  /// An index that finds these results.
  @Loop private func index(_ results: [ControlResult]) throws -> FakeDaemon {
    let index = try FakeDaemon(.search)
    index.reply(to: SearchEntries.self, FoundResults(results: results))
    return index
  }

  @Test @Loop func resultsAreATable() async throws {
    var moby = ControlResult(id: "12", kind: .entry, title: "Moby\u{1B}[31m-Dick", relevance: 1)
    moby.application = "org.example.Reader"
    moby.applicationName = "Reader"
    moby.titleMatches = [0, 4]
    moby.lastUsed = Times.now - 7200
    var offer = ControlResult(id: "5b1f0c52-8a3e-4b6e-9e0d-000000000001", kind: .offer, title: "Moby", relevance: 0.5)
    offer.activityType = "org.example.reading"
    offer.device = "lap\u{7}top"
    let index = try index([moby, offer])
    let result = try await baton("search", "moby", "--socket", index.path, socket: "/nonexistent")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.text == """
        ID        TITLE                WHERE                               USED
        12        Moby\\u{1b}[31m-Dick  Reader                              2 hours ago
        5b1f0c52  Moby                 org.example.reading on lap\\u{7}top  offered now

        """
    )
    #expect(result.errors == "")
  }

  @Test @Loop func resultsAreOneDocument() async throws {
    var result = ControlResult(id: "a", kind: .entry, title: "Ahab\u{9B}", relevance: 0.25)
    result.titleMatches = [0, 4]
    result.snippet = "the captain"
    result.snippetMatches = [4, 7]
    result.webpageURL = "https://example.org/"
    let index = try FakeDaemon(.search)
    let seen = Record<SearchEntries.Parameters>()
    index.on(SearchEntries.self) { parameters, exchange in
      seen.append(parameters)
      exchange.reply(FoundResults(results: [result]))
    }
    let found = try await baton(
      "search",
      "--limit=7",
      "the",
      "--json",
      "white whale",
      "--socket",
      index.path,
      "--",
      "--hunt",
      socket: ""
    )
    #expect(found.status == 0)
    #expect(try JSON(parsing: found.output, depth: 8) == FoundResults(results: [result]).json)
    #expect(found.errors == "")
    #expect(seen.values == [SearchEntries.Parameters(words: "the white whale --hunt", limit: 7)])
  }

  @Test @Loop func nothingIsFoundWithoutAFailure() async throws {
    let index = try index([])
    index.reply(to: SuggestEntries.self, FoundResults(results: []))
    for (words, note) in [
      (["search", "x"], "No results.\n"), (["suggest"], "No suggestions yet.\n"),
    ] {
      let people = try await BatonProcess(words + ["--socket", index.path], socket: "").finish()
      #expect((people.status, people.text, people.errors) == (0, "", note))
      let json = try await BatonProcess(words + ["--json", "--socket", index.path], socket: "").finish()
      #expect((json.status, json.text, json.errors) == (0, "{\"results\":[]}\n", ""))
    }
  }

  @Test @Loop func theSocketIsFoundInTheEnvironment() async throws {
    let index = try index([ControlResult(id: "1", kind: .entry, title: "Found", relevance: 1)])
    let environments = [
      ["BATON_SEARCH_SOCKET=\(index.path)"],
      ["BATON_SEARCH_SOCKET=", "XDG_RUNTIME_DIR=\(try runtimeDirectory(for: index))"],
    ]
    for environment in environments {
      let result = try await BatonProcess(["search"], socket: "/nonexistent", environment: environment).finish()
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.lines.last == "1   Found")
    }
  }

  /// A directory in which the index is where it usually is.
  @Loop private func runtimeDirectory(for index: FakeDaemon) throws -> String {
    let directory = URL(filePath: index.path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: directory.appending(path: "baton"), withIntermediateDirectories: true)
    let link = directory.appending(path: "baton/search.sock")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(filePath: index.path))
    return directory.path
  }

  @Test func withoutAnIndexItSaysWhatToDo() async throws {
    for words in [["search", "x"], ["search"], ["suggest"], ["search", "--forget", "--all", "--yes"]] {
      let result = try await BatonProcess(words + ["--socket", "/nonexistent/s"], socket: "").finish()
      #expect(result.status == 3)
      #expect(result.errors.contains("nothing answers on /nonexistent/s"))
      #expect(result.errors.contains("systemctl --user start baton-agent.socket"))
    }
    let unknown = try await baton("search", socket: "")
    #expect(unknown.status == 3)
    #expect(
      unknown.errors == "baton: Can't find the agent, because XDG_RUNTIME_DIR isn't set. Log in first.\n"
    )
  }

  @Test @Loop func aRefusalHasItsStatusAndReason() async throws {
    let index = try FakeDaemon(.search)
    index.fail(SearchEntries.self, ControlFailure(.limitReached, message: "Too\u{1B} much."))
    index.fail(SuggestEntries.self, ControlFailure(.indexUnavailable))
    index.fail(OpenResult.self, ControlFailure(.entryNotFound))
    let people = try await baton("search", "x", "--socket", index.path, socket: "")
    #expect((people.status, people.errors) == (5, "baton: Too\\u{1b} much.\n"))
    let json = try await baton("suggest", "--json", "--socket", index.path, socket: "")
    #expect(json.status == 3)
    #expect(json.errors.contains(#""reason":"indexUnavailable""#))
    #expect(try await baton("search", "--open", "--result", "7", "--socket", index.path, socket: "").status == 4)
  }

  // MARK: Opening

  @Test @Loop func theBestOrANamedResultIsOpened() async throws {
    let index = try index(["7", "8"].map { ControlResult(id: $0, kind: .entry, title: "T\u{7}\($0)", relevance: 1) })
    let seen = Record<OpenResult.Parameters>()
    index.on(OpenResult.self) { parameters, exchange in
      seen.append(parameters)
      exchange.reply(Nothing())
    }
    let best = try await baton("search", "t", "--open", "--socket", index.path, socket: "")
    #expect((best.status, best.text) == (0, "Opened \"T\\u{7}7\".\n"))
    let named = try await BatonProcess(
      ["search", "--open", "--result=8", "--json", "--socket", index.path],
      socket: "",
      environment: ["XDG_ACTIVATION_TOKEN=token"]
    ).finish()
    #expect((named.status, named.text) == (0, "{\"opened\":\"8\"}\n"))
    #expect(seen.values.map(\.result) == ["7", "8"])
    #expect(seen.values.map(\.activationToken) == [nil, "token"])
  }

  @Test @Loop func nothingIsOpenedIfNothingIsFound() async throws {
    let index = try index([])
    let people = try await baton("search", "x", "--open", "--socket", index.path, socket: "")
    #expect((people.status, people.errors) == (4, "baton: No results.\n"))
    let json = try await baton("search", "x", "--open", "--json", "--socket", index.path, socket: "")
    #expect((json.status, json.errors) == (4, #"{"message":"No results.","reason":"entryNotFound"}"# + "\n"))
  }

  // MARK: Forgetting

  @Test @Loop func whatIsForgottenIsWhatWasNamed() async throws {
    let index = try FakeDaemon(.search)
    let seen = Record<ForgetEntries.Parameters>()
    index.on(ForgetEntries.self) { parameters, exchange in
      seen.append(parameters)
      exchange.reply(Deleted(deleted: seen.values.count))
    }
    func forget(_ arguments: String...) async throws -> String {
      let result = try await BatonProcess(["search", "--forget", "--socket", index.path] + arguments, socket: "")
        .finish()
      #expect(result.status == 0, "\(result.errors)")
      return result.text
    }
    #expect(try await forget("--app", "org.example.Reader") == "Deleted 1 entry.\n")
    #expect(try await forget("--result=12") == "Deleted 2 entries.\n")
    #expect(try await forget("--since", "2h", "--before", "1h", "--app=a") == "Deleted 3 entries.\n")
    #expect(try await forget("--all", "--yes", "--json") == "{\"deleted\":4}\n")
    let now = Times.now
    #expect(seen.values.map(\.application) == ["org.example.Reader", nil, "a", nil])
    #expect(seen.values.map(\.result) == [nil, "12", nil, nil])
    #expect(seen.values.map(\.all) == [nil, nil, nil, true])
    let spans = seen.values.map { [$0.since, $0.until].map { $0.map { ((now - $0) / 60).rounded() } } }
    #expect(spans == [[nil, nil], [nil, nil], [120, 60], [nil, nil]])
  }

  @Test @Loop func everythingIsForgottenOnlyWithConsent() async throws {
    let index = try FakeDaemon(.search)
    let seen = Record<ForgetEntries.Parameters>()
    index.on(ForgetEntries.self) { parameters, exchange in
      seen.append(parameters)
      exchange.reply(Deleted(deleted: 0))
    }
    for option in [[], ["--json"]] {
      let words = ["search", "--forget", "--all", "--socket", index.path] + option
      let result = try await BatonProcess(words, socket: "").finish(input: Data("yes\n".utf8))
      #expect(result.status == 2)
      #expect(result.errors.contains("This deletes everything in this machine's search index."))
      #expect(result.errors.contains("--yes"))
    }
    index.on(GetSearchStatus.self) { _, exchange in
      exchange.reply(
        GetSearchStatus.Reply(
          entries: 2,
          foreign: 1,
          shared: 1,
          applications: [],
          size: 1,
          teams: ["Home"],
          suggests: true,
          damaged: nil
        )
      )
    }
    let result = try await BatonProcess(["search", "--forget", "--all", "--socket", index.path], socket: "").finish()
    #expect(
      result.errors.contains("index. Entries that other machines share with this one are deleted there as well.")
    )
    #expect(seen.values.isEmpty)
  }

  @Test @Loop func anEmptyIndexSaysSo() async throws {
    func made(_ entries: Int) throws -> FakeDaemon {
      let status = GetSearchStatus.Reply(
        entries: entries,
        foreign: 0,
        shared: 0,
        applications: [],
        size: 1,
        teams: [],
        suggests: true,
        damaged: nil
      )
      let index = try FakeDaemon(.search)
      index.reply(to: SearchEntries.self, FoundResults(results: []))
      index.reply(to: GetSearchStatus.self, status)
      return index
    }
    let empty = "No results. No app has added anything to the index yet.\n"
    for (entries, text) in [(0, empty), (1, "No results.\n")] {
      let index = try made(entries)
      #expect(try await baton("search", "whale", "--socket", index.path, socket: "").errors == text)
    }
    let index = try made(0)
    let opened = try await baton("search", "whale", "--open", "--socket", index.path, socket: "")
    #expect((opened.status, opened.errors) == (4, "baton: \(empty)"))
  }

  @Test @Loop func whoForgetsWhatIsNotThereIsTold() async throws {
    let index = try FakeDaemon(.search)
    index.on(ForgetEntries.self) { _, exchange in exchange.reply(Deleted(deleted: 0)) }
    let result = try await baton("search", "--forget", "--result", "99", "--socket", index.path, socket: "")
    #expect((result.status, result.errors) == (4, "baton: There's no entry 99. Run `baton search` to see the IDs.\n"))
  }

  // MARK: Arguments

  @Test(arguments: [
    (["--forget"], "Choose what to forget: --app, --since, --before, --result or --all."),
    (["--forget", "--yes"], "Choose what to forget: --app, --since, --before, --result or --all."),
    (["--forget", "--app", "a", "moby"], "'--forget' can't be combined with WORDS or '--open'."),
    (["--forget", "--open", "--result", "1"], "'--forget' can't be combined with WORDS or '--open'."),
    (["--forget", "--all", "--app", "a"], "'--all' can't be combined with other conditions."),
    (["--forget", "--since", "1h", "--before", "2h"], "'--since' must be earlier than '--before'."),
    (["--forget", "--since", "1h", "--before", "60m"], "'--since' must be earlier than '--before'."),
    (["moby", "--app", "a"], "'--app' needs '--forget'."), (["--since", "1h"], "'--since' needs '--forget'."),
    (["--open", "--before", "1h"], "'--before' needs '--forget'."), (["--all"], "'--all' needs '--forget'."),
    (["--open", "--result", "1", "--all"], "'--all' needs '--forget'."),
    (["--result", "1"], "'--result' needs '--forget' or '--open'."),
    (["moby", "--result", "1"], "Use either WORDS or '--result', not both."),
    (["--open", "moby", "--result", "1"], "Use either WORDS or '--result', not both."),
    (["--forget", "--since", "soon"], "'--since' must be a time such as 90s, 15m, 2h or 1d, not 'soon'."),
    (["--limit", "0"], "'--limit' must be a number from 1 to 500."),
    (["--limit=501"], "'--limit' must be a number from 1 to 500."),
    (["--limit", "many"], "'--limit' must be a number from 1 to 500."),
    (["--forgot"], "Unknown option '--forgot'. Did you mean '--forget'?"),
  ])
  func wrongArgumentsAreExplained(arguments: [String], message: String) async throws {
    let result = try await BatonProcess(["search"] + arguments, socket: "/nonexistent").finish()
    #expect(result.status == 2)
    #expect(result.errors == "baton: \(message)\nTry 'baton search --help'.\n")
    #expect(result.text == "")
  }

  @Test func suggestionsTakeNoWords() async throws {
    let result = try await baton("suggest", "moby", socket: "")
    #expect((result.status, result.errors) == (2, "baton: Unexpected argument 'moby'.\nTry 'baton suggest --help'.\n"))
  }

  @Test func helpNamesTheIndexsSocket() async throws {
    for verb in ["search", "suggest"] {
      let text = try await baton(verb, "--help", socket: "").text
      #expect(text.hasPrefix("Usage: baton \(verb)"))
      #expect(text.contains("BATON_SEARCH_SOCKET"))
      #expect(!text.contains("$BATON_SOCKET"))
    }
    #expect(
      try await baton("search", "--help", socket: "").text.hasPrefix("Usage: baton search [WORDS]... [--limit N]")
    )
  }
}
