// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop

/// One user's watchers of one kind of list, and the entries that they may cost.
@Loop
final class WatcherShare {
  /// The rate of entries that one user's watchers of one kind of list get, at about 5 µs each. A list itself counts as
  /// one more.
  nonisolated static let watcherEntryRate = TokenBucket.Rate(perSecond: 20_000, burst: 10_000)
  /// The maximum number of one user's clients that are tried at a time. Trying them takes an eighth of
  /// `watcherEntryRate`.
  private static let watcherRetries = 128

  private var bucket = TokenBucket(WatcherShare.watcherEntryRate, at: Loop.now)
  /// Those that have the newest list.
  private var told: [any ListWatcher] = []
  /// Those that do not. The one that has waited longest is the first.
  private var waiting: [any ListWatcher] = []
  /// Those that do not, because their clients have not read the previous list. The one to try next is the first.
  private var unread: [any ListWatcher] = []

  var isEmpty: Bool { told.isEmpty && waiting.isEmpty && unread.isEmpty }
  var hasUnread: Bool { !unread.isEmpty }

  func isFull(at now: ContinuousClock.Instant) -> Bool { bucket.isFull(at: now) }

  func add(_ watcher: any ListWatcher) { told.append(watcher) }

  func remove(_ watcher: any ListWatcher) {
    told.removeAll { $0 === watcher }
    waiting.removeAll { $0 === watcher }
    unread.removeAll { $0 === watcher }
  }

  /// Called when the list has changed.
  ///
  /// - Returns: Whether watchers wait from now on and none did before.
  func changed() -> Bool {
    guard !told.isEmpty else { return false }
    let isFirst = waiting.isEmpty
    waiting += told
    told = []
    return isFirst
  }

  /// When the next watcher may be updated; nil if none waits.
  func nextUpdate(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    waiting.isEmpty ? nil : bucket.ready(at: now)
  }

  /// Updates the watcher that has waited longest, if the bucket allows that.
  func updateNext() {
    let now = Loop.now
    guard let next = nextUpdate(at: now), next <= now else { return }
    while !waiting.isEmpty {
      let watcher = waiting.removeFirst()
      guard watcher.isBehind else {
        told.append(watcher)
        return bucket.charge(Double(watcher.update()), at: now)
      }
      bucket.charge(1, at: now)
      unread.append(watcher)
    }
  }

  /// Lets watchers wait for their turn again if their clients have read the previous list by now. Tries at most
  /// `watcherRetries` at a time. This leaves most of the bucket to clients that do read, even for root, who can
  /// have more watchers than other users.
  func retry() {
    for _ in 0..<min(unread.count, Self.watcherRetries) {
      let watcher = unread.removeFirst()
      bucket.charge(1, at: Loop.now)
      if watcher.isBehind { unread.append(watcher) } else { waiting.append(watcher) }
    }
  }
}
