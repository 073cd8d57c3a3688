// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import Search
import Synchronization
import TestSupport
import Testing
import UniformTypeIdentifiers
import Varlink
import VarlinkServer

@testable import CoreSpotlight

/// An app's index, with a service that answers as the test wants.
@Suite(.isolated) struct SearchableIndexTests {
  @Loop
  private final class Scene {
    let service: FakeDaemon
    let index: CSSearchableIndex
    var calls: [String] = []
    var failure: ControlFailure?
    var isNew = false

    init() throws {
      service = try FakeDaemon(.search)
      index = CSSearchableIndex(name: "books", socket: service.path)
      service.on(IndexEntries.self) { [unowned self] parameters, exchange in
        self.calls.append(
          "index \(parameters.entries.map(\.identifier).joined(separator: " ")) in \(parameters.index ?? "")"
        )
        if let failure = self.failure { return exchange.fail("io.baton.Search.Failed", failure.members) }
        exchange.reply(IndexEntries.Reply())
      }
      service.on(DeleteEntries.self) { [unowned self] parameters, exchange in
        let names = parameters.identifiers ?? parameters.domainIdentifiers ?? []
        self.calls.append(parameters.allItems == true ? "delete all" : "delete \(names.joined(separator: " "))")
        exchange.reply(Deleted(deleted: 0))
      }
      service.on(SetClientState.self) { [unowned self] parameters, exchange in
        self.calls.append("state \(parameters.clientState ?? "")")
        exchange.reply(SetClientState.Reply())
      }
      service.on(GetClientState.self) { [unowned self] _, exchange in
        exchange.reply(GetClientState.Reply(clientState: "AQID", isNew: self.isNew))
      }
    }

    func stop() { service.close() }
  }

  private func item(_ identifier: String) -> CSSearchableItem {
    CSSearchableItem(
      uniqueIdentifier: identifier,
      domainIdentifier: nil,
      attributeSet: CSSearchableItemAttributeSet(contentType: .text)
    )
  }

  @Test func itemsAreIndexedAndDeletedInOrder() async throws {
    let scene = try onLoop { try Scene() }
    let index = try onLoop { scene.index }
    try await index.indexSearchableItems([item("a"), item("b")])
    try await index.deleteSearchableItems(withIdentifiers: ["a"])
    try await index.deleteSearchableItems(withDomainIdentifiers: ["x.y"])
    try await index.deleteAllSearchableItems()
    #expect(await scene.calls == ["index a b in books", "delete a", "delete x.y", "delete all"])
    try onLoop { scene.stop() }
  }

  @Test func aBatchIsMadeAtItsEndWithItsState() async throws {
    let scene = try onLoop { try Scene() }
    let index = try onLoop { scene.index }
    index.beginBatch()
    try await index.indexSearchableItems([item("a")])
    try await index.deleteSearchableItems(withIdentifiers: ["b"])
    #expect(await scene.calls.isEmpty)
    try await index.endBatch(withClientState: Data([1, 2, 3]))
    #expect(await scene.calls == ["index a in books", "delete b", "state AQID"])
    #expect(try await index.fetchLastClientState() == Data([1, 2, 3]))
    index.beginBatch()
    await #expect(throws: CSIndexError.self) { try await index.endBatch(withClientState: Data(count: 251)) }
    try onLoop { scene.stop() }
  }

  @Test func whatTheIndexRefusesIsAnErrorOfCoreSpotlight() async throws {
    let scene = try onLoop { try Scene() }
    try onLoop { scene.failure = ControlFailure(.limitReached, message: "It is full.") }
    let index = try onLoop { scene.index }
    let error = await #expect(throws: CSIndexError.self) { try await index.indexSearchableItems([item("a")]) }
    #expect(error?.code == .quotaExceeded && error?.localizedDescription == "It is full.")
    #expect((error as NSError?)?.domain == CSIndexErrorDomain && (error as NSError?)?.code == -1004)
    let long = CSSearchableItemAttributeSet(contentType: .text)
    let empty = CSSearchableItem(uniqueIdentifier: "", domainIdentifier: nil, attributeSet: long)
    let invalid = await #expect(throws: CSIndexError.self) { try await index.indexSearchableItems([empty]) }
    #expect(invalid?.code == .invalidItemError)
    try onLoop { scene.stop() }
  }

