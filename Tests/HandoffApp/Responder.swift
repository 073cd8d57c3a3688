// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation

/// A responder that saves its name in the activity's state, and gives the activity a title.
final class Responder: UserActivityResponder {
  private let name: String
  private let title: String?

  init(_ name: String, title: String?) { (self.name, self.title) = (name, title) }

  override func updateUserActivityState(_ activity: NSUserActivity) {
    let keys = (activity.userInfo ?? [:]).keys.map { typed($0.base) }.sorted()
    Report.write("update", ["name": name, "keys": keys])
    activity.addUserInfoEntries(from: [name: "from \(name)"])
    if let title { activity.title = title }
  }

  override func restoreUserActivityState(_ activity: NSUserActivity) {
    Report.write("restore", ["name": name, "title": activity.title])
  }
}
