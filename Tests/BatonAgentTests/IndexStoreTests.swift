// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import Search
import Systemd
import TestSupport
import Testing

@testable import BatonAgent

/// The index on the disk, which opens while programs already ask for something.
@Suite(.isolated) struct IndexStoreTests {
  @Loop
  private func withStore(_ body: @Loop (IndexStore, String) async throws -> Void) async throws {
    let directory = try DaemonFixture.makeDirectory()
    let store = IndexStore(directory: "\(directory)/index", log: Log(level: .error))
    var failure: (any Error)?
    do { try await body(store, "\(directory)/index") } catch { failure = error }
    await withCheckedContinuation { continuation in store.close { continuation.resume() } }
    try FileManager.default.removeItem(atPath: directory)
    if let failure { throw failure }
  }

  @Loop
  private func titles(_ word: String, in store: IndexStore) async throws -> [String] {
    let words = try #require(SearchWords(word))
    return try await withCheckedThrowingContinuation { continuation in
      store.read { reader throws(IndexError) in
        try reader.search(words, limit: 10, now: 1).map(\.title)
      } completion: {
        continuation.resume(with: $0)
      }
    }
  }

  @Test @Loop func whoAsksFirstWaitsForTheIndex() async throws {
    try await withStore { store, _ in
      let found = try await titles("whale", in: store)
      #expect(found == [])
      #expect(!store.generation.isEmpty)
    }
  }

  @Test @Loop func aDamagedIndexIsMovedAsideOnce() async throws {
    try await withStore { store, directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let damaged = Data("This is not a database, but long enough for one.".utf8) + Data(repeating: 7, count: 5000)
      try damaged.write(to: URL(filePath: "\(directory)/search.db"))
      async let first = titles("whale", in: store)
      async let second = titles("whale", in: store)
      let found = try await [first, second]
      #expect(found == [[], []])
      #expect(try Data(contentsOf: URL(filePath: "\(directory)/search.db.damaged")) == damaged)
    }
  }
}
