// SPDX-License-Identifier: Apache-2.0

import Foundation

extension UserActivityScene {
  /// Why a scene is connected.
  @preconcurrency @MainActor
  open class ConnectionOptions: NSObject {
    /// The activities that the scene must restore, other than those from other machines.
    public let userActivities: Set<NSUserActivity>
    /// The type of the activity from another machine that the scene continues. The activity itself arrives later.
    public let handoffUserActivityType: String?
    /// Empty, because the library opens no URLs. Desktop entries pass them as arguments.
    public let urlContexts: Set<UIOpenURLContext> = []
    /// Nil, because there are no quick actions.
    public let shortcutItem: UIApplicationShortcutItem? = nil

    /// Creates options. UIKit creates them itself.
    public init(userActivities: Set<NSUserActivity> = [], handoffUserActivityType: String? = nil) {
      self.userActivities = userActivities
      self.handoffUserActivityType = handoffUserActivityType
    }
  }
}
