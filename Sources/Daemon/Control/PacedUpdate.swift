import Activity
import EventLoop

/// Tells those who watch of changes: at once while that costs little, and then at an even pace. A peer that changes something
/// all the time must not keep this machine busy with telling it.
@Loop
final class PacedUpdate {
  /// What became of telling them.
  struct Told {
    /// Everybody has the newest.
    var isDone = true
    /// How many entries their lists had, and the lists themselves.
    var entries = 0

    static func + (left: Told, right: Told) -> Told {
      // Checked: of some thousand watchers, with some hundred entries each.
      Told(isDone: left.isDone && right.isDone, entries: left.entries + right.entries)
    }
  }

  private let update: @Loop () -> Told
  private var bucket = TokenBucket(Limits.watcherEntryRate, at: Loop.now)
  private var timer: Timer?

  /// - Parameter update: Tells what is new.
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
    // Who has not read what came before gets the newest when it has.
    timer?.set(told.isDone ? nil : Loop.now + Limits.watcherRetryTime)
  }
}
