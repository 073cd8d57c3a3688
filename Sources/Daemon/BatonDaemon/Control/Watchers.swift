// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import VarlinkServer

/// The clients that watch one kind of list. Each user has a separate share, so a user's watchers delay nobody else's
/// lists, however many they are and however little they read.
///
/// Changes are sent immediately while that costs little, and at an even pace after that. A peer that keeps changing
/// something must not keep this machine busy.
@Loop
final class Watchers {
  /// Includes users who have left, until their buckets are full again, so that connecting again gives nobody a new
  /// burst.
  private(set) var shares: [UserID: WatcherShare] = [:]
  /// How often the list has changed.
  private(set) var changes: UInt64 = 0
  private var timer: Timer?
  private var retryTimer: Timer?

  init() {
    timer = Timer { [weak self] in self?.takeTurn() }
    retryTimer = Timer { [weak self] in self?.retry() }
  }

  var isEmpty: Bool { shares.values.allSatisfy(\.isEmpty) }

  /// - Parameter watcher: A watcher that has the newest list. It is told of changes until its client goes away.
  func add(_ watcher: any ListWatcher, for exchange: AnyExchange) {
    add(watcher)
    exchange.onClosed = { [weak self, weak watcher] in
      if let watcher { self?.remove(watcher) }
    }
  }

  func add(_ watcher: any ListWatcher) {
    let now = Loop.now
    if shares[watcher.user] == nil { shares = shares.filter { !$0.value.isEmpty || !$0.value.isFull(at: now) } }
    let share = shares[watcher.user] ?? WatcherShare()
    shares[watcher.user] = share
    share.add(watcher)
  }

  func remove(_ watcher: any ListWatcher) { shares[watcher.user]?.remove(watcher) }

  /// Called when the list has changed.
  func changed() {
    changes &+= 1
    let idle = shares.values.filter { $0.changed() }
    guard !idle.isEmpty else { return }
    for share in idle { share.updateNext() }
    setTimers()
  }

  /// Updates one watcher of each user. Other work that waits for the loop comes before the next turn.
  private func takeTurn() {
    for share in shares.values { share.updateNext() }
    setTimers()
  }

  private func retry() {
    for share in shares.values { share.retry() }
    takeTurn()
  }

  private func setTimers() {
    let now = Loop.now
    timer?.set(shares.values.compactMap { $0.nextUpdate(at: now) }.min())
    if !shares.values.contains(where: \.hasUnread) {
      retryTimer?.set(nil)
    } else if retryTimer?.deadline == nil {
      retryTimer?.set(now + Limits.watcherRetryTime)
    }
  }
}
