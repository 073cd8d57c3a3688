// SPDX-License-Identifier: Apache-2.0

import Baton

// Plain classes, structs, functions, closures and globals that use UIKit and AppKit without saying on which actor. On
// Apple's platforms, all of that compiles in the Swift 5 language mode.

// MARK: Globals

let sharedController = UIViewController()
let sharedView = UIView(frame: .zero)
let sharedWindow = UIWindow()
let sharedWindowController = NSWindowController(window: nil)
let sharedApplication = UIApplication.shared
let sharedDocument = UIDocument(fileURL: URL(fileURLWithPath: "/tmp/a.txt"))
let sharedSession = UISceneSession()
let sharedOptions = UIScene.ConnectionOptions()
let sharedScene = UIWindowScene(session: sharedSession, connectionOptions: sharedOptions)
let sharedConfiguration = UISceneConfiguration(name: nil, sessionRole: .windowApplication)
var currentWindow: UIWindow? = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }.first?.windows
  .first

// MARK: A plain manager

public class HandoffManager: NSObject {
  public static let shared = HandoffManager()
  public var current: NSUserActivity?
  weak var responder: UIResponder?

  public func advertise(_ type: String, userInfo: [AnyHashable: Any], on responder: UIResponder) {
    let activity = NSUserActivity(activityType: type)
    activity.title = "Managed"
    activity.userInfo = userInfo
    activity.delegate = self
    self.responder = responder
    responder.userActivity = activity
    current = responder.userActivity
    responder.becomeFirstResponder()
    if responder.isFirstResponder, responder.next == nil { activity.becomeCurrent() }
  }

  func stop() {
    responder?.userActivity?.invalidate()
    responder?.userActivity = nil
    responder?.resignFirstResponder()
  }

  func restore(_ activity: NSUserActivity, to restoring: [UIUserActivityRestoring]?) {
    restoring?.forEach { $0.restoreUserActivityState(activity) }
  }

  var handler: ([UIUserActivityRestoring]?) -> Void {
    return { objects in
      for object in objects ?? [] { object.restoreUserActivityState(NSUserActivity(activityType: "com.example.a")) }
    }
  }

  func offers() -> [String] { UIApplication.shared.offers.map { $0.device } }

  func openFirst() {
    if let offer = UIApplication.shared.offers.first { UIApplication.shared.continueActivity(offer) }
    UIApplication.shared.onOffersChange = { print(UIApplication.shared.offers.count) }
    UIApplication.shared.activityTypes.insert("com.example.a")
    DispatchQueue.global().async { DispatchQueue.main.async { UIApplication.shared.delegate = nil } }
  }

  func scenes() {
    for scene in UIApplication.shared.connectedScenes {
      scene.userActivity?.resignCurrent()
      scene.delegate?.sceneDidBecomeActive(scene)
      _ = scene.session.persistentIdentifier
      scene.session.stateRestorationActivity = scene.delegate?.stateRestorationActivity(for: scene)
      (scene as? UIWindowScene)?.windows.forEach { $0.makeKey() }
      (scene.delegate as? UIWindowSceneDelegate)?.window?.rootViewController?.view.becomeFirstResponder()
    }
    UIApplication.shared.connect(UIWindowScene())
    UIApplication.shared.disconnect(UIScene())
  }

  func documents(_ document: UIDocument) {
    document.fileURL = URL(fileURLWithPath: "/tmp/b.txt")
    document.userActivity?.becomeCurrent()
    document.updateUserActivityState(NSUserActivity(activityType: "com.example.a"))
    document.restoreUserActivityState(NSUserActivity(activityType: "com.example.a"))
    document.close()
    responder?.updateUserActivityState(NSUserActivity(activityType: "com.example.a"))
    responder?.nextResponder = responder?.canBecomeFirstResponder == true ? responder : nil
    _ = UISceneConfiguration(name: nil, sessionRole: .windowApplication).delegateClass
    _ = UIScene.ConnectionOptions().userActivities
  }

