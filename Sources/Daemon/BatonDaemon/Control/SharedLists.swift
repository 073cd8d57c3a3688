// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Varlink
import VarlinkServer

/// The maximum number of different lists of one kind that are kept for those who watch them, of all users. One that
/// is not kept is made again for each of its watchers.
private let sharedLists = 64

/// The lists of one kind that clients watch. Each is made and encoded once for all who see the same, however many they
/// are.
@Loop
final class SharedLists<View: Hashable, M: Method> where M.Reply: Equatable {
  let watchers: Watchers
  private let make: @Loop (View) -> (M.Reply, cost: Int)
  private var lists = RecentTable<View, List>(limit: sharedLists)

  private struct List {
    let reply: SharedReply<M>
    /// How many entries were looked at for it.
    let cost: Int
    /// The watchers' number of changes when it was made.
    let changes: UInt64
  }

  /// How many entries can be sent in the time that it takes to make one.
  private static var entriesSent: Int { 16 }

  /// - Parameter make: Returns what a client sees now, and how many entries that cost.
  init(_ watchers: Watchers, make: @escaping @Loop (View) -> (M.Reply, cost: Int)) {
    self.watchers = watchers
    self.make = make
  }

  /// Gives a client the list, and, if it wants more, each later one.
  func watch(_ exchange: Exchange<M>, _ view: View) {
    let watcher = SharedListWatcher(exchange, view, self)
    watcher.update()
    if !exchange.isFinished { watchers.add(watcher, for: exchange) }
  }

  /// - Parameter isFirst: Whether the client gets its first list. That one is always made anew.
  /// - Returns: The same object as long as the list is the same, and how many entries it cost.
  fileprivate func list(_ view: View, isFirst: Bool) -> (SharedReply<M>, cost: Int) {
    let earlier = lists[view]
    if !isFirst, let earlier, earlier.changes == watchers.changes {
      return (earlier.reply, 1 + earlier.cost / Self.entriesSent)
    }
    let (content, cost) = make(view)
    let reply = earlier.flatMap { $0.reply.content == content ? $0.reply : nil } ?? SharedReply(content)
    lists[view] = List(reply: reply, cost: cost, changes: watchers.changes)
    return (reply, 1 + cost)
  }
}

/// A client that watches a list.
@Loop
private final class SharedListWatcher<View: Hashable, M: Method>: ListWatcher where M.Reply: Equatable {
  private let exchange: Exchange<M>
  private let view: View
  private let lists: SharedLists<View, M>
  private var last: SharedReply<M>?

  init(_ exchange: Exchange<M>, _ view: View, _ lists: SharedLists<View, M>) {
    self.exchange = exchange
    self.view = view
    self.lists = lists
  }

  var user: UserID { exchange.user }
  var isBehind: Bool { exchange.isBehind }

  @discardableResult
  func update() -> Int {
    let (list, cost) = lists.list(view, isFirst: last == nil)
    if list !== last {
      last = list
      exchange.replyContinuing(list)
    }
    return cost
  }
}
