// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation

/// The `NSUserActivity` of one tab.
///
/// There is one for the tab's whole life, not one for each page. So other machines see one offer whose title changes.
@MainActor
final class TabActivity {
  private let activity: NSUserActivity
  /// This reference keeps the delegate alive, because an activity does not retain its delegate.
  private let delegate: TabActivityDelegate
  /// Whether another machine has continued the activity, so that it is no longer offered.
  private var isAway = false

  init(_ kind: TabKind, of application: BrowserApplication) {
    activity = NSUserActivity(activityType: kind.activityType)
    delegate = TabActivityDelegate(kind, of: application)
    activity.delegate = delegate
    // The history does not fit into `userInfo`.
    activity.supportsContinuationStreams = true
    // These are the keys that another machine needs. Anything else in `userInfo` would stay here.
    activity.requiredUserInfoKeys = ["version", "tab", "url", "scroll"]
  }

  /// Makes the tab's activity current, because the person is looking at the tab.
  func becomeCurrent(_ tab: Tab) {
    // The contents are set before the activity is offered, so that it is never seen without them.
    update(tab)
    isAway = false
    activity.becomeCurrent()
  }

  private func update(_ tab: Tab) {
    activity.title = tab.title
    activity.webpageURL = tab.url
    activity.userInfo = tab.state.userInfo
  }

  /// Called when the person scrolls, perhaps many times per second. That costs nothing, because the place is only added
  /// when another machine wants it, in `userActivityWillSave`.
  func scrolled(_ tab: Tab) {
    activity.needsSave = true
    if isAway { becomeCurrent(tab) }
  }

  func wasContinued() { isAway = true }
}
