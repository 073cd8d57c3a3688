// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop

/// Keeps the index in order: checks it, deletes what has expired, and overwrites what was replaced or deleted.
@Loop
final class IndexUpkeep {
  private let store: IndexStore
  /// Called when entries have changed.
  var onChange: (@Loop () -> Void)?
  private var eraseTimer: Timer?
  private var expiryTimer: Timer?
  private var isStarted = false

  init(_ store: IndexStore) {
    self.store = store
    eraseTimer = Timer { [weak self] in self?.erase() }
    expiryTimer = Timer { [weak self] in self?.expire() }
  }

  func start() {
    isStarted = true
    expire()
    check()
    // An earlier agent may not have come to it.
    changed()
  }

  func stop() {
    isStarted = false
    eraseTimer?.set(nil)
    expiryTimer?.set(nil)
  }

  /// Checks the index, one part after another, between the calls of others.
  private func check() {
    guard isStarted else { return }
    store.write { index throws(IndexError) in
      try index.checkNext()
    } completion: { [weak self] result in
      if case .success(true) = result { self?.check() }
    }
  }

  private func erase() {
    store.write { index throws(IndexError) in
      try index.eraseReplaced()
    } completion: { [weak self] result in
      guard let self, case .failure(let error) = result else { return }
      // A program that reads the file keeps it from being overwritten. Anything else may last.
      let pause = error == .inUse ? Limits.erasingRetryTime : Limits.replacedTextTime
      self.eraseTimer?.set(Loop.now + pause)
    }
  }

  private func expire() {
    let now = Loop.clock.date
    // A machine without a battery for its clock starts in 1970.
    guard now >= Limits.earliestTime else {
      expiryTimer?.set(Loop.now + Limits.expiryInterval)
      return
    }
    store.write { index throws(IndexError) in
      (count: try index.expire(now: now), next: try index.nextExpiry)
    } completion: { [weak self] result in
      guard let self else { return }
      if case .success((let count, _)) = result, count > 0 { self.changed() }
      self.expireNext((try? result.get())?.next)
    }
  }

  /// Looks for expired entries when the next one expires, and from time to time, because the clock may change.
  func expireNext(_ date: Double?) {
    let longest = Limits.expiryInterval / .seconds(1)
    let seconds = date.map { min(max($0 - Loop.clock.date, 1), longest) } ?? longest
    let deadline = Loop.now + .seconds(seconds)
    expiryTimer?.set(min(expiryTimer?.deadline ?? deadline, deadline))
  }

  /// Something was replaced or deleted.
  ///
  /// - Parameter time: The time after which it is overwritten.
  func changed(erasingAfter time: Duration = Limits.replacedTextTime) {
    let deadline = Loop.now + time
    eraseTimer?.set(min(eraseTimer?.deadline ?? deadline, deadline))
    onChange?()
  }

  /// Something was deleted. If that failed, a part of it may be gone, and is overwritten soon.
  func deleted(_ result: Result<Int, IndexError>) {
    if case .success = result { changed() } else { changed(erasingAfter: Limits.erasingRetryTime) }
  }
}
