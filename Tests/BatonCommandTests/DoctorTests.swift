// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import Search
import TestSupport
import Testing
import VarlinkClient
import VarlinkServer

@testable import BatonCommand

/// `baton doctor` against a fake daemon.
@Suite struct DoctorTests {
  @Loop private func daemon(_ findings: [Diagnose.Reply]) throws -> FakeDaemon {
    let daemon = try FakeDaemon()
    daemon.reply(to: GetStatus.self, FakeDaemon.status())
    daemon.on(Diagnose.self) { _, exchange in
      for finding in findings.dropLast() { exchange.replyContinuing(finding) }
      if let last = findings.last { exchange.reply(last) }
    }
    return daemon
  }

  /// The checks of the system on which the tests run, with its firewalls and browsers.
  private static let ofThisMachine = ["system", "firewall", "browser"]

  /// The lines about everything else.
  private func others(_ text: String) -> String {
    var isSkipped = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if !line.contains("→") { isSkipped = Self.ofThisMachine.contains { line.contains(" \($0)  ") } }
      return !isSkipped
    }.joined(separator: "\n")
  }

  @Test @Loop func whatIsWellHasALineEach() async throws {
    let daemon = try daemon([
      Diagnose.Reply(.team, .passed, "In the team De\u{1B}mo."), Diagnose.Reply(.port, .skipped, "Nobody could try."),
      Diagnose.Reply(.application, .note, "No app.", reason: .applicationNotFound, advice: "Start it."),
    ])
    let result = try await baton("doctor", socket: daemon.path)
    #expect(result.status == 0)
    #expect(result.lines[0].contains(" system  "))
    #expect(
      others(result.text) == """
        ✓ daemon        batond 0.1.0 is running.
        ✓ team          In the team De\\u{1b}mo.
        – port          Nobody could try.
        – application   No app.
                        → Start it.
        – search        There's no search index, because `baton agent` isn't running.
                        → To use search, run `systemctl --user enable --now baton-agent.socket`.
        No problems found.

        """
    )
    #expect(result.errors == "")
  }

  @Test @Loop func theFirstFailureIsTheExitStatus() async throws {
    let daemon = try daemon([
      Diagnose.Reply(.port, .failed, "Closed.", reason: .portClosed, advice: "Open it."),
      Diagnose.Reply(.clock, .failed, "Wrong.", reason: .clockSkewed),
    ])
    let people = try await baton("doctor", socket: daemon.path)
    #expect(people.status == 6)
    #expect(people.lines.contains("✗ port          Closed. [portClosed]"))
    #expect(!people.text.contains("\u{1B}"), "Colours are for terminals")
    #expect(people.errors == "baton: First problem: Closed.\n")
    let json = try await baton("doctor", "--json", socket: daemon.path)
    #expect(json.status == 6)
    let members = try JSON(parsing: json.output, depth: 8).object ?? [:]
    let checks = members["checks"]?.array ?? []
    #expect(checks.first?.object?["check"] == "system")
    let rest = checks.filter { check in !Self.ofThisMachine.contains { check.object?["check"] == .string($0) } }
    #expect(
      Printable.json(.object(members.merging(["checks": .array(rest)]) { $1 })) + "\n" == """
        {"checks":[{"check":"daemon","detail":"batond 0.1.0 is running.","outcome":"passed"},\
        {"advice":"Open it.","check":"port","detail":"Closed.","outcome":"failed","reason":"portClosed"},\
        {"check":"clock","detail":"Wrong.","outcome":"failed","reason":"clockSkewed"},\
        {"advice":"To use search, run `systemctl --user enable --now baton-agent.socket`.","check":"search",\
        "detail":"There's no search index, because `baton agent` isn't running.","outcome":"skipped"}],\
        "reason":"portClosed"}

        """
    )
  }

  /// The doctor's report where the index answers.
  @Loop private func doctor(_ answer: (FakeDaemon) -> Void) async throws -> BatonProcess.Result {
    let daemon = try daemon([Diagnose.Reply(.team, .passed, "In the team Demo.")])
    let index = try FakeDaemon(.search)
    answer(index)
    let environment = ["BATON_SEARCH_SOCKET=\(index.path)"]
    return try await BatonProcess(["doctor"], socket: daemon.path, environment: environment).finish()
  }

  @Test @Loop func theIndexHasALine() async throws {
    func status(_ entries: Int, damaged: String?) -> GetSearchStatus.Reply {
      GetSearchStatus.Reply(
        entries: entries,
        foreign: 0,
        shared: 0,
        applications: [],
        size: 40_960,
        teams: [],
        suggests: true,
        damaged: damaged
      )
    }
    let good = try await doctor { $0.reply(to: GetSearchStatus.self, status(1, damaged: nil)) }
    #expect(good.status == 0)
    #expect(
      others(good.text).split(separator: "\n").suffix(2)
        == ["✓ search        The search index contains 1 entry, 40 kB.", "No problems found."]
    )
    let moved = try await doctor {
      $0.reply(to: GetSearchStatus.self, status(3, damaged: "/a/\u{1B}search.db.damaged"))
    }
    #expect(moved.status == 0)
    #expect(
      moved.text.contains(
        "– search        The search index was damaged, so a new one was started. It contains 3 entries, 40 kB."
      )
    )
    #expect(moved.text.contains("/a/\\u{1b}search.db.damaged"))
    let failed = try await doctor {
      $0.fail(GetSearchStatus.self, ControlFailure(.indexUnavailable, message: "The disk is full."))
    }
    #expect(failed.status == 3)
    #expect(failed.lines.contains("✗ search        The disk is full. [indexUnavailable]"))
  }

  @Test func anAgentThatIsStoppedIsAProblem() {
    let stopped = SearchFinding.finding(.searchNotRunning(path: nil), hasManager: true)
    #expect(stopped.outcome == .failed && stopped.reason == .indexUnavailable)
    #expect(stopped.advice?.contains("systemctl --user enable --now baton-agent.socket") == true)
    // Without a service manager of the user's own, as on many servers, nothing could run it.
    #expect(SearchFinding.finding(.searchNotRunning(path: nil), hasManager: false).outcome == .skipped)
  }

  @Test @Loop func thePeerIsPassedOn() async throws {
    let daemon = try FakeDaemon()
    daemon.reply(to: GetStatus.self, FakeDaemon.status())
    let seen = Record<Diagnose.Parameters>()
    daemon.on(Diagnose.self) { parameters, exchange in
      seen.append(parameters)
      exchange.reply(Diagnose.Reply(.peer, .passed, "Well."))
    }
    #expect(try await baton("doctor", "desktop", socket: daemon.path).status == 0)
    #expect(seen.values == [Diagnose.Parameters(peer: "desktop")])
  }

  @Test func withoutADaemonThatIsTheFirstCheck() async throws {
    let people = try await baton("doctor", socket: "/nonexistent/baton.sock")
    #expect(people.status == 3)
    #expect(others(people.text).hasPrefix("✗ daemon        batond isn't running"))
    #expect(people.text.contains("/nonexistent/baton.sock"))
    let json = try await baton("doctor", "--json", socket: "/nonexistent/baton.sock")
    #expect(json.status == 3)
    #expect(json.text.contains(#""reason":"daemonUnreachable""#))
  }

  @Test(
    arguments: [
      (.notRunning(paths: ["/a"]), .daemonUnreachable), (.notPermitted(path: "/a"), .notPermitted),
      (.foreignServer(path: "/a", user: 7), .daemonUnreachable), (.timedOut, .daemonUnreachable),
      (.disconnected, .daemonUnreachable), (.failed(ControlFailure(.limitReached)), nil),
    ] as [(ControlError, Reason?)]
  )
  func whyTheDaemonIsNotReachedIsNamed(error: ControlError, reason: Reason?) {
    let finding = DoctorReport.finding(error)
    #expect(finding?.reason == reason)
    #expect(finding == nil || finding?.check == .daemon && finding?.outcome == .failed && finding?.advice != nil)
  }

  @Test func coloursAreThoseOfTheMarks() {
    let report = DoctorReport(isColoured: true)
    #expect(report.text(Diagnose.Reply(.team, .passed, "a")).hasPrefix("\u{1B}[32m✓\u{1B}[0m team"))
    #expect(report.text(Diagnose.Reply(.team, .failed, "a")).hasPrefix("\u{1B}[31m✗\u{1B}[0m team"))
  }

  @Test @Loop func aDaemonThatStopsInBetweenIsAFinding() async throws {
    let daemon = try FakeDaemon()
    daemon.reply(to: GetStatus.self, FakeDaemon.status())
    daemon.on(Diagnose.self) { _, exchange in
      exchange.replyContinuing(Diagnose.Reply(.team, .passed, "In a team."))
      exchange.stayOpen()
      daemon.close()
    }
    let result = try await baton("doctor", socket: daemon.path)
    #expect(result.status == 3)
    #expect(result.lines.contains { $0.hasPrefix("✗ daemon") })
  }

  @Test @Loop func anOlderDaemonIsNoFinding() async throws {
    let daemon = try FakeDaemon()
    daemon.reply(to: GetStatus.self, FakeDaemon.status())
    let result = try await baton("doctor", "--json", socket: daemon.path)
    #expect(result.status == 1)
    #expect(result.errors.contains("io.baton.Handoff.Diagnose"))
  }
}
