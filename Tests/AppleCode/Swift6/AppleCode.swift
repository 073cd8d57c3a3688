// SPDX-License-Identifier: Apache-2.0

import Baton

// The same as in Swift5, but written for the Swift 6 language mode.

@MainActor
public final class AppDelegate: UIResponder, UIApplicationDelegate {
  public private(set) var calls: [String] = []
  private let editor = EditorViewController()

  public func application(
    _ application: UIApplication,
    willContinueUserActivityWithType userActivityType: String
  ) -> Bool {
    calls.append("willContinue")
    return userActivityType == EditorViewController.activityType
  }

  public func application(
    _ application: UIApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    calls.append("continue")
    restorationHandler([editor])
    return true
  }

  public func application(
    _ application: UIApplication,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) {
    if let error = error as? CocoaError, error.code == .userCancelled { return }
    calls.append("didFail")
  }
}

public final class MacAppDelegate: NSObject, NSApplicationDelegate {
  public private(set) var calls: [String] = []

  public func application(
    _ application: NSApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
  ) -> Bool {
    calls.append("continue")
    return userActivity.webpageURL != nil
  }

  public func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity) {}
}

final class EditorViewController: UIResponder {
  static let activityType = "com.example.editor"

  private let activityDelegate = EditorActivityDelegate()
  private var text = ""

  override init() {
    super.init()
    let activity = NSUserActivity(activityType: Self.activityType)
    activity.delegate = activityDelegate
    activity.supportsContinuationStreams = true
    userActivity = activity
  }

  func viewDidAppear(_ animated: Bool) {
    becomeFirstResponder()
    userActivity?.becomeCurrent()
  }

  func textViewDidChange(_ text: String) {
    self.text = text
    userActivity?.needsSave = true
  }

  override func updateUserActivityState(_ activity: NSUserActivity) {
    super.updateUserActivityState(activity)
    activity.addUserInfoEntries(from: ["text": text])
  }

  override func restoreUserActivityState(_ activity: NSUserActivity) {
    text = activity.userInfo?["text"] as? String ?? ""
    guard activity.supportsContinuationStreams else { return }
    activity.getContinuationStreams { input, output, error in
      guard let input, let output else { return }
      input.open()
      output.open()
    }
  }
}

final class EditorActivityDelegate: NSObject, NSUserActivityDelegate {
  nonisolated func userActivityWillSave(_ userActivity: NSUserActivity) {
    userActivity.userInfo?["saved"] = Date.now
  }

  func userActivityWasContinued(_ userActivity: NSUserActivity) {
    Task { @MainActor in UIApplication.shared.delegate = nil }
  }

  func userActivity(
    _ userActivity: NSUserActivity,
    didReceive inputStream: InputStream,
    outputStream: OutputStream
  ) {
    outputStream.schedule(in: .main, forMode: .common)
    outputStream.open()
  }
}

func request(_ activity: NSUserActivity) async throws -> Data {
  let (input, output) = try await activity.continuationStreams()
  input.open()
  output.open()
  defer {
    input.close()
    output.close()
  }
  var buffer = [UInt8](repeating: 0, count: 1024)
  let count = input.read(&buffer, maxLength: buffer.count)
  return Data(buffer[..<max(0, count)])
}

struct Draft: Codable {
  var subject: String
  var sent: Date?
}

func activity(for draft: Draft) throws -> NSUserActivity {
  let activity = NSUserActivity(activityType: "com.example.draft")
  try activity.setTypedPayload(draft)
  activity.targetContentIdentifier = draft.subject
  _ = try activity.typedPayload(Draft.self)
  return activity
}

func forget() async {
  await NSUserActivity.deleteAllSavedUserActivities()
  NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["a"]) {}
}
