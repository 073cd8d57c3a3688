// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The content that a scene shows, like UIKit's. It is stored for the app but has no effect: the scene that was
/// connected last continues activities.
@preconcurrency @MainActor
open class UISceneActivationConditions: NSObject {
  /// True for the `targetContentIdentifier` of content that the scene can show.
  open var canActivateForTargetContentIdentifierPredicate = NSPredicate(value: true)
  /// True for the `targetContentIdentifier` of content that the scene prefers.
  open var prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)
}
