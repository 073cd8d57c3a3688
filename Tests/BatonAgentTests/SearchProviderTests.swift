// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import JSONCoding
import Search
import Systemd
import TestSupport
import Testing

@testable import BatonAgent

extension AgentTests {
  /// The provider on a bus, asked by another program with the library that GNOME Shell uses. Each test has its own
  /// process, because the bus's address is in the environment.
  struct SearchProviderTests {
    private static let gnome = "org.gnome.Shell.SearchProvider2"
    private static let krunner = "org.kde.krunner1"

    @Loop
    private final class Index {
      var results: [String: [ControlResult]]
      var searched: [String] = []
      var opened: [String] = []
      /// The words whose answers the test gives itself.
      var slow: Set<String> = []
      var waiting: [String: @Loop ([ControlResult]) -> Void] = [:]

      init(_ results: [String: [ControlResult]]) { self.results = results }

      var source: SearchProvider.Source {
        SearchProvider.Source(
          search: { words, completion in
            self.searched.append(words)
            if self.slow.contains(words) {
              self.waiting[words] = completion
            } else {
              completion(self.results[words] ?? [])
            }
          },
          open: { result, token in self.opened.append("\(result.id) \(token ?? "without a token")") },
          icon: { $0.kind == .offer ? "computer" : "text-x-generic" }
        )
      }
    }

    private struct Scene {
      let bus: TestBus
      let desktop: BusProgram
      let index: Index
      let service: SearchBus

      init(_ results: [String: [ControlResult]] = [:]) throws {
        bus = try TestBus()
        try bus.start()
        desktop = try BusProgram("desktop-search")
        (index, service) = try onLoop {
          let index = Index(results)
          let service = SearchBus(SearchProvider(index.source), log: Log(level: .error))
          service.start()
          return (index, service)
        }
        try waitUntil("The provider has its name") { try ask("org.freedesktop.DBus.Peer", "Ping") == [] }
      }

      /// Asks, and does not wait for the answer.
      func begin(_ name: String, _ interface: String, _ method: String, _ signature: String, _ arguments: [JSON]) {
        desktop.tell(
          JSON.array([.string(name), .string(interface), .string(method), .string(signature), .array(arguments)]).text
        )
      }

      /// - Returns: The values of the reply, or the name of the error.
      func answer(to name: String) throws -> JSON {
        let line = try desktop.next("The answer to \(name)") { $0.hasPrefix("\(name) ") }.dropFirst(name.utf8.count + 1)
        guard line.hasPrefix("reply ") else { return .string(String(line.dropFirst("error ".utf8.count))) }
        return try JSON(parsing: line.dropFirst("reply ".utf8.count).utf8, depth: 10)
      }

      func ask(_ interface: String, _ method: String, _ signature: String = "()", _ arguments: JSON...) throws -> JSON {
        begin(method, interface, method, signature, arguments)
        return try answer(to: method)
      }

      /// The single value of the reply to GNOME Shell.
      func gnome(_ method: String, _ signature: String, _ arguments: JSON...) throws -> [JSON] {
        begin(method, SearchProviderTests.gnome, method, signature, arguments)
        return try #require(try answer(to: method).array?.first?.array)
      }

      func match(_ query: String) throws -> [JSON] {
        try #require(try ask(SearchProviderTests.krunner, "Match", "(s)", .string(query)).array?.first?.array)
      }

      /// How many programs have the name or wait for it.
      func owners() throws -> Int? {
        try ask("org.freedesktop.DBus", "ListQueuedOwners", "(s)", .string(SearchProvider.name)).array?.first?.array?
          .count
      }

      func onIndex<T: Sendable>(_ body: @escaping @Loop @Sendable (Index) -> T) throws -> T {
        try onLoop { [index] in body(index) }
      }

      func stopService() throws { try onLoop { [service] in service.stop() } }

      func stop() throws {
        try stopService()
        desktop.end()
        bus.remove()
        unsetenv("DBUS_SYSTEM_BUS_ADDRESS")
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
      }
    }

    /// Runs `body` with an index that finds these.
    private static func run(_ results: [String: [ControlResult]] = [:], _ body: (Scene) throws -> Void) {
      inOwnProcess {
        let scene = try Scene(results)
        try body(scene)
        try scene.stop()
      }
    }

    private static func result(
      _ id: String,
      _ title: String,
      _ change: (inout ControlResult) -> Void = { _ in }
    ) -> ControlResult {
      var result = ControlResult(id: id, kind: .entry, title: title, relevance: 0.5)
      change(&result)
      return result
    }

