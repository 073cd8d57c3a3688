// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import Glibc
import JSONCoding
import Search
import Systemd
import TestSupport
import Testing
import Varlink
import VarlinkClient
import VarlinkServer

@testable import BatonAgent

/// Queries of apps, with an index on the disk and clients on a socket.
@Suite(.isolated) struct ItemQueryTests {
  @Loop
  private final class Scene {
    let service: SearchService
    private let directory: String
    private let server: FakeDaemon
    private let store: IndexStore
    /// The last query's call. Nobody holds it when the query has ended.
    weak var exchange: Exchange<QueryItems>?

    init() throws {
      let (log, environment) = (Log(level: .error), ProcessEnvironment([:]))
      directory = try DaemonFixture.makeDirectory()
      store = IndexStore(directory: "\(directory)/index", log: log)
      service = SearchService(
        store,
        ResultOpener(socket: "\(directory)/nowhere"),
        InstalledApplications(environment, log: log),
        log: log
      )
      server = try FakeDaemon(path: "\(directory)/search.sock", .search)
      server.on(QueryItems.self) { [unowned self] parameters, exchange in
        self.exchange = exchange
        service.query(parameters, exchange)
      }
    }

    var path: String { server.path }

    func put(_ entries: [SavedEntry], in index: String? = nil, of application: String = "a") async throws {
      for start in stride(from: 0, to: entries.count, by: 1000) {
        let part = Array(entries[start..<min(start + 1000, entries.count)])
        let parameters = IndexEntries.Parameters(application: application, index: index, entries: part)
        try await withCheckedThrowingContinuation { continuation in
          service.put(parameters) { continuation.resume(with: $0) }
        }
      }
    }

    /// Waits until the index has done what it was asked for until now.
    func settle() async {
      await withCheckedContinuation { continuation in
        store.read { _ in
        } completion: { _ in
          continuation.resume()
        }
      }
    }

    func stop() async {
      await withCheckedContinuation { continuation in server.close { continuation.resume() } }
      service.stop()
      await withCheckedContinuation { continuation in store.close { continuation.resume() } }
      try? FileManager.default.removeItem(atPath: directory)
    }

