// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Search
import Varlink
import VarlinkServer

/// A query that runs. It reads some items, gives those that match to its client, and goes on when the client has read
/// them. It holds nothing of the index in between, and ends with its client.
@Loop
final class ItemQuery {
  /// The number of entries in one reply of a query.
  nonisolated static let entriesPerReply = 64

  private let parameters: QueryItems.Parameters
  private let matcher: SearchMatcher
  private let store: IndexStore
  private let exchange: Exchange<QueryItems>
  private var replies: QueryReplies
  /// Nil at the beginning.
  private var cursor: ItemCursor?
  private var isComplete = false

  init(
    _ parameters: QueryItems.Parameters,
    _ matcher: SearchMatcher,
    _ store: IndexStore,
    _ exchange: Exchange<QueryItems>
  ) {
    self.parameters = parameters
    self.matcher = matcher
    self.store = store
    self.exchange = exchange
    replies = QueryReplies(limit: exchange.mode == .more ? Self.entriesPerReply : .max)
  }

  /// Does what can be done now.
  func advance() {
    // Nobody gets the reply to a call without one.
    guard !exchange.hasClientLeft, exchange.mode != .oneway else { return end([]) }
    guard exchange.mode == .more else {
      if isComplete || replies.count > 1 { return end(replies.next() ?? []) }
      return read()
    }
    while !exchange.isBehind, let entries = replies.next() {
      exchange.replyContinuing(QueryItems.Reply(entries: entries))
    }
    if exchange.isBehind {
      exchange.whenRead { self.advance() }
    } else if isComplete {
      end([])
    } else {
      read()
    }
  }

  private func end(_ entries: [SavedEntry]) { exchange.reply(QueryItems.Reply(entries: entries)) }

  private func read() {
    let (parameters, matcher, cursor, replies, now) = (parameters, matcher, cursor, replies, Loop.clock.date)
    store.read { reader throws(IndexError) in
      let page = try reader.items(
        of: parameters.application,
        index: parameters.index,
        after: cursor,
        limit: Self.entriesPerReply,
        now: now
      )
      var filled = replies
      for entry in page.entries where matcher.matches(entry) { filled.add(entry) }
      return (replies: filled, next: page.next)
    } completion: { result in
      switch result {
      case .success(let page):
        self.replies = page.replies
        self.cursor = page.next
        self.isComplete = page.next == nil
        self.advance()
      case .failure(let error): self.exchange.fail(SearchFailure.of(error))
      }
    }
  }
}
