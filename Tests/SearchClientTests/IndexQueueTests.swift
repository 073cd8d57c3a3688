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
import VarlinkClient
import VarlinkServer

/// Changes of an index that answers as the test wants.
@Suite(.isolated) struct IndexQueueTests {
  @Loop
  private final class Scene {
    let directory: String
    let queue: IndexQueue
    var index: FakeDaemon?
    var indexed: [String] = []
    var deletions = 0
    /// How the changes ended, in order.
    var results: [String] = []
    var failure: ControlFailure?

    init(isListening: Bool = true) throws {
      directory = try DaemonFixture.makeDirectory()
      queue = IndexQueue(path: "\(directory)/search.sock")
      if isListening { try listen() }
    }

    func listen() throws {
      let index = try FakeDaemon(path: "\(directory)/search.sock", removing: directory, .search)
      self.index = index
      index.on(IndexEntries.self) { [unowned self] parameters, exchange in
        if let failure = self.failure { return exchange.fail("io.baton.Search.Failed", failure.members) }
        self.indexed += parameters.entries.map(\.identifier)
        exchange.reply(IndexEntries.Reply())
      }
      index.on(DeleteEntries.self) { [unowned self] _, exchange in
        self.deletions += 1
        exchange.reply(Deleted(deleted: 0))
      }
    }

    func index(_ identifier: String, waits: Bool = true) {
      let parameters = IndexEntries.Parameters(application: "app", entries: [SavedEntry(identifier: identifier)])
      guard waits else { return queue.add(.index(parameters)) }
      queue.add(.index(parameters)) { self.ended(identifier, $0) }
    }

    func delete() {
      queue.add(.delete(DeleteEntries.Parameters(application: "app"))) { self.ended("deletion", $0) }
    }

    private func ended(_ name: String, _ result: Result<Void, ControlError>) {
      switch result {
      case .success: results.append(name)
      case .failure(.failed(let failure)): results.append("\(name): \(failure.reason)")
      case .failure(.searchNotRunning): results.append("\(name): nobody")
      case .failure(let error): results.append("\(name): \(error)")
      }
    }

    func stop() {
      index?.close()
      try? FileManager.default.removeItem(atPath: directory)
    }
  }

  @Test func changesAreMadeInOrder() throws {
    let scene = try onLoop { try Scene() }
    try onLoop {
      for number in 0..<20 { scene.index("\(number)") }
      scene.delete()
      scene.index("after")
    }
    try waitUntil("All are made") { try onLoop { scene.results.count == 22 } }
    try onLoop {
      #expect(scene.indexed == (0..<20).map { "\($0)" } + ["after"])
      #expect(scene.results == (0..<20).map { "\($0)" } + ["deletion", "after"])
      scene.stop()
    }
  }

  @Test func changesWaitForAnIndex() throws {
    let scene = try onLoop { try Scene(isListening: false) }
    try onLoop { scene.index("early") }
    try onLoop { try scene.listen() }
    try waitUntil("It is made") { try onLoop { scene.results == ["early"] } }
    try onLoop { scene.stop() }
  }

  @Test func withoutAnIndexNobodyWaitsAndTheChangeIsMadeLater() throws {
    let scene = try onLoop { try Scene(isListening: false) }
    let deletion = IndexChange.delete(DeleteEntries.Parameters(application: "app"))
    try onLoop {
      scene.queue.add(deletion, finally: { scene.results.append("first") })
      #expect(scene.results == ["first"])
      try scene.listen()
      scene.queue.add(deletion, finally: { scene.results.append("second") })
      #expect(scene.results == ["first"], "It waits for an index that is there")
    }
    try waitUntil("Both are made") { try onLoop { scene.results == ["first", "second"] } }
    try onLoop {
      #expect(scene.deletions == 2)
      scene.stop()
    }
  }

  @Test func whoWaitsLearnsThatThereIsNoIndexAndDonationsWaitLonger() throws {
    let clock = try ManualClock.install()
    let scene = try onLoop { try Scene(isListening: false) }
    try onLoop {
      scene.index("donation", waits: false)
      scene.index("call")
      scene.queue.add(.delete(DeleteEntries.Parameters(application: "app")))
    }
    // The first donation holds up the others until its own time is over.
    try onLoop { clock.advance(by: IndexQueue.indexCallTime + .seconds(1)) }
    try waitUntil("The call ended") { try onLoop { scene.results == ["call: nobody"] } }
    try onLoop {
      #expect(scene.queue.count == 2)
      clock.advance(by: IndexQueue.donationTime)
    }
    try waitUntil("The donations were given up") { try onLoop { scene.queue.count == 0 } }
    try onLoop { scene.stop() }
  }

  @Test func aChangeThatIsRefusedDoesNotStopTheOthers() throws {
    let scene = try onLoop { try Scene() }
    try onLoop {
      scene.failure = ControlFailure(.limitReached)
      scene.index("refused")
      scene.delete()
    }
    try waitUntil("Both ended") { try onLoop { scene.results == ["refused: limitReached", "deletion"] } }
    try onLoop { scene.stop() }
  }

  @Test func theOldestDonationIsDroppedIfThereAreTooMany() throws {
    let scene = try onLoop { try Scene(isListening: false) }
    try onLoop {
      scene.index("first")
      for number in 0..<IndexQueue.waitingIndexChanges { scene.index("\(number)", waits: false) }
      #expect(scene.queue.count == IndexQueue.waitingIndexChanges)
      #expect(scene.results.isEmpty)
      try scene.listen()
    }
    try waitUntil("All are made") { try onLoop { scene.queue.count == 0 } }
    try onLoop {
      #expect(scene.indexed.first == "first" && !scene.indexed.contains("0") && scene.indexed.contains("1"))
      scene.stop()
    }
  }
}
