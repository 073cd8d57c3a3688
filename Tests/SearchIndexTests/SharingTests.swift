// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import JSONCoding
import Search
import SeededGenerator
import TestSupport
import Testing

/// Machines that share what their users do, and meet in any order.
@Suite(.isolated) struct SharingTests {
  /// Machines, the sessions between them, and the time.
  private final class Network {
    let machines: [Machine]
    var now = ContinuousClock().now
    var date = 1_000_000.0
    var random: SeededGenerator
    /// What each machine's user shares: titles by identifiers, the oldest first.
    var shared: [[(identifier: String, title: String)]]
    var next = 0

    init(_ machines: [Machine], seed: UInt64) throws {
      for machine in machines { try machine.start() }
      self.machines = machines
      shared = machines.map { _ in [] }
      random = SeededGenerator(seed: seed)
    }

    func put(_ index: Int, _ identifier: String) throws {
      next += 1
      let title = "\(machines[index].name) \(identifier) \(next)"
      let entry = try activity(identifier, title) {
        $0.isEligibleForPublicIndexing = true
        $0.activity?.webpageURL = "https://example.org/\(identifier)"
        $0.contentDescription = String(repeating: "word ", count: Int.random(in: 0...60, using: &random))
      }
      try machines[index].index().put([entry], application: "app", now: date)
      shared[index].removeAll { $0.identifier == identifier }
      shared[index].append((identifier, title))
      try machines[index].announce(at: now)
    }

    func delete(_ index: Int, _ identifier: String) throws {
      try machines[index].index().delete(.activities([identifier]), application: "app")
      shared[index].removeAll { $0.identifier == identifier }
      try machines[index].announce(at: now)
    }

    /// A user deletes an entry of any machine on this one.
    func forget(_ index: Int, _ title: String) throws {
      guard let words = SearchWords(title) else { return }
      let reader = machines[index].fixture.reader()
      for found in try reader.search(words, limit: 20, now: date) where found.title == title {
        var forgotten = ForgottenEntries()
        forgotten.entry = EntryReference(found.reference)
        try machines[index].index().forget(forgotten)
      }
      try machines[index].announce(at: now)
    }

    func peers(_ left: Int, _ right: Int) -> [String] {
      machines[left].teams.intersection(machines[right].teams).sorted()
    }

    func connect(_ left: Int, _ right: Int) throws {
      for team in peers(left, right) {
        let (toLeft, toRight) = (peer(left, team), peer(right, team))
        if machines[left].sessions.contains(toRight) { continue }
        try machines[left].connect(toRight, at: now)
        try machines[right].connect(toLeft, at: now)
      }
    }

    func disconnect(_ left: Int, _ right: Int) throws {
      for team in peers(left, right) {
        try machines[left].disconnect(peer(right, team), at: now)
        try machines[right].disconnect(peer(left, team), at: now)
      }
    }

    func peer(_ index: Int, _ team: String) -> SharingPeer { SharingPeer(device: machines[index].name, team: team) }

    /// Delivers one message of any machine. Returns whether there was one.
    func deliver() throws -> Bool {
      guard let sender = machines.indices.filter({ !machines[$0].outbox.isEmpty }).randomElement(using: &random) else {
        return false
      }
      let (to, message) = machines[sender].outbox.removeFirst()
      let receiver = try #require(machines.firstIndex { $0.name == to.device })
      try machines[receiver].receive(message, from: peer(sender, to.team), at: now, date: date)
      return true
    }

    func pass(_ time: Duration) throws {
      now += time
      date += time / .seconds(1)
      for machine in machines { try machine.handle(.timePassed, at: now, date: date) }
    }

    /// All machines meet, and nothing happens, until nobody has anything to say.
    func settle() throws {
      for left in machines.indices { for right in machines.indices where left < right { try connect(left, right) } }
      var rounds = 0
      repeat {
        while try deliver() {}
        rounds += 1
        try pass(.seconds(20))
      } while rounds < 30
    }

