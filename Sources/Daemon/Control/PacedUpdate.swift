import Activity
import EventLoop

/// Tells those who watch of changes: at once while these are few, and then at an even pace. A peer that changes something all
/// the time must not keep this machine busy with telling it.
@Loop
final class PacedUpdate {
  private let update: @Loop () -> Bool
  private var bucket = TokenBucket(Limits.watcherUpdateRate, at: Loop.now)
  private var timer: Timer?

  /// - Parameter update: Tells what is new; returns whether everybody was told.
  init(_ update: @escaping @Loop () -> Bool) {
    self.update = update
    timer = Timer { [weak self] in self?.perform() }
  }

  func changed() {
    guard let timer, timer.deadline == nil else { return }
    let due = bucket.ready(at: Loop.now)
    due <= Loop.now ? perform() : timer.set(due)
  }

  private func perform() {
    bucket.charge(1, at: Loop.now)
    // Who has not read what came before gets the newest when it has.
    timer?.set(update() ? nil : Loop.now + Limits.watcherRetryTime)
  }
}
