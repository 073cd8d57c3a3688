// SPDX-License-Identifier: Apache-2.0

import Baton

// Names that published apps use beside their Handoff code.

final class Uploader {
  private var task = UIBackgroundTaskIdentifier.invalid

  func upload() {
    guard UIApplication.shared.applicationState != .background else { return }
    task = UIApplication.shared.beginBackgroundTask(withName: "upload") { [weak self] in self?.end() }
    task = UIApplication.shared.beginBackgroundTask { [weak self] in self?.end() }
    task = UIApplication.shared.beginBackgroundTask(expirationHandler: nil)
    if UIApplication.shared.backgroundTimeRemaining > 30 { end() }
  }

  func end() {
    UIApplication.shared.endBackgroundTask(task)
    task = .invalid
  }
}

class ScenesController: UIViewController {
  var path: String { document.fileURL.lastPathComponent }
  let document = UIDocument(fileURL: URL(fileURLWithPath: "/tmp/a.txt"))

  func closeOthers() {
    for session in UIApplication.shared.openSessions where session !== view.window?.windowScene?.session {
      UIApplication.shared.requestSceneSessionDestruction(session, options: nil) { print($0.localizedDescription) }
    }
    let options = UIWindowSceneDestructionRequestOptions()
    options.windowDismissalAnimation = .commit
    if let session = view.window?.windowScene?.session {
      UIApplication.shared.requestSceneSessionDestruction(session, options: options, errorHandler: nil)
    }
  }

  var foreground: UIWindowScene? {
    UIApplication.shared.connectedScenes.filter { $0.activationState == .foregroundActive }.first as? UIWindowScene
  }

  func addShortcut(for activity: NSUserActivity) {
    let item = UIApplicationShortcutItem(
      type: activity.activityType,
      localizedTitle: activity.title ?? "",
      localizedSubtitle: nil,
      icon: UIApplicationShortcutIcon(systemImageName: "book"),
      userInfo: ["id": "7" as NSString]
    )
    UIApplication.shared.shortcutItems = [item]
  }

  func position(in activity: NSUserActivity) -> CGPoint? {
    guard activity.interaction == nil, let x = activity.userInfo?["x"] as? CGFloat,
      let y = activity.userInfo?["y"] as? CGFloat
    else { return nil }
    return CGPoint(x: x, y: y)
  }
}