    /// The text between characters that Unicode has for no text, which Swift's literals do not have either.
    private static func odd(_ text: String) -> String {
      String(decoding: [0xFDD0] + Array(text.utf16) + [0xFFFE], as: UTF16.self)
    }

    @Test func gnomeShellFindsDescribesAndOpens() async {
      await #expect(processExitsWith: .success) {
        let book = Self.result("1", "Moby-Dick") {
          $0.applicationName = "Reader"
          $0.snippet = "Call me Ishmael."
        }
        let offer = ControlResult(id: "2", kind: .offer, title: "Whales", relevance: 1)
        Self.run(["moby": [book, offer], "moby dick": [book]]) { (scene) throws in
          #expect(try scene.gnome("GetInitialResultSet", "(as)", ["moby"]) == ["1", "2"])
          #expect(try scene.gnome("GetSubsearchResultSet", "(asas)", ["1", "2"], ["moby", "dick"]) == ["1"])
          let metas = try scene.gnome("GetResultMetas", "(as)", ["2", "1"])
          #expect(
            metas == [
              ["id": "2", "name": "Whales", "description": "", "gicon": "computer"],
              [
                "id": "1", "name": "Moby-Dick", "description": "Reader · Call me Ishmael.", "gicon": "text-x-generic",
              ],
            ]
          )
          #expect(try scene.ask(Self.gnome, "ActivateResult", "(sasu)", "1", ["moby"], 4711) == [])
          #expect(try scene.ask(Self.gnome, "ActivateResult", "(sasu)", "2", [], 0) == [])
          // What was not shown cannot have been clicked.
          #expect(try scene.ask(Self.gnome, "ActivateResult", "(sasu)", "3", ["moby"], 4711) == [])
          // GTK takes such a token for the time of the click. Zero is no time.
          #expect(try scene.onIndex { $0.opened } == ["1 _TIME4711", "2 without a token"])
        }
      }
    }

    /// GNOME Shell drops all results of a provider if the number of descriptions is wrong or one has no name.
    @Test func everyResultHasADescriptionWithAName() async {
      await #expect(processExitsWith: .success) {
        let results = [
          Self.result("page", "") { $0.webpageURL = "https://example.org/" },
          Self.result("app", " \n ") { $0.applicationName = "Reader" },
          Self.result("type", "") { $0.activityType = "org.example.read" },
          Self.result("nothing", "\u{200E}"),
          Self.result("lines", "Call\nme\u{0}\tIshmael"),
          Self.result("odd", Self.odd("odd")),
        ]
        Self.run(["": results]) { (scene) throws in
          let ids: JSON = ["page", "app", "type", "nothing", "lines", "odd", "unknown", "page"]
          #expect(try scene.gnome("GetInitialResultSet", "(as)", [""]).count == results.count)
          let metas = try scene.gnome("GetResultMetas", "(as)", ids)
          #expect(.array(metas.map { $0.object?["id"] ?? nil }) == ids)
          let names = metas.map { $0.object?["name"]?.string }
          #expect(
            names == [
              "https://example.org/", "Reader", "org.example.read", "Untitled", "Call me\u{FFFD} Ishmael",
              "\u{FFFD}odd\u{FFFD}",
              "Untitled", "https://example.org/",
            ]
          )
        }
      }
    }

    @Test func kRunnerMatchesAndRuns() async {
      await #expect(processExitsWith: .success) {
        let book = Self.result("1", "Moby-Dick") { $0.device = "laptop" }
        let odd = Self.result("2", Self.odd("a")) { $0.snippet = Self.odd("b") + "\n" }
        Self.run(["moby": [book, odd]]) { (scene) throws in
          #expect(
            try scene.match("moby") == [
              [
                "1", "Moby-Dick", "text-x-generic", 30, 0.5, ["subtext": "on laptop", "category": "Handoff"],
              ],
              [
                "2", "\u{FFFD}a\u{FFFD}", "text-x-generic", 30, 0.5,
                ["subtext": "\u{FFFD}b\u{FFFD}", "category": "Handoff"],
              ],
            ]
          )
          // An empty query would show suggestions, and is not asked for.
          #expect(try scene.match("") == [])
          #expect(try scene.match("  ") == [])
          #expect(try scene.match(String(repeating: "a", count: Limits.searchWordsLength + 1)) == [])
          #expect(try scene.onIndex { $0.searched } == ["moby"])

          #expect(try scene.ask(Self.krunner, "Actions") == [[]])
          #expect(try scene.ask(Self.krunner, "Config") == [[:]])
          #expect(try scene.ask(Self.krunner, "Teardown") == [])
          #expect(try scene.ask(Self.krunner, "SetActivationToken", "(s)", "token") == [])
          #expect(try scene.ask(Self.krunner, "Run", "(ss)", "1", "") == [])
          // A token is for one activation.
          #expect(try scene.ask(Self.krunner, "Run", "(ss)", "2", "") == [])
          #expect(try scene.ask(Self.krunner, "SetActivationToken", "(s)", "to\nken") == [])
          #expect(try scene.ask(Self.krunner, "Run", "(ss)", "1", "") == [])
          #expect(try scene.onIndex { $0.opened } == ["1 token", "2 without a token", "1 without a token"])
        }
      }
    }

    @Test func slowAnswersGetToThoseWhoAsked() async {
      await #expect(processExitsWith: .success) {
        Self.run { (scene) throws in
          try scene.onIndex { $0.slow = ["m", "mo", "moby"] }
          scene.begin("first", Self.gnome, "GetInitialResultSet", "(as)", [["m"]])
          scene.begin("second", Self.krunner, "Match", "(s)", ["mo"])
          scene.begin("third", Self.gnome, "GetSubsearchResultSet", "(asas)", [[], ["moby"]])
          try waitUntil("All are asked") { try scene.onIndex { $0.waiting.count == 3 } }
          // Whoever is fast does not wait for them.
          #expect(try scene.gnome("GetInitialResultSet", "(as)", ["fast"]) == [])
          try scene.onIndex { $0.waiting["moby"]?([Self.result("3", "Moby")]) }
          #expect(try scene.answer(to: "third") == [["3"]])
          try scene.onIndex { $0.waiting["m"]?([Self.result("1", "M"), Self.result("3", "Moby")]) }
          #expect(try scene.answer(to: "first") == [["1", "3"]])
          // A search that nobody answers fails, so that the desktop does not wait for it.
          try scene.onIndex { $0.waiting = [:] }
          #expect(try scene.answer(to: "second") == "org.freedesktop.DBus.Error.Failed")
          let names = try scene.gnome("GetResultMetas", "(as)", ["3", "1"]).map { $0.object?["name"] }
          #expect(names == ["Moby", "M"])
        }
      }
    }

    @Test func whatIsWrongIsRefused() async {
      await #expect(processExitsWith: .success) {
        Self.run { (scene) throws in
          let unknown: JSON = "org.freedesktop.DBus.Error.UnknownMethod"
          #expect(try scene.ask(Self.gnome, "Match", "(s)", "moby") == unknown)
          #expect(try scene.ask("org.example.Other", "GetInitialResultSet", "(as)", ["moby"]) == unknown)
          let invalid: JSON = "org.freedesktop.DBus.Error.InvalidArgs"
          #expect(try scene.ask(Self.gnome, "GetInitialResultSet", "(s)", "moby") == invalid)
          #expect(try scene.ask(Self.gnome, "GetSubsearchResultSet", "(as)", ["moby"]) == invalid)
          #expect(try scene.ask(Self.gnome, "GetResultMetas", "()") == invalid)
          #expect(try scene.ask(Self.gnome, "ActivateResult", "(s)", "1") == invalid)
          #expect(try scene.ask(Self.krunner, "Match", "(as)", ["moby"]) == invalid)
          #expect(try scene.ask(Self.krunner, "Run", "(s)", "1") == invalid)
          #expect(try scene.onIndex { $0.searched + $0.opened } == [])
        }
      }
    }

    @Test func theNameIsTakenOverFromAProgramThatEnds() async {
      await #expect(processExitsWith: .success) {
        Self.run { (scene) throws in
          let (index, later) = try onLoop {
            let index = Index(["moby": [Self.result("1", "Moby-Dick")]])
            let later = SearchBus(SearchProvider(index.source), log: Log(level: .error))
            later.start()
            return (index, later)
          }
          try waitUntil("It waits for the name") { try scene.owners() == 2 }
          #expect(try scene.gnome("GetInitialResultSet", "(as)", ["moby"]) == [])
          try scene.stopService()
          try waitUntil("The other one answers") {
            try scene.ask(Self.gnome, "GetInitialResultSet", "(as)", ["moby"]) == [["1"]]
          }
          #expect(try onLoop { !index.searched.isEmpty })
          try onLoop { later.stop() }
        }
      }
    }

    /// As the documentation of both interfaces has it.
    @Test func theInterfacesAreDescribed() async {
      await #expect(processExitsWith: .success) {
        Self.run { (scene) throws in
          let text = try scene.ask("org.freedesktop.DBus.Introspectable", "Introspect").array?.first?.string ?? ""
          for method in SearchProviderMethod.allCases where method != .introspect {
            let name = method.rawValue.split(separator: ".").last ?? ""
            #expect(text.contains(#"<method name="\#(name)""#), "\(name)")
          }
        }
      }
    }
  }
}
