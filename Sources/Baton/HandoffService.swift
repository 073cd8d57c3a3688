import Activity
import EventLoop

/// This process's activities at the daemon.
@Loop
final class HandoffService {
  static let shared = HandoffService()

  private var publications: [ActivityID: Publication] = [:]
  /// The one that was made current last; the daemon knows of the other processes'.
  private var current: ActivityID?

  func becomeCurrent(_ core: ActivityCore) {
    let previous = current
    if core.isInvalid {
      // It has ended since, and nobody would end it again; but it took the place of the one before.
      current = nil
    } else {
      current = core.id
      let publication = publications[core.id] ?? Publication(core)
      publications[core.id] = publication
      publication.becomeCurrent()
    }
    // The daemon does this with those it offers; but one that may not be offered does not reach the daemon.
    if let previous, previous != core.id { publications[previous]?.resign() }
  }

  func resign(_ id: ActivityID) {
    if current == id { current = nil }
    publications[id]?.resign()
  }

  func changed(_ id: ActivityID, isUrgent: Bool) { publications[id]?.changed(isUrgent: isUrgent) }

  func end(_ id: ActivityID) {
    if current == id { current = nil }
    publications.removeValue(forKey: id)?.close()
  }
}
