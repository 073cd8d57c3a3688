// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation

/// The delegate of one activity. It reports each call, and does in `userActivityWillSave` what a command asked for.
class ActivityDelegate: NSObject, NSUserActivityDelegate, @unchecked Sendable {
  let name: String
  let willSave: Command.WillSave?
  let wasContinued: String?

  init(_ name: String, _ command: Command) {
    self.name = name
    willSave = command.willSave
    wasContinued = command.wasContinued
  }

  func userActivityWillSave(_ userActivity: NSUserActivity) {
    Report.write("willSave", ["name": name, "needsSave": userActivity.needsSave])
    guard let willSave else { return }
    if willSave.becomesCurrent == true { userActivity.becomeCurrent() }
    if willSave.invalidates == true { userActivity.invalidate() }
    if let time = willSave.blocks {
      // This entry must never be sent.
      userActivity.addUserInfoEntries(from: ["unfinished": "yes"])
      usleep(UInt32(time) * 1000)
      userActivity.userInfo?["unfinished"] = nil
    }
    if let entries = willSave.userInfo { userActivity.addUserInfoEntries(from: entries) }
    if let isEligible = willSave.isEligibleForSearch { userActivity.isEligibleForSearch = isEligible }
    if willSave.asksAgain == true { userActivity.needsSave = true }
  }

  func userActivityWasContinued(_ userActivity: NSUserActivity) {
    switch wasContinued {
    case "invalidate": userActivity.invalidate()
    case "becomeCurrent": userActivity.becomeCurrent()
    default: break
    }
    Report.write("wasContinued", ["name": name])
  }

  func userActivity(
    _ userActivity: NSUserActivity,
    didReceive inputStream: InputStream,
    outputStream: OutputStream
  ) {
    Report.write(
      "didReceive",
      ["name": name, "areClosed": inputStream.streamStatus == .notOpen && outputStream.streamStatus == .notOpen]
    )
    Conversation(inputStream, outputStream).answer(name)
  }

  func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error) {
    Report.write("didFail", Report.members(of: error).merging(["name": name]) { $1 })
  }
}

/// Overrides a method in a subclass, in the way that the library documents.
final class SubclassedDelegate: UserActivityDelegateObject {
  let name: String

  init(_ name: String) { self.name = name }

  override func userActivityWasContinued(_ userActivity: NSUserActivity) {
    Report.write("wasContinued", ["name": name, "delegate": "subclass"])
  }
}