    /// Whether each machine has exactly what the others share with it.
    func check() throws {
      for (index, machine) in machines.enumerated() {
        let own = shared[index].map(\.title).sorted()
        #expect(try machine.titles() == own, "\(machine.name)")
        for (other, otherMachine) in machines.enumerated() where other != index {
          for team in peers(index, other) {
            let isShared = machine.sharesWith.contains(team) && otherMachine.sharesWith.contains(team)
            let expected = isShared ? shared[other].suffix(12).map(\.title).sorted() : []
            let titles = try machine.titles(of: peer(other, team))
            #expect(
              titles == expected,
              "\(machine.name) of \(otherMachine.name) in \(team): \(titles), not \(expected)"
            )
          }
        }
      }
    }
  }

  @Test func whatIsSharedIsFoundElsewhereAndDeletedEverywhere() throws {
    let network = try Network([Machine("a", teams: ["t"]), Machine("b", teams: ["t"])], seed: 1)
    try network.put(0, "whale")
    try network.settle()
    try network.check()
    #expect(try network.machines[1].fixture.search("whale").count == 1)
    try network.disconnect(0, 1)
    try network.delete(0, "whale")
    #expect(try network.machines[1].fixture.search("whale").count == 1)
    try network.settle()
    try network.check()
  }

  @Test func whatIsDeletedOnAnotherMachineIsDeletedAtHome() throws {
    let machines = ["a", "b", "c"].map { Machine($0, teams: ["t"]) }
    let network = try Network(machines, seed: 1)
    try network.put(0, "whale")
    try network.settle()
    let title = network.shared[0][0].title
    // b deletes it while a is away, and tells c. Then a tells c what it has, and only then meets b.
    for other in [1, 2] { try network.disconnect(0, other) }
    try network.forget(1, title)
    network.shared[0] = []
    for _ in 0..<10 {
      while try network.deliver() {}
      try network.pass(.seconds(20))
    }
    #expect(try machines[2].titles(of: network.peer(0, "t")) == [])
    try machines[0].restart(at: network.now)
    try network.connect(0, 2)
    for _ in 0..<10 {
      while try network.deliver() {}
      try network.pass(.seconds(20))
    }
    #expect(try machines[2].titles(of: network.peer(0, "t")) == [])
    try network.settle()
    try network.check()
    #expect(try machines[0].titles() == [])
    // If the app makes it again, it is a new one.
    try network.put(0, "whale")
    try network.settle()
    try network.check()
  }

  @Test func aMachineThatDoesNotShareIsForgotten() throws {
    let machines = ["a", "b"].map { Machine($0, teams: ["t", "u"]) }
    let network = try Network(machines, seed: 1)
    try network.put(0, "whale")
    try network.settle()
    try network.check()
    machines[0].sharesWith = ["u"]
    try machines[0].restart(at: network.now)
    try machines[0].index().deleteForeign { machines[0].sharesWith.contains($0.team) }
    try machines[1].restart(at: network.now)
    try network.settle()
    try network.check()
    machines[0].sharesWith = ["t", "u"]
    try machines[0].restart(at: network.now)
    try machines[1].restart(at: network.now)
    try network.settle()
    try network.check()
  }

  @Test(arguments: seeds(0..<12)) func machinesAgreeInTheEnd(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let teams: [Set<String>] = [["t"], ["t", "u"], ["u"], ["t"]]
    let machines = zip(["a", "b", "c", "d"], teams).map { Machine($0, teams: $1) }
    let network = try Network(machines, seed: seed &+ 1000)
    for _ in 0..<Int.random(in: 20...120, using: &random) {
      let index = Int.random(in: 0..<machines.count, using: &random)
      let other = Int.random(in: 0..<machines.count, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6: try network.put(index, "entry\(Int.random(in: 0..<16, using: &random))")
      case 6..<8:
        if let entry = network.shared[index].randomElement(using: &random) {
          try network.delete(index, entry.identifier)
        }
      case 8..<10:
        // What is deleted elsewhere is deleted at home, unless it is made again before.
        for team in network.peers(index, other) where index != other {
          if let title = try machines[index].titles(of: network.peer(other, team)).randomElement(using: &random) {
            try network.forget(index, title)
            network.shared[other].removeAll { $0.title == title }
            // The home may make room for others or replace this one before it hears of that, so it hears now.
            try network.settle()
            try network.check()
          }
        }
      case 10..<12: if index != other { try network.connect(index, other) }
      case 12..<14: if index != other { try network.disconnect(index, other) }
      case 14: try machines[index].restart(at: network.now)
      case 15: try network.pass(.seconds(Int.random(in: 1...100, using: &random)))
      case 16:
        // The index is lost.
        if Int.random(in: 0..<6, using: &random) == 0 {
          try machines[index].index().recover(because: "test")
          network.shared[index] = []
          try machines[index].restart(at: network.now)
        }
      default: for _ in 0..<Int.random(in: 1...8, using: &random) { _ = try network.deliver() }
      }
    }
    try network.settle()
    try network.check()
  }
}
