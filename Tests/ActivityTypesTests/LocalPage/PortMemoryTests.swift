// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing

@testable import ActivityTypes

struct PortMemoryTests {
  private static func entry(_ port: UInt16, _ team: String) -> PortDecisions.Entry { .init(port: port, team: team) }

  private static func allow(_ decisions: inout PortDecisions, _ port: UInt16, _ team: String) -> Bool {
    decisions.allow(entry(port, team))
  }

  @Test func anAnswerIsForOneTeam() {
    var decisions = PortDecisions()
    for _ in 0..<2 {
      let isAllowed = Self.allow(&decisions, 8000, "a")
      #expect(isAllowed)
    }
    decisions.refuse(Self.entry(8000, "b"))
    #expect(decisions.allowed == [Self.entry(8000, "a")] && decisions.refused == [Self.entry(8000, "b")])
    decisions.forget(8000, team: "b")
    #expect(decisions.allowed.count == 1 && decisions.refused.isEmpty)
    decisions.forget(8000, team: nil)
    #expect(decisions == PortDecisions())
  }

  @Test func theLastAnswerCounts() {
    var decisions = PortDecisions()
    decisions.refuse(Self.entry(1, "a"))
    let isAllowed = Self.allow(&decisions, 1, "a")
    #expect(isAllowed && decisions.allowed == [Self.entry(1, "a")] && decisions.refused.isEmpty)
    decisions.refuse(Self.entry(1, "a"))
    #expect(decisions.allowed.isEmpty && decisions.refused == [Self.entry(1, "a")])
  }

  @Test func onlyWhatCouldNotBeSavedIsTakenBack() {
    var decisions = PortDecisions()
    decisions.refuse(Self.entry(1, "a"))
    decisions.refuse(Self.entry(3, "a"))
    let before = decisions
    for port in [1, 2, 3, 4] as [UInt16] { _ = Self.allow(&decisions, port, "a") }
    // The user has changed their mind since then.
    decisions.refuse(Self.entry(2, "a"))
    decisions.forget(3, team: nil)
    let undone = decisions.undo([1, 2, 3].map { Self.entry($0, "a") }, before)
    #expect(undone == [Self.entry(1, "a")] && decisions.allowed == [Self.entry(4, "a")])
    #expect(decisions.refused == [Self.entry(2, "a"), Self.entry(1, "a")])
    let again = decisions.undo([Self.entry(4, "a")], decisions)
    #expect(again.isEmpty && decisions.allowed == [Self.entry(4, "a")])
  }

  @Test func thereAreNotTooMany() {
    var decisions = PortDecisions()
    for port in 1...LocalPageLimits.decisions {
      let isAllowed = Self.allow(&decisions, UInt16(port), "a")
      #expect(isAllowed)
      decisions.refuse(Self.entry(UInt16(port), "b"))
    }
    let isOneMore = Self.allow(&decisions, 9999, "a")
    #expect(!isOneMore)
    // The user can be asked about the oldest again.
    decisions.refuse(Self.entry(9999, "b"))
    #expect(decisions.refused.count == LocalPageLimits.decisions)
    #expect(!decisions.refused.contains(Self.entry(1, "b")) && decisions.refused.last == Self.entry(9999, "b"))
  }

  @Test func everythingIsRemembered() throws {
    var memory = PortMemory()
    _ = Self.allow(&memory.decisions, 8000, "a")
    memory.decisions.refuse(Self.entry(3001, "a"))
    let host = memory.labels.host("Laptop", "ABCDEF")
    #expect(host == "laptop.localhost")
    let read = try #require(PortMemory(json: memory.json))
    #expect(read == memory)
    // As an earlier version wrote it.
    let old = try #require(PortMemory(json: ["allowed": [["port": 8000, "team": "a"]]]))
    #expect(old.decisions.allowed == [Self.entry(8000, "a")] && old.labels == MachineLabels())
  }

  @Test(
    arguments: [
      [], ["allowed": [["port": 0, "team": "a"]]], ["allowed": [["port": 65536, "team": "a"]]], ["allowed": 1],
      ["refused": [["port": 1]]], ["labels": [["label": "a.b", "device": "x"]]],
      ["labels": [["label": "A", "device": "x"]]],
      ["labels": [["label": "a"]]], ["labels": ["a"]],
      ["allowed": .array(Array(repeating: ["port": 1, "team": "a"], count: LocalPageLimits.decisions + 1))],
    ] as [JSON]
  )
  func aDamagedFileAllowsNothing(_ json: JSON) { #expect(PortMemory(json: json) == nil) }

  private static func host(_ name: String, _ device: String, _ labels: inout MachineLabels) -> String {
    labels.host(name, device)
  }

  private static func host(_ name: String, _ device: String = "AAAA") -> String {
    var labels = MachineLabels()
    return labels.host(name, device)
  }

  @Test func machinesHaveLabels() {
    #expect(Self.host("Laptop") == "laptop.localhost")
    #expect(Self.host("Anna’s große Büchse.lan") == "anna-s-gro-e-b-chse-lan.localhost")
    #expect(Self.host("--") == "machine.localhost" && Self.host("") == "machine.localhost")
    #expect(Self.host(String(repeating: "x-", count: 100)).utf8.count <= 63 + 10)
  }

  /// The browser's cookies and storage hang on the name.
  @Test func aNameNeverMeansAnotherMachine() throws {
    let devices = ["ABCDEF111111AAAA", "ABCDEF222222BBBB", "ABCDEF222222CCCC", "ABCDEF111111DDDD"]
    var labels = MachineLabels()
    let hosts = devices.map { Self.host("laptop", $0, &labels) }
    #expect(
      hosts == [
        "laptop.localhost", "laptop-abcdef.localhost", "laptop-abcdef222222.localhost",
        "laptop-abcdef111111.localhost",
      ]
    )
    var memory = PortMemory()
    memory.labels = labels
    var read = try #require(PortMemory(json: memory.json)).labels
    #expect(devices.reversed().map { Self.host("laptop", $0, &read) } == hosts.reversed() && read == labels)
    // A machine may be called as another one is.
    #expect(Self.host("laptop-abcdef", devices[0], &read) == "laptop-abcdef-abcdef.localhost")
    var long = MachineLabels()
    let name = String(repeating: "x", count: 100)
    _ = Self.host(name, "B", &long)
    #expect(Self.host(name, "ABCDEF", &long) == String(repeating: "x", count: 56) + "-abcdef.localhost")
  }

  @Test func whatIsNotRememberedIsNobodyElses() {
    var labels = MachineLabels()
    for number in 0..<LocalPageLimits.labels { _ = Self.host("m\(number)", "D\(number)", &labels) }
    let device = String(repeating: "ABCDEFGHIJ", count: 5) + "KL"
    #expect(Self.host("laptop", device, &labels) == "laptop-\(device.lowercased()).localhost")
    #expect(Self.host("m7", device, &labels) == "m7-\(device.lowercased()).localhost")
    #expect(Self.host("m7", "D7", &labels) == "m7.localhost" && !labels.isOfMachine("laptop.localhost"))
  }

  @Test func namesOfOtherMachinesAreKnown() {
    var labels = MachineLabels()
    _ = Self.host("laptop", "A", &labels)
    for host in ["laptop.localhost", "app.laptop.localhost", "a.b.laptop.localhost"] {
      #expect(labels.isOfMachine(host))
    }
    for host in [
      "localhost", "app.localhost", "laptop", "127.0.0.1", "laptop.example", "[::1]", "laptop.app.localhost",
    ] {
      #expect(!labels.isOfMachine(host))
    }
  }
}
