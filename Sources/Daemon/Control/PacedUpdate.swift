import Activity
import EventLoop

/// Tells watchers about changes: immediately while that costs little, then at an even pace. A peer that changes
/// something all the time must not keep this machine busy.
@Loop
final class PacedUpdate {
  /// The result of an update.
  struct Told {
    /// Whether every watcher has the newest list.
    var isDone = true
    /// The number of entries in the watchers' lists, plus one for each list.
    var entries = 0

    static func + (left: Told, right: Told) -> Told {
      // Checked: some thousand watchers with some hundred entries each.
      Told(isDone: left.isDone && right.isDone, entries: left.entries + right.entries)
    }
  }

  private let update: @Loop () -> Told
  private var bucket = TokenBucket(Limits.watcherEntryRate, at: Loop.now)
  private var timer: Timer?

  /// - Parameter update: Tells the watchers what is new.
  init(_ update: @escaping @Loop () -> Told) {
    self.update = update
    timer = Timer { [weak self] in self?.perform() }
  }

  func changed() {
    guard let timer, timer.deadline == nil else { return }
    let due = bucket.ready(at: Loop.now)
    due <= Loop.now ? perform() : timer.set(due)
  }

  private func perform() {
    let told = update()
    bucket.charge(Double(told.entries), at: Loop.now)
    // A watcher that has not read its previous list gets the newest one when it has.
    timer?.set(told.isDone ? nil : Loop.now + Limits.watcherRetryTime)
  }
}
