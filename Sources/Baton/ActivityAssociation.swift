import Synchronization

/// The activity of one responder or document, which both retain no longer than they live.
final class ActivityAssociation: Sendable {
  // The lock is what makes the reference safe: it is only compared, and handed to the main thread.
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

  /// The object goes.
  func end(_ object: ObjectIdentifier) {
    let old = activity
    held.withLock { $0.activity = nil }
    old?.core.dissociate(object)
  }
}
