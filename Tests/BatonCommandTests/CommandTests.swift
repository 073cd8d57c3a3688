// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import Search
import TestSupport
import Testing
import Varlink
import VarlinkServer

/// Tests of the whole program against a fake daemon.
@Suite struct CommandTests {
  @Test @Loop func listIsATable() async throws {
    let daemon = try FakeDaemon()
    daemon.offer([try sampleOffer(2, title: "\u{1B}[31mred", stream: true), try sampleOffer(1, title: nil)])
    let result = try await baton("list", socket: daemon.path)
    #expect(result.status == 0)
    #expect(
      result.text == """
        ID        MACHINE  TYPE               TITLE
        00000002  laptop   org.example.files  \\u{1b}[31mred
        00000001  laptop   org.example.files

        """
    )
    #expect(result.errors == "")
    let long = try await baton("list", "--long", socket: daemon.path)
    #expect(long.lines[0].split(separator: " ") == ["ID", "MACHINE", "TYPE", "TITLE", "STREAM"])
    let id = try sampleOffer(2).id
    #expect(long.lines[1] == "\(id)  laptop   org.example.files  \\u{1b}[31mred  yes")
  }

  /// Each type has the name that people use, and the others keep their own.
  @Test @Loop func typesHaveNames() async throws {
    let daemon = try FakeDaemon()
    let types = ["NSUserActivityTypeBrowsingWeb", "io.baton.directory", "io.baton.text-position", "a.b"]
    daemon.offer(try types.map { try sampleOffer(type: $0, title: nil) })
    let names = ["Web page", "Directory", "Text", "a.b"]
    let lines = try await baton("list", socket: daemon.path).lines
    #expect(lines.dropFirst().map { $0.dropFirst("00000001  laptop   ".count) } == names.map { $0[...] })
    let raw = try await baton("list", "--long", socket: daemon.path).lines
    for (type, line) in zip(types, raw.dropFirst()) { #expect(line.hasSuffix(type), "\(line)") }
  }

  @Test @Loop func listIsOneDocument() async throws {
    let daemon = try FakeDaemon()
    let seen = Record<ListOffers.Parameters>()
    let offer = try sampleOffer()
    daemon.on(ListOffers.self) { parameters, exchange in
      seen.append(parameters)
      exchange.reply(ListOffers.Reply(offers: [offer]))
    }
    let result = try await baton("list", "--json", "--type", "a.b", "--team=T", socket: daemon.path)
    #expect(result.status == 0)
    #expect(result.text == ListOffers.Reply(offers: [offer]).json.text + "\n")
    #expect(seen.values == [ListOffers.Parameters(activityType: "a.b", team: "T")])
  }

  @Test @Loop func anEmptyListIsNoFailure() async throws {
    let daemon = try FakeDaemon()
    daemon.offer([])
    let people = try await baton("list", socket: daemon.path)
    #expect(people.status == 0)
    #expect(people.text == "")
    #expect(people.errors == "Your other machines aren't offering anything.\n")
    let json = try await baton("list", "--json", socket: daemon.path)
    #expect(json.text == "{\"offers\":[]}\n")
    #expect(json.errors == "")
  }

  /// Others may be offered.
  @Test @Loop func aListOfWhatMatchesSaysNothingAboutTheRest() async throws {
    let daemon = try FakeDaemon()
    daemon.offer([])
    let result = try await baton("list", "--type", "a.b", socket: daemon.path)
    #expect(result.errors == "No offers match. Run `baton list` to see all of them.\n")
  }

  @Test @Loop func whoIsInNoTeamIsToldSo() async throws {
    let daemon = try FakeDaemon()
    daemon.offer([])
    daemon.reply(to: ListPeers.self, ListPeers.Reply(peers: []))
    daemon.reply(
      to: GetStatus.self,
      FakeDaemon.status()
    )
    for verb in ["list", "machines", "peers"] {
      let result = try await baton(verb, socket: daemon.path)
      #expect(result.status == 0)
      #expect(result.errors.hasSuffix("\nYou're not in a team on this machine. \(Self.whatToDo)\n"))
      #expect(try await baton(verb, "--json", socket: daemon.path).errors == "")
    }
  }

  private static let whatToDo = "Create one with `baton team create NAME`, or join one with `baton team join`."

  @Test @Loop func failuresHaveTheirStatusAndReason() async throws {
    let daemon = try FakeDaemon()
    daemon.fail(ListPeers.self, ControlFailure(.notPermitted, message: "No\u{1B} peers."))
    let people = try await baton("machines", socket: daemon.path)
    #expect(people.status == 5)
    #expect(people.errors == "baton: No\\u{1b} peers.\n")
    let json = try await baton("machines", "--json", socket: daemon.path)
    #expect(json.status == 5)
    #expect(json.text == "")
    #expect(json.errors == #"{"message":"No\u001b peers.","reason":"notPermitted"}"# + "\n")
  }

  @Test @Loop func aMethodThatTheDaemonLacksIsNamed() async throws {
    let daemon = try FakeDaemon()
    let result = try await baton("status", socket: daemon.path)
    #expect(result.status == 1)
    #expect(result.errors.contains("io.baton.Handoff.GetStatus"))
  }

  @Test func withoutADaemonItSaysWhatToDo() async throws {
    let result = try await baton("status", socket: "/nonexistent/baton.sock")
    #expect(result.status == 3)
    #expect(result.errors.contains("/nonexistent/baton.sock"))
    #expect(result.errors.contains("systemctl start batond"))
  }

  @Test @Loop func aDaemonThatStopsEndsAWatch() async throws {
    let daemon = try FakeDaemon()
    let offer = try sampleOffer()
    daemon.on(ListOffers.self) { _, exchange in
      exchange.replyContinuing(ListOffers.Reply(offers: []))
      exchange.replyContinuing(ListOffers.Reply(offers: [offer]))
      exchange.reply(ListOffers.Reply(offers: []))
    }
    let result = try await baton("watch", "--json", socket: daemon.path)
    #expect(result.status == 3)
    #expect(
      result.lines == [
        #"{"event":"offered","offer":\#(offer.json.text)}"#, #"{"event":"withdrawn","offer":\#(offer.json.text)}"#,
      ]
    )
  }

  @Test @Loop func statusIsReadable() async throws {
    let daemon = try FakeDaemon()
    daemon.reply(
      to: GetStatus.self,
      GetStatus.Reply(
        device: "laptop",
        version: "0.1.0",
        port: 22866,
        discovery: .running,
        teams: [try sampleTeam()],
        current: ControlActivity(activityType: "org.example.reading"),
        sessions: 2,
        streams: 0
      )
    )
    let result = try await baton("status", socket: daemon.path)
    #expect(
      result.text == """
        Machine:   laptop
        Daemon:    batond 0.1.0, port 22866
        Discovery: running
        Offered:   org.example.reading
        Online:    2 other machines
        Team:      "Demo" (0000000000), admin machine

        """
    )
  }

  @Test @Loop func statusSaysHowMuchTheIndexKeeps() async throws {
    let daemon = try FakeDaemon()
    daemon.reply(to: GetStatus.self, FakeDaemon.status())
    let index = try FakeDaemon(.search)
    let kept = GetSearchStatus.Reply(
      entries: 1204,
      foreign: 7,
      shared: 12,
      applications: [ApplicationStatus(application: "a.b", applicationName: nil, entries: 1204)],
      size: 3_450_000,
      teams: ["Home", "Wo\u{1B}rk"],
      suggests: true,
      damaged: nil
    )
    index.reply(to: GetSearchStatus.self, kept)
    let environment = ["BATON_SEARCH_SOCKET=\(index.path)"]
    let result = try await BatonProcess(["status"], socket: daemon.path, environment: environment).finish()
    #expect(
      result.lines.last
        == "Search:    1204 entries, 3.4 MB, 7 from other machines, 12 shared with Home and Wo\\u{1b}rk"
    )
    let json = try await BatonProcess(["status", "--json"], socket: daemon.path, environment: environment).finish()
    #expect(try JSON(parsing: json.output, depth: 8).object?["search"] == kept.json)
  }

  @Test @Loop func statusCountsWhatHappened() async throws {
    let daemon = try FakeDaemon()
    var counters = Counters()
    for _ in 0..<3 { counters.count(.sessionsBegun) }
    counters.count(.activitiesContinued)
    counters.count(.streamBytesSent, by: 1_560_000)
    counters.count(.connectionsRefused, .notTLS)
    counters.count(.dialsFailed, .peerUnreachable)
    counters.count(.dialsFailed, .notTLS)
    let status = FakeDaemon.status(counters)
    daemon.reply(to: GetStatus.self, status)
    let result = try await baton("status", socket: daemon.path)
    #expect(
      result.lines.suffix(2) == [
        "So far:    3 sessions, 1 continued here, 1.5 MB out, 0 bytes in",
        "Failures:  2 notTLS, 1 peerUnreachable",
      ]
    )
    let json = try await baton("status", "--json", socket: daemon.path)
    #expect(json.text == status.json.text + "\n")
  }

  @Test @Loop func metricsAreWhatTheDaemonSays() async throws {
    let daemon = try FakeDaemon()
    let reply = GetMetrics.Reply(text: "# TYPE a counter\na 1\n")
    daemon.reply(to: GetMetrics.self, reply)
    #expect(try await baton("metrics", socket: daemon.path).text == reply.text)
    #expect(try await baton("metrics", "--json", socket: daemon.path).text == reply.json.text + "\n")
  }

  @Test(arguments: [
    (["lst"], "Unknown command 'lst'. Did you mean 'list'?\nTry 'baton --help'."),
    (["team", "joyn"], "Unknown subcommand 'joyn'. Did you mean 'join'?\nTry 'baton team --help'."),
    (["team"], "'baton team' needs a subcommand:\n  team list "),
    (["peer"], "'baton machine' needs a subcommand:\n  machine list "),
    (["peer", "frob"], "Unknown subcommand 'frob'.\nTry 'baton machine --help'."),
    (["pers"], "Unknown command 'pers'.\n"),
    (["--socket", "x", "list"], "Unexpected option '--socket'. Put the command first."),
    (["list", "--bogus"], "Unknown option '--bogus'.\nTry 'baton list --help'."),
    (["offer"], "'--type' is required."), (["advertise"], "'--type' is required.\nTry 'baton offer --help'."),
    (["offer", "--type", "a.b", "--expires", "soon"], "'--expires' must be a time such as 90s"),
    (["continue", "0", "--latest"], "Use either ID or '--latest', not both."),
    (["team", "create"], "NAME is missing.\nTry 'baton team create --help'."),
  ])
  func wrongCommandLinesAreExplained(arguments: [String], message: String) async throws {
    let result = try await BatonProcess(arguments, socket: "/nonexistent").finish()
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("baton: " + message), "\(result.errors)")
    #expect(result.text == "")
  }

  @Test(arguments: [
    "status", "list", "watch", "offer", "continue", "machines", "doctor", "metrics", "team invite", "team join",
    "team machines", "machine add", "version",
  ])
  func eachVerbExplainsItself(verb: String) async throws {
    let words = verb.split(separator: " ").map(String.init)
    let result = try await BatonProcess(words + ["--help"], socket: "/nonexistent").finish()
    #expect(result.status == 0)
    #expect(result.text.hasPrefix("Usage: baton \(verb)"))
    #expect(result.text.contains("--json"))
    #expect(result.text == (try await BatonProcess(["help"] + words, socket: "").finish()).text)
  }

  @Test func versionNeedsNoDaemon() async throws {
    #expect(try await baton("version", socket: "/nonexistent").text == "baton \(Version.current)\n")
    #expect(try await baton("--version", socket: "/nonexistent").text == "baton \(Version.current)\n")
    #expect(try await baton("version", "--json", socket: "").text == #"{"version":"\#(Version.current)"}"# + "\n")
  }
}
