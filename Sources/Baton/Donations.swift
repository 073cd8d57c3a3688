import Activity
import EventLoop
import Search
import SearchClient
import SearchInterface

/// Gives the activities that become current to the user's search index, and again when they have changed. The app does
/// not wait for it.
@Loop
final class Donations {
  private struct Donated {
    /// What the index has.
    var entry: SavedEntry
    let timer: EventLoop.Timer
  }

  private let queue: IndexQueue
  private var donated: [ActivityID: Donated] = [:]
  /// The activities whose apps are being asked for their state.
  private var saving: Set<ActivityID> = []

  init(_ queue: IndexQueue = .shared) { self.queue = queue }

  func becameCurrent(_ core: ActivityCore) {
    guard core.donation() != nil else { return }
    donate(core)
  }

  /// Called when the app has changed an activity that it made current before.
  func changed(_ core: ActivityCore) {
    guard let donated = donated[core.id] else {
      // It may have become eligible, or been asked for its state.
      if !saving.contains(core.id) { becameCurrent(core) }
      return
    }
    // Apps change their activities all the time.
    if donated.timer.deadline == nil { donated.timer.set(Loop.now + Limits.donationInterval) }
  }

  /// Called when the activity is no longer current.
  ///
  /// - Parameter entry: Its last state; nil if it may not be kept.
  func ended(_ id: ActivityID, _ entry: SavedEntry?) {
    let last = donated.removeValue(forKey: id)
    if let entry, let last, entry != last.entry { send(entry, replacing: last.entry) }
  }

  private func donate(_ core: ActivityCore) {
    guard core.contents.needsSave else { return send(core) }
    guard saving.insert(core.id).inserted else { return }
    SaveRound.run(core) { [weak self] in
      guard let self else { return }
      self.saving.remove(core.id)
      self.send(core)
    }
  }

  private func send(_ core: ActivityCore) {
    guard let entry = core.donation() else { return }
    let last = donated[core.id]
    if last == nil || last?.entry != entry { send(entry, replacing: last?.entry) }
    let timer = last?.timer ?? EventLoop.Timer { [weak self, weak core] in if let core { self?.donate(core) } }
    donated[core.id] = core.isInvalid ? nil : Donated(entry: entry, timer: timer)
  }

  private func send(_ entry: SavedEntry, replacing last: SavedEntry?) {
    let replaces = last.flatMap { $0.identifier == entry.identifier ? nil : [$0.identifier] }
    queue.add(
      .index(
        IndexEntries.Parameters(application: ApplicationIdentifier.current, entries: [entry], replaces: replaces)
      )
    )
  }
}