  func windows(_ controller: NSWindowController) {
    controller.window = NSWindow(
      contentRect: NSRect(x: 0, y: 0, width: 480, height: 300),
      styleMask: [.titled, .closable, .miniaturizable, .resizable, .fullSizeContentView],
      backing: .buffered,
      defer: false
    )
    controller.window?.title = "Window"
    controller.contentViewController = NSViewController()
    controller.contentViewController?.view.userActivity = current
    controller.window?.makeFirstResponder(controller.contentViewController?.view)
    controller.showWindow(nil)
    controller.window?.makeKeyAndOrderFront(self)
    NSApp.delegate?.applicationDidFinishLaunching(Notification(name: NSApplication.didFinishLaunchingNotification))
    NSApp.userActivity = nil
  }
}

extension HandoffManager: NSUserActivityDelegate {
  public func userActivityWillSave(_ userActivity: NSUserActivity) {
    userActivity.addUserInfoEntries(from: ["saved": UIApplication.shared === sharedApplication])
  }

  public func userActivityWasContinued(_ userActivity: NSUserActivity) {
    DispatchQueue.main.async { self.responder?.userActivity = nil }
  }
}

// MARK: Protocol extensions

public protocol Continuable: AnyObject {
  var activityType: String { get }
}

extension Continuable where Self: UIViewController {
  public func beginHandoff(_ userInfo: [AnyHashable: Any]) {
    let activity = NSUserActivity(activityType: activityType)
    activity.title = title
    activity.userInfo = userInfo
    userActivity = activity
    view.becomeFirstResponder()
  }
}

extension Continuable where Self: UIResponder {
  func endHandoff() { userActivity = nil }
}

protocol Restorable {
  func restore(from activity: NSUserActivity, in window: UIWindow?) -> Bool
}

extension Restorable {
  func restore(from activity: NSUserActivity, in window: UIWindow?) -> Bool {
    guard let root = window?.rootViewController else { return false }
    root.restoreUserActivityState(activity)
    root.children.first?.restoreUserActivityState(activity)
    return true
  }
}

extension UIViewController {
  var topmost: UIViewController { return children.last?.topmost ?? self }
}

extension UIApplication {
  static var root: UIViewController? {
    return (shared.connectedScenes.first as? UIWindowScene)?.windows.first?.rootViewController
  }
}

public class ContinuableController: UIViewController, Continuable {
  public let activityType = "com.example.continuable"
}

// MARK: Conformances of plain classes in extensions

public class Coordinator {
  public var restored: [String] = []
  let window: UIWindow? = nil
  public init() {}
}

extension Coordinator: UIUserActivityRestoring {
  public func restoreUserActivityState(_ activity: NSUserActivity) { restored.append(activity.activityType) }
}

extension Coordinator: UISceneDelegate {
  public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    restored.append(userActivity.activityType)
  }
}

extension Coordinator: NSApplicationDelegate {
  public func application(
    _ application: NSApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([NSUserActivityRestoring]) -> Void
  ) -> Bool {
    restorationHandler([self])
    return true
  }
}

struct DeepLink: Restorable {
  var controller: () -> UIViewController = { UIViewController() }
  static var window = UIWindow(frame: .zero)

  func open() -> UIViewController {
    let controller = self.controller()
    controller.loadViewIfNeeded()
    controller.view.superview?.removeFromSuperview()
    return controller
  }
}

public func restoreEverything(_ activity: NSUserActivity, _ objects: UIUserActivityRestoring...) {
  objects.forEach { $0.restoreUserActivityState(activity) }
}

/// Continues as a deep link opens: without an actor.
public func continueLater(_ delegate: UIApplicationDelegate, _ activity: NSUserActivity) -> Bool {
  let handler: ([UIUserActivityRestoring]?) -> Void = { objects in
    objects?.forEach { $0.restoreUserActivityState(activity) }
  }
  _ = delegate.application(UIApplication.shared, willContinueUserActivityWithType: activity.activityType)
  return delegate.application(UIApplication.shared, continue: activity, restorationHandler: handler)
}
