// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Search

/// The activities of this process at the daemon.
@Loop
final class HandoffService {
  static let shared = HandoffService()

  private let donations = Donations()
  private var publications: [ActivityID: PublishedActivity] = [:]
  /// The activity of this process that was last made current. The daemon knows about those of other processes.
  private var current: ActivityID?

  func becomeCurrent(_ core: ActivityCore) {
    let previous = current
    if core.isInvalid {
      // It has ended since then, and nothing would end it again. But it took the place of the previous one.
      current = nil
    } else {
      current = core.id
      let publication = publications[core.id] ?? PublishedActivity(core)
      publications[core.id] = publication
      if core.mustBeAskedForTitle {
        askForTitle(core, publication)
      } else {
        publication.becomeCurrent()
      }
      donations.becameCurrent(core)
    }
    // The daemon does this for the activities that it offers. But an activity that may not be offered does not reach
    // the daemon.
    if let previous, previous != core.id { publications[previous]?.resign() }
  }

  /// The first offer has a title that people can read.
  private func askForTitle(_ core: ActivityCore, _ publication: PublishedActivity) {
    core.noteAsked()
    SaveRound.run(core) { [weak self] in
      // A machine that continues it gets the state of that moment.
      core.askAgain()
      if self?.current == core.id { publication.becomeCurrent() }
    }
  }

  func resign(_ id: ActivityID, _ donation: SavedEntry?) {
    if current == id { current = nil }
    donations.ended(id, donation)
    publications[id]?.resign()
  }

  func changed(_ core: ActivityCore, isUrgent: Bool) {
    publications[core.id]?.changed(isUrgent: isUrgent)
    if current == core.id { donations.changed(core) }
  }

  func end(_ id: ActivityID, _ donation: SavedEntry?) {
    if current == id { current = nil }
    donations.ended(id, donation)
    // This ends its calls.
    publications[id] = nil
  }
}
