// SPDX-License-Identifier: Apache-2.0

import Foundation

extension CSSearchQuery {
  /// The items that a query finds, as an asynchronous sequence.
  public struct Results: AsyncSequence, Sendable {
    /// One item that was found.
    public struct Item: Sendable {
      /// The item.
      public let item: CSSearchableItem
    }

    /// Iterates over the items.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: AsyncThrowingStream<Item, any Error>.Iterator

      /// Returns the next item; nil at the end.
      ///
      /// - Throws: ``CSSearchQueryError``.
      public mutating func next() async throws -> Item? { try await base.next() }
    }

    let query: CSSearchQuery

    /// Starts the query.
    public func makeAsyncIterator() -> AsyncIterator {
      let query = query
      let stream = AsyncThrowingStream<Item, any Error> { continuation in
        query.foundItemsHandler = { for item in $0 { continuation.yield(Item(item: item)) } }
        query.completionHandler = { continuation.finish(throwing: $0) }
        continuation.onTermination = { if case .cancelled = $0 { query.cancel() } }
        query.start()
      }
      return AsyncIterator(base: stream.makeAsyncIterator())
    }
  }

  /// The items that the query finds. Don't use its handlers at the same time.
  public var results: Results { Results(query: self) }
}
