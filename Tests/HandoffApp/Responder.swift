import Baton
import Foundation

/// A responder that saves its name in the activity's state.
final class Responder: UserActivityResponder {
  private let name: String

  init(_ name: String) { self.name = name }

  override func updateUserActivityState(_ activity: NSUserActivity) {
    let keys = (activity.userInfo ?? [:]).keys.map { typed($0.base) }.sorted()
    Report.write("update", ["name": name, "keys": keys])
    activity.addUserInfoEntries(from: [name: "from \(name)"])
  }

  override func restoreUserActivityState(_ activity: NSUserActivity) {
    Report.write("restore", ["name": name, "title": activity.title])
  }
}
