import Synchronization

/// The activity of one responder or document. It is retained only while that object exists.
final class ActivityAssociation: Sendable {
  // The lock makes the reference safe: it is only compared, and handed to the main thread.
  private struct Held: @unchecked Sendable { var activity: NSUserActivity? }

  private let held = Mutex(Held())

  var activity: NSUserActivity? {
    held.withLock { held in
      nonisolated(unsafe) let activity = held.activity
      return activity
    }
  }

  @MainActor
  func set(_ activity: NSUserActivity?, _ object: any UserActivityUpdating) {
    let old = self.activity
    nonisolated(unsafe) let new = activity
    held.withLock { $0.activity = new }
    activity?.core.associate(object)
    old?.core.dissociate(ObjectIdentifier(object))
  }

  /// Ends the association, because the object is being released.
  func end(_ object: ObjectIdentifier) {
    let old = activity
    held.withLock { $0.activity = nil }
    old?.core.dissociate(object)
  }
}