  @Test func indexingIsAvailableWhileThereIsASocket() async {
    await #expect(processExitsWith: .success) {
      setenv("BATON_SEARCH_SOCKET", "/nonexistent/search.sock", 1)
      #expect(!CSSearchableIndex.isIndexingAvailable())
      let service = try await Task { @Loop in try FakeDaemon(.search) }.value
      setenv("BATON_SEARCH_SOCKET", await service.path, 1)
      #expect(CSSearchableIndex.isIndexingAvailable())
    }
  }

  private final class Delegate: NSObject, CSSearchableIndexDelegate {
    let asked = Mutex(0)

    func searchableIndex(
      _ searchableIndex: CSSearchableIndex,
      reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void
    ) {
      asked.withLock { $0 += 1 }
      acknowledgementHandler()
    }

    func searchableIndex(
      _ searchableIndex: CSSearchableIndex,
      reindexSearchableItemsWithIdentifiers identifiers: [String],
      acknowledgementHandler: @escaping () -> Void
    ) {}
  }

  @Test func anAppIsAskedToIndexAgainIfTheIndexHasNothingOfIt() throws {
    let scene = try onLoop { try Scene() }
    let delegate = Delegate()
    try onLoop {
      scene.isNew = true
      scene.index.indexDelegate = delegate
    }
    try waitUntil("It acknowledged") { try onLoop { scene.calls == ["state "] } }
    #expect(delegate.asked.withLock { $0 } == 1)
    try onLoop { scene.stop() }
  }
}

/// Queries, with a service that answers as the test wants.
@Suite(.isolated) struct SearchQueryTests {
  @Loop
  private final class Scene {
    let service: FakeDaemon
    var expressions: [String] = []
    var held: Exchange<QueryItems>?

    init(holds: Bool = false) throws {
      service = try FakeDaemon(.search)
      service.on(QueryItems.self) { [unowned self] parameters, exchange in
        self.expressions.append(parameters.expression)
        if parameters.expression.contains("wrong") {
          return exchange.fail("io.baton.Search.Failed", ControlFailure(.expressionInvalid).members)
        }
        exchange.replyContinuing(QueryItems.Reply(entries: [SavedEntry(identifier: "a"), SavedEntry(identifier: "b")]))
        if holds {
          self.held = exchange
          return exchange.stayOpen()
        }
        exchange.replyContinuing(QueryItems.Reply(entries: [SavedEntry(identifier: "c")]))
        exchange.reply(QueryItems.Reply(entries: []))
      }
    }

    func stop() {
      held = nil
      service.close()
    }
  }

  private func query(_ text: String, _ scene: Scene, filters: [String] = []) throws -> CSSearchQuery {
    let context = CSSearchQueryContext()
    context.filterQueries = filters
    let query = CSSearchQuery(queryString: text, queryContext: context)
    query.socket = try onLoop { scene.service.path }
    return query
  }

  @Test func itemsArriveInGroupsAndThenTheEnd() throws {
    let scene = try onLoop { try Scene() }
    let query = try query("title == \"a*\"", scene, filters: ["kind == \"x\""])
    let seen = Mutex<[String]>([])
    query.foundItemsHandler = { items in seen.withLock { $0 += items.map(\.uniqueIdentifier) } }
    query.completionHandler = { error in seen.withLock { $0.append(error == nil ? "end" : "error") } }
    query.start()
    query.start()
    try waitUntil("It ends") { seen.withLock { $0.last == "end" } }
    #expect(seen.withLock { $0 } == ["a", "b", "c", "end"])
    #expect(query.foundItemCount == 3)
    try onLoop {
      #expect(scene.expressions == ["(title == \"a*\") && (kind == \"x\")"])
      scene.stop()
    }
  }

  @Test func aQueryThatIsCancelledEndsOnce() throws {
    let scene = try onLoop { try Scene(holds: true) }
    let query = try query("title == \"a\"", scene)
    let seen = Mutex<[String]>([])
    query.foundItemsHandler = { items in seen.withLock { $0.append("\(items.count)") } }
    query.completionHandler = { error in seen.withLock { $0.append("\((error as? CSSearchQueryError)?.code as Any)") } }
    query.start()
    try waitUntil("Items arrive") { seen.withLock { $0 == ["2"] } }
    query.cancel()
    query.cancel()
    try waitUntil("It ends") { seen.withLock { $0.count == 2 } }
    #expect(seen.withLock { $0.last }?.contains("cancelled") == true && query.isCancelled)
    try onLoop { scene.stop() }
  }

  @Test func aQueryThatIsCancelledBeforeItBeginsIsNotMade() throws {
    let scene = try onLoop { try Scene() }
    let early = try query("early", scene)
    let ends = Mutex(0)
    early.completionHandler = { _ in ends.withLock { $0 += 1 } }
    // The loop is busy with this, so the call cannot begin in between.
    try onLoop {
      early.start()
      early.cancel()
    }
    let later = try query("later", scene)
    later.completionHandler = { _ in ends.withLock { $0 += 1 } }
    later.start()
    try waitUntil("Both end") { ends.withLock { $0 == 2 } }
    try onLoop {
      #expect(scene.expressions == ["later"])
      scene.stop()
    }
  }

  @Test func resultsAreASequence() async throws {
    let scene = try onLoop { try Scene() }
    var found: [String] = []
    for try await result in try query("title == \"a\"", scene).results { found.append(result.item.uniqueIdentifier) }
    #expect(found == ["a", "b", "c"])
    let wrong = try query("wrong", scene)
    let error = await #expect(throws: CSSearchQueryError.self) { for try await _ in wrong.results {} }
    #expect(error?.code == .invalidQuery)
    try onLoop { scene.stop() }
  }
}
