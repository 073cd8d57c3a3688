// SPDX-License-Identifier: Apache-2.0

import Baton

// An AppKit app with window controllers and documents, and one that blocks while it saves, as Electron does.

public class DocumentAppDelegate: NSObject, NSApplicationDelegate {
  public var windowController: MainWindowController!
  public var launched = 0

  public func applicationDidFinishLaunching(_ aNotification: Notification) {
    launched += 1
    windowController = MainWindowController()
    windowController.showWindow(self)
  }

  func applicationWillTerminate(_ aNotification: Notification) {}

  func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool { return true }

  public func reader(of application: NSApplication) -> ReadingViewController? {
    return application.keyWindow?.windowController?.contentViewController as? ReadingViewController
  }

  public func application(_ application: NSApplication, willContinueUserActivityWithType type: String) -> Bool {
    return type == MainWindowController.activityType
  }

  public func application(
    _ application: NSApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([NSUserActivityRestoring]) -> Void
  ) -> Bool {
    guard userActivity.activityType == MainWindowController.activityType else { return false }
    restorationHandler([windowController, windowController.contentViewController!])
    return true
  }

  public func application(
    _ application: NSApplication,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: Error
  ) {
    NSApp.delegate = nil
  }
}

public class MainWindowController: NSWindowController {
  static let activityType = "com.example.mac.reading"
  public var chapter = 1

  override public var windowNibName: NSNib.Name? { return "MainWindowController" }

  public convenience init() {
    let window = NSWindow(contentViewController: ReadingViewController())
    self.init(window: window)
    window.windowController = self
    windowDidLoad()
  }

  override public func windowDidLoad() {
    super.windowDidLoad()
    let activity = NSUserActivity(activityType: MainWindowController.activityType)
    activity.title = "Chapter \(chapter)"
    userActivity = activity
  }

  override public func updateUserActivityState(_ userActivity: NSUserActivity) {
    userActivity.addUserInfoEntries(from: ["chapter": chapter])
    super.updateUserActivityState(userActivity)
  }

  override public func restoreUserActivityState(_ userActivity: NSUserActivity) {
    chapter = userActivity.userInfo?["chapter"] as? Int ?? 1
    super.restoreUserActivityState(userActivity)
  }
}

public class ReadingViewController: NSViewController {
  let textView = ReadingView()

  override public var representedObject: Any? {
    didSet { userActivity?.needsSave = true }
  }

  override public func loadView() {
    view = NSView(frame: NSRect(x: 0, y: 0, width: 100, height: 100))
    view.addSubview(textView)
  }

  override public func viewDidLoad() {
    super.viewDidLoad()
    representedObject = "page"
  }

  override public func viewWillAppear() { super.viewWillAppear() }

  override public func viewDidAppear() {
    super.viewDidAppear()
    view.window?.makeFirstResponder(textView)
    view.window?.title = title ?? ""
    (view.window?.windowController?.document as? NSDocument)?.userActivity?.becomeCurrent()
  }
}

public class ReadingView: NSView {
  public var selection: NSRange = NSRange(location: 0, length: 0)

  override public init(frame frameRect: NSRect) {
    super.init(frame: frameRect)
  }

  required init?(coder decoder: NSCoder) {
    super.init(coder: decoder)
  }

  override public var acceptsFirstResponder: Bool { return true }

  // As in much AppKit code, without a call of super.
  override public func becomeFirstResponder() -> Bool {
    let activity = NSUserActivity(activityType: "com.example.mac.selection")
    activity.userInfo = ["location": selection.location]
    userActivity = activity
    return true
  }

  override public func resignFirstResponder() -> Bool {
    userActivity?.resignCurrent()
    return super.resignFirstResponder()
  }
}

class LetterDocument: NSDocument {
  var text = ""

  override init() {
    super.init()
  }

  override init(fileURL url: URL) {
    super.init(fileURL: url)
  }

  override func updateUserActivityState(_ activity: NSUserActivity) {
    super.updateUserActivityState(activity)
    activity.addUserInfoEntries(from: ["length": text.count])
  }
}

/// Asks its own process on the main thread for the state, and blocks for up to a second until it is there.
public class BlockingBridge: NSObject, NSUserActivityDelegate {
  public let activity: NSUserActivity
  private let lock = NSCondition()
  private var receivedUpdate = false
  public var onAsked: (BlockingBridge) -> Void = { _ in }

  public init(type: String, userInfo: [AnyHashable: Any]) {
    activity = NSUserActivity(activityType: type)
    super.init()
    activity.delegate = self
    activity.userInfo = userInfo
    activity.needsSave = true
  }

  public func updateCurrentActivity(_ userInfo: [AnyHashable: Any]) {
    activity.addUserInfoEntries(from: userInfo)
    lock.lock()
    receivedUpdate = true
    lock.signal()
    lock.unlock()
  }

  public func userActivityWillSave(_ userActivity: NSUserActivity) {
    let shouldWait: Bool = DispatchQueue.main.sync {
      DispatchQueue.main.async { self.onAsked(self) }
      return true
    }
    lock.lock()
    let end = Date(timeIntervalSinceNow: 1)
    while shouldWait, !receivedUpdate, lock.wait(until: end) {}
    receivedUpdate = false
    lock.unlock()
    userActivity.needsSave = true
  }
}

class ReaderDocument: UIDocument {
  var page = 1 {
    didSet { userActivity?.needsSave = true }
  }

  convenience init(name: String) {
    self.init(fileURL: URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(name))
  }

  override func restoreUserActivityState(_ userActivity: NSUserActivity) {
    super.restoreUserActivityState(userActivity)
    page = userActivity.userInfo?["page"] as? Int ?? 1
    if let url = userActivity.userInfo?[UIDocument.userActivityURLKey] as? URL { fileURL = url }
  }
}
