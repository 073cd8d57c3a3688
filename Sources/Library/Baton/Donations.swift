// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Search
import VarlinkClient

/// Gives the activities that become current to the user's search index, and again when they have changed. The app does
/// not wait for it.
///
/// Apps may say only when they save that an activity is eligible. So an activity that needs saving is saved once in its
/// life for that, when it is current and there is an index.
@Loop
final class Donations {
  /// The time after which a change of a current activity is given to the index.
  nonisolated static let donationInterval = Duration.seconds(10)

  private struct Donated {
    /// What the index has.
    var entry: SavedEntry
    let timer: EventLoop.Timer
  }

  private let queue: IndexQueue
  private var donated: [ActivityID: Donated] = [:]
  /// The activities whose apps are being asked for their state.
  private var saving: Set<ActivityID> = []
  /// Those of them that have stopped being current, with the index's entry of each.
  private var endedWhileSaving: [ActivityID: SavedEntry?] = [:]

  init(_ queue: IndexQueue = .shared) { self.queue = queue }

  func becameCurrent(_ core: ActivityCore) {
    endedWhileSaving.removeValue(forKey: core.id)
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
    if donated.timer.deadline == nil { donated.timer.set(Loop.now + Self.donationInterval) }
  }

  /// Called when the activity has stopped being current.
  ///
  /// - Parameter entry: Its last state; nil if it may not be kept.
  func ended(_ id: ActivityID, _ entry: SavedEntry?) {
    var known = donated.removeValue(forKey: id)?.entry
    if let entry, let last = known, entry != last {
      send(entry, replacing: last)
      known = entry
    }
    if saving.contains(id) { endedWhileSaving.updateValue(known, forKey: id) }
  }

  private func donateIfEligible(_ core: ActivityCore) {
    if core.donation() != nil || mayBecomeEligible(core) { donate(core) }
  }

  /// Whether the app may make the activity eligible when it saves it. An app is asked once, because most activities
  /// that are not eligible stay so, and only for an activity that can be sent.
  private func mayBecomeEligible(_ core: ActivityCore) -> Bool {
    core.contents.needsSave && core.canBeAskedForSearch && queue.hasSocket && (try? core.published()) != nil
  }

  private func donate(_ core: ActivityCore) {
    guard core.contents.needsSave else { return send(core) }
    guard saving.insert(core.id).inserted else { return }
    core.noteAsked()
    SaveRound.run(core) { [weak self] in
      guard let self else { return }
      self.saving.remove(core.id)
      // It was asked in vain, so another machine that continues the activity still gets the state of that moment.
      if core.donation() == nil { core.change { $0.needsSave = true } }
      guard let known = self.endedWhileSaving.removeValue(forKey: core.id) else { return self.send(core) }
      if let entry = core.donation(), entry != known { self.send(entry, replacing: known) }
    }
  }

  private func send(_ core: ActivityCore) {
    guard let entry = core.donation() else { return }
    let last = donated[core.id]
    if last == nil || last?.entry != entry { send(entry, replacing: last?.entry) }
    let timer =
      last?.timer ?? EventLoop.Timer { [weak self, weak core] in if let core { self?.donateIfEligible(core) } }
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
