import Activity
import EventLoop
import Search
import SearchClient
import SearchInterface

/// Gives the activities that become current to the user's search index, and again when they have changed. The app does
/// not wait for it.
///
/// Apps may say only when they save that an activity is eligible. So an activity that needs saving is saved once after
/// it has become current, if there is an index.
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
  /// The activity that became current last, until its app is asked for its state.
  private var unasked: ActivityID?

  init(_ queue: IndexQueue = .shared) { self.queue = queue }

  func becameCurrent(_ core: ActivityCore) {
    // An app that makes it current while it saves is not asked again for that.
    unasked = saving.contains(core.id) ? nil : core.id
    donateIfEligible(core)
  }

  /// Called when the app has changed an activity that it made current before.
  func changed(_ core: ActivityCore) {
    guard let donated = donated[core.id] else {
      // It may have become eligible, or been asked for its state.
      if !saving.contains(core.id) { donateIfEligible(core) }
      return
    }
    // Apps change their activities all the time.
    if donated.timer.deadline == nil { donated.timer.set(Loop.now + Limits.donationInterval) }
  }

  /// Called when the activity is no longer current.
  ///
  /// - Parameter entry: Its last state; nil if it may not be kept.
  func ended(_ id: ActivityID, _ entry: SavedEntry?) {
    if unasked == id { unasked = nil }
    let last = donated.removeValue(forKey: id)
    if let entry, let last, entry != last.entry { send(entry, replacing: last.entry) }
  }

  private func donateIfEligible(_ core: ActivityCore) {
    let mayBecomeEligible = unasked == core.id && core.contents.needsSave && queue.hasSocket
    if mayBecomeEligible || core.donation() != nil { donate(core) }
  }

  private func donate(_ core: ActivityCore) {
    guard core.contents.needsSave else { return send(core) }
    guard saving.insert(core.id).inserted else { return }
    if unasked == core.id { unasked = nil }
    let isKnown = donated[core.id] != nil
    SaveRound.run(core) { [weak self] in
      guard let self else { return }
      self.saving.remove(core.id)
      // It was asked in vain, so another machine that continues the activity still gets the state of that moment.
      if !isKnown, core.donation() == nil { core.change { $0.needsSave = true } }
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
