// SPDX-License-Identifier: Apache-2.0

import Baton

// An app with scenes, written for the Swift 6 language mode.

@MainActor
public final class SceneAppDelegate: NSObject, UIApplicationDelegate {
  public private(set) var launched = 0

  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    launched += 1
    return launchOptions?[.userActivityType] == nil
  }

  public func application(
    _ application: UIApplication,
    configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    UISceneConfiguration(name: "Default", sessionRole: connectingSceneSession.role)
  }
}

public final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  public var window: UIWindow?
  private let state = AppState()

  public func scene(
    _ scene: UIScene,
    willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let scene = scene as? UIWindowScene else { return }
    let window = UIWindow(windowScene: scene)
    window.rootViewController = NoteViewController(state: state)
    window.makeKeyAndVisible()
    self.window = window
    let conditions = scene.activationConditions
    conditions.prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(value: true)
    if let url = connectionOptions.urlContexts.first?.url
      ?? connectionOptions.shortcutItem.flatMap({ URL(string: $0.type) })
    {
      window.rootViewController?.title = url.absoluteString
    }
    if let activity = connectionOptions.userActivities.first ?? session.stateRestorationActivity {
      self.scene(scene, continue: activity)
    }
  }

  public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    window?.rootViewController?.restoreUserActivityState(userActivity)
  }

  public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    window?.rootViewController?.userActivity
  }

  public func openAgain(_ activity: NSUserActivity, in session: UISceneSession?, _ failed: @escaping (Error) -> Void) {
    UIApplication.shared.requestSceneSessionActivation(
      session,
      userActivity: activity,
      options: nil,
      errorHandler: failed
    )
  }

  public func sceneDidBecomeActive(_ scene: UIScene) { window?.rootViewController?.userActivity?.becomeCurrent() }
}

@MainActor
public final class AppState {
  public var text = ""
  public init() {}
}

public final class NoteViewController: UIViewController, NSUserActivityDelegate {
  static let activityType = "com.example.note"
  public let state: AppState

  public init(state: AppState) {
    self.state = state
    super.init(nibName: nil, bundle: nil)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

  public override func viewDidLoad() {
    super.viewDidLoad()
    let activity = NSUserActivity(activityType: Self.activityType)
    activity.title = title
    activity.isEligibleForHandoff = true
    activity.userInfo = ["text": state.text]
    userActivity = activity
  }

  public override func updateUserActivityState(_ activity: NSUserActivity) {
    super.updateUserActivityState(activity)
    activity.addUserInfoEntries(from: ["text": state.text])
  }

  public override func restoreUserActivityState(_ activity: NSUserActivity) {
    super.restoreUserActivityState(activity)
    state.text = activity.userInfo?["text"] as? String ?? ""
  }

  public override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    becomeFirstResponder()
  }

  public nonisolated func userActivityWasContinued(_ userActivity: NSUserActivity) {
    Task { @MainActor in self.state.text = "" }
  }
}

// MARK: Isolation

/// A plain class that comes to the main actor where it uses the interface.
public final class HandoffManager: NSObject, NSUserActivityDelegate, Sendable {
  public static let shared = HandoffManager()

  @MainActor
  public func advertise(_ userInfo: [AnyHashable: Any], on responder: UIResponder) {
    let activity = NSUserActivity(activityType: "com.example.managed")
    activity.userInfo = userInfo
    activity.delegate = self
    responder.userActivity = activity
    responder.becomeFirstResponder()
  }

  public func userActivityWillSave(_ userActivity: NSUserActivity) {
    userActivity.addUserInfoEntries(from: ["saved": true])
  }

  public func userActivityWasContinued(_ userActivity: NSUserActivity) {
    Task { @MainActor in
      for scene in UIApplication.shared.connectedScenes { scene.userActivity?.resignCurrent() }
      NSApp.delegate?.applicationDidFinishLaunching(Notification(name: NSApplication.didFinishLaunchingNotification))
    }
  }

  func isFirst(_ responder: UIResponder) -> Bool { MainActor.assumeIsolated { responder.isFirstResponder } }
}

public protocol Continuable: AnyObject {
  static var activityType: String { get }
}

@MainActor
extension Continuable where Self: UIViewController {
  public func beginHandoff() {
    let activity = NSUserActivity(activityType: Self.activityType)
    activity.title = title
    userActivity = activity
    view.becomeFirstResponder()
  }
}

public final class ContinuableController: UIViewController, Continuable {
  public nonisolated static let activityType = "com.example.continuable"
}

@MainActor
public final class Coordinator {
  public private(set) var restored: [String] = []
  let document = UIDocument(fileURL: URL(fileURLWithPath: "/tmp/a.txt"))
  let session = UISceneSession(role: .windowApplication)
  public init() {}
}

extension Coordinator: UIUserActivityRestoring {
  public func restoreUserActivityState(_ activity: NSUserActivity) { restored.append(activity.activityType) }
}

extension Coordinator: UISceneDelegate {
  public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    restored.append(userActivity.activityType)
    restore(userActivity, to: [self])
    document.updateUserActivityState(userActivity)
    session.stateRestorationActivity = userActivity
    (scene as? UIWindowScene)?.windows.first?.rootViewController?.view.window?.makeKey()
    (scene.delegate as? any UIWindowSceneDelegate)?.window = nil
    _ = scene.session.scene?.delegate?.stateRestorationActivity(for: scene)
  }
}

@MainActor
func restore(_ activity: NSUserActivity, to objects: [any UIUserActivityRestoring]?) {
  objects?.forEach { $0.restoreUserActivityState(activity) }
}

@MainActor let sharedOptions = UIScene.ConnectionOptions()

// MARK: AppKit

public final class WindowController: NSWindowController {
  public convenience init() {
    let window = NSWindow(
      contentRect: NSRect(x: 0, y: 0, width: 480, height: 300),
      styleMask: [.titled, .resizable],
      backing: .buffered,
      defer: false
    )
    self.init(window: window)
    contentViewController = EditorController()
    window.makeFirstResponder(contentViewController?.view)
  }

  public override func showWindow(_ sender: Any?) {
    super.showWindow(sender)
    (document as? NSDocument)?.userActivity?.becomeCurrent()
  }
}

final class EditorController: NSViewController {
  override func viewDidAppear() {
    super.viewDidAppear()
    view.window?.windowController?.userActivity = userActivity
    representedObject = nil
  }
}

final class EditorView: NSView {
  override var acceptsFirstResponder: Bool { true }
  override func becomeFirstResponder() -> Bool {
    defer { userActivity?.needsSave = true }
    return super.becomeFirstResponder()
  }
}
