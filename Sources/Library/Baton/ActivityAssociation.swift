// SPDX-License-Identifier: Apache-2.0

/// The activity of one responder or document. It is retained only while that object exists.
final class ActivityAssociation: Sendable {
  /// The lock makes the reference safe: it is only compared, and handed to the main thread.
  private let held = Locked<NSUserActivity?>(nil)

  var activity: NSUserActivity? { held.withLock(\.self) }

  @MainActor
  func set(_ activity: NSUserActivity?, _ object: any UserActivityUpdating) {
    let old = self.activity
    held.withLock { $0 = activity }
    activity?.core.associate(object)
    old?.core.dissociate(ObjectIdentifier(object))
  }

  /// Ends the association, because the object is being released.
  func end(_ object: ObjectIdentifier) {
    let old = activity
    held.withLock { $0 = nil }
    old?.core.dissociate(object)
  }
}