    /// Calls, and returns the replies or the error.
    func replies(
      to expression: String,
      in index: String? = nil,
      of application: String = "a",
      mode: Call.Mode = .more
    ) async throws -> Result<[[String]], ControlError> {
      let parameters = QueryItems.Parameters(application: application, index: index, expression: expression)
      var replies: [[String]] = []
      var call: ControlCall<QueryItems>?
      defer { call?.cancel() }
      return try await withCheckedThrowingContinuation { continuation in
        do {
          call = try ControlCall(QueryItems.self, parameters, mode: mode, path: path, isPatient: true) { result in
            switch result {
            case .success(let reply):
              replies.append(reply.entries.map(\.identifier))
              if mode == .single || reply.entries.isEmpty { continuation.resume(returning: .success(replies)) }
            case .failure(let error): continuation.resume(returning: .failure(error))
            }
          }
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  private func withScene(_ body: (Scene) async throws -> Void) async throws {
    let scene = try await Scene()
    do { try await body(scene) } catch {
      await scene.stop()
      throw error
    }
    await scene.stop()
  }

  private func items(_ range: Range<Int>, text: String? = nil) -> [SavedEntry] {
    range.map { number in
      var entry = SavedEntry(identifier: String("\(100_000 + number)".dropFirst()))
      entry.title = "Item \(number)"
      entry.textContent = text
      entry.attributes = ["number": .integer(Int64(number))]
      return entry
    }
  }

  @Test func allItemsThatMatchArriveOnceAndInGroups() async throws {
    try await withScene { scene in
      try await scene.put(items(0..<10_000))
      let all = try await scene.replies(to: "title == \"item*\"c").get()
      #expect(all.joined().sorted() == items(0..<10_000).map(\.identifier))
      #expect(all.last == [] && all.dropLast().allSatisfy { (1...ItemQuery.entriesPerReply).contains($0.count) })
      let some = try await scene.replies(to: "InRange(number, 4990, 5009) && title != \"*7\"").get()
      #expect(some.joined().sorted() == (4990...5009).filter { $0 % 10 != 7 }.map { "0\($0)" })
      #expect(try await scene.replies(to: "number < 0").get() == [[]])
    }
  }

  @Test func onlyTheItemsOfTheAppAndItsIndexAreFound() async throws {
    try await withScene { scene in
      var activity = SavedEntry(identifier: "activity")
      activity.activity = try ActivityRecord(id: .random(), activityType: "org.example.reading")
      try await scene.put(items(0..<2) + [activity])
      try await scene.put(items(2..<4), in: "books")
      try await scene.put(items(4..<6), of: "b")
      #expect(try await scene.replies(to: "** == *").get() == [["00000", "00001", "00002", "00003"], []])
      #expect(try await scene.replies(to: "** == *", in: "books").get() == [["00002", "00003"], []])
      #expect(try await scene.replies(to: "** == *", of: "b").get() == [["00004", "00005"], []])
      #expect(try await scene.replies(to: "** == *", of: "c").get() == [[]])
    }
  }

  @Test func aQueryThatIsWrongSaysWhere() async throws {
    try await withScene { scene in
      guard case .failure(.failed(let failure)) = try await scene.replies(to: "title == \"a\" &") else {
        Issue.record("It did not fail")
        return
      }
      #expect(failure.reason == .expressionInvalid)
      #expect(failure.message == "The query isn't valid: expected && or || at byte 13.")
    }
  }

  @Test func withoutMoreTheReplyIsOneMessage() async throws {
    try await withScene { scene in
      try await scene.put(items(0..<100))
      #expect(try await scene.replies(to: "number >= 30", mode: .single).get().map(\.count) == [70])
      #expect(try await scene.replies(to: "number < 0", mode: .single).get() == [[]])
      // Three of these are more than a message.
      try await scene.put(items(0..<100, text: String(repeating: "x", count: Limits.entryTextLength)))
      #expect(try await scene.replies(to: "title == *", mode: .single).get() == [["00000", "00001", "00002"]])
    }
  }

  @Test func aClientThatReadsLateGetsEverything() async throws {
    try await withScene { scene in
      // This is several times what may wait for a client.
      try await scene.put(items(0..<10_000, text: String(repeating: "x", count: 500)))
      let client = try Client(await scene.path, "title == *")
      defer { client.close() }
      // If the query did not wait for its client, it would end in the meantime.
      for _ in 0..<400 { await scene.settle() }
      #expect(await scene.exchange != nil)
      let messages = try await client.readToEnd()
      let found = try messages.map { try #require(JSON(parsing: Array($0), depth: 16).object) }
      let entries = found.flatMap { $0["parameters"]?.object?["entries"]?.array ?? [] }
      #expect(entries.count == 10_000 && Set(entries.compactMap { $0.object?["identifier"]?.string }).count == 10_000)
      #expect(found.dropLast().allSatisfy { $0["continues"] == true } && found.last?["continues"] == nil)
      #expect(messages.allSatisfy { $0.count <= Limits.varlinkMessageLength })
    }
  }

  @Test func aQueryEndsWithItsClient() async throws {
    try await withScene { scene in
      try await scene.put(items(0..<10_000, text: String(repeating: "x", count: 500)))
      // One client goes while its query waits for it, and another one while the query reads.
      for settled in [100, 1] {
        let client = try Client(await scene.path, "title == *")
        try await eventually("the query") { scene.exchange != nil }
        for _ in 0..<settled { await scene.settle() }
        #expect(await scene.exchange != nil)
        client.close()
        try await eventually("the end") { scene.exchange == nil }
      }
    }
  }
}

/// A client that asks, and reads when the test wants.
private final class Client: Sendable {
  private let descriptor: Int32

  init(_ path: String, _ expression: String) throws {
    descriptor = try Sockets.connect(path: path)
    let parameters = QueryItems.Parameters(application: "a", expression: expression)
    let call = Call(method: QueryItems.name, parameters: parameters.members, mode: .more).bytes + [0]
    guard call.withUnsafeBytes({ send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) == call.count else {
      throw TestFailure("The call was not sent")
    }
  }

  func close() { _ = Glibc.close(descriptor) }

  /// Returns the replies, of which the last one does not continue.
  func readToEnd() async throws -> [ArraySlice<UInt8>] {
    var messages: [ArraySlice<UInt8>] = []
    var rest: [UInt8] = []
    var deadline = ContinuousClock.now + patience
    while true {
      let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
        count = max(recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)), 0)
      }
      guard !bytes.isEmpty else {
        guard .now < deadline else { throw TestFailure("\(messages.count) replies came") }
        try await Task.sleep(for: .milliseconds(1))
        continue
      }
      deadline = .now + patience
      rest += bytes
      while let end = rest.firstIndex(of: 0) {
        messages.append(rest[..<end])
        let isLast = try JSON(parsing: Array(rest[..<end]), depth: 16).object?["continues"] != true
        if isLast { return messages }
        rest.removeFirst(end + 1)
      }
    }
  }
}

private func eventually(_ what: String, _ condition: @Loop () -> Bool) async throws {
  let deadline = ContinuousClock.now + patience
  while await !condition() {
    guard .now < deadline else { throw TestFailure(what) }
    await Task.yield()
  }
}
