import Foundation

/// Which content a scene shows, like UIKit's. It is kept for the app and has no effect: the scene that was connected
/// last continues.
@preconcurrency @MainActor
open class UISceneActivationConditions: NSObject {
  /// True of the `targetContentIdentifier` of what the scene can show.
  open var canActivateForTargetContentIdentifierPredicate = NSPredicate(value: true)
  /// True of the `targetContentIdentifier` of what the scene shows.
  open var prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)
}
