import Baton
import Foundation

/// The `NSUserActivity` of one tab.
///
/// There is one for the tab's whole life, not one for each page: other machines then see one offer whose title changes.
@MainActor
final class TabActivity {
  private let activity: NSUserActivity
  /// An activity does not retain its delegate: whoever makes one keeps it.
  private let delegate: TabActivityDelegate
  /// Another machine has continued it, so that it is not offered any more.
  private var isAway = false

  init(_ kind: TabKind, of application: BrowserApplication) {
    activity = NSUserActivity(activityType: kind.activityType)
    delegate = TabActivityDelegate(kind, of: application)
    activity.delegate = delegate
    // The history does not fit into `userInfo`.
    activity.supportsContinuationStreams = true
    // What another machine needs; anything else in `userInfo` would stay here.
    activity.requiredUserInfoKeys = ["version", "tab", "url", "scroll"]
  }

  /// The person looks at the tab: it is what they are doing now.
  func becomeCurrent(_ tab: Tab) {
    // First what the offer says, then the offer: so it is never seen without.
    update(tab)
    isAway = false
    activity.becomeCurrent()
  }

  private func update(_ tab: Tab) {
    activity.title = tab.title
    activity.webpageURL = tab.url
    activity.userInfo = tab.state.userInfo
  }

  /// The person scrolls, many times a second perhaps. That costs nothing: the place is put in when another machine wants
  /// it, in `userActivityWillSave`.
  func scrolled(_ tab: Tab) {
    activity.needsSave = true
    if isAway { becomeCurrent(tab) }
  }

  func wasContinued() { isAway = true }
}
