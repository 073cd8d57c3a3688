// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation

/// Reports what the app is told about activities of other machines.
@MainActor
final class AppDelegate: UserActivityApplicationDelegate {
  /// The activity that was continued last.
  private(set) var continued: NSUserActivity?
  /// The objects that it is restored on.
  var restoring: [any UserActivityRestoring] = []

  func application(
    _ application: UserActivityApplication,
    willContinueUserActivityWithType userActivityType: String
  ) -> Bool {
    Report.write("willContinue", ["type": userActivityType])
    return true
  }

  func application(
    _ application: UserActivityApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) -> Bool {
    continued = userActivity
    Report.write("continue", properties(of: userActivity))
    restorationHandler(restoring)
    return true
  }

  func application(
    _ application: UserActivityApplication,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) {
    Report.write("didFailToContinue", Report.members(of: error).merging(["type": userActivityType]) { $1 })
  }

  func application(_ application: UserActivityApplication, didUpdate userActivity: NSUserActivity) {
    let keys = (userActivity.userInfo ?? [:]).keys.map { typed($0.base) }.sorted()
    Report.write("didUpdate", ["title": userActivity.title, "keys": keys])
  }
}
