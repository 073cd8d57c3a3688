// SPDX-License-Identifier: Apache-2.0

import Baton

// An app with scenes, as Xcode's template and Apple's sample about restoring state have them.

public class SceneAppDelegate: UIResponder, UIApplicationDelegate {
  public var window: UIWindow?
  public var launched = 0

  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    launched += 1
    if let info = launchOptions?[.userActivityDictionary] as? [AnyHashable: Any] { print(info) }
    return true
  }

  func application(
    _ application: UIApplication,
    configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let configuration = UISceneConfiguration(name: "Default Configuration", sessionRole: connectingSceneSession.role)
    configuration.delegateClass = SceneDelegate.self
    return configuration
  }

  func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
    for session in sceneSessions { print(session.persistentIdentifier) }
  }

  func applicationWillResignActive(_ application: UIApplication) {}
}

public class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  public var window: UIWindow?
  public var calls: [String] = []

  public func scene(
    _ scene: UIScene,
    willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    calls.append("willConnect")
    guard let windowScene = (scene as? UIWindowScene) else { return }
    window = UIWindow(windowScene: windowScene)
    window?.rootViewController = GalleryViewController(nibName: nil, bundle: nil)
    window?.makeKeyAndVisible()
    scene.activationConditions.canActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)
    self.scene(scene, openURLContexts: connectionOptions.urlContexts)
    if let shortcutItem = connectionOptions.shortcutItem { calls.append(shortcutItem.type) }
    if let type = connectionOptions.handoffUserActivityType { calls.append("type \(type)") }
    if let userActivity = connectionOptions.userActivities.first ?? session.stateRestorationActivity {
      if !configure(window: window, with: userActivity) {
        print("Failed to restore from \(userActivity)")
      }
    }
  }

  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    guard let context = URLContexts.first, context.options.sourceApplication != nil else { return }
    calls.append("open \(context.url)")
  }

  @discardableResult
  func configure(window: UIWindow?, with activity: NSUserActivity) -> Bool {
    guard let gallery = window?.rootViewController as? GalleryViewController else { return false }
    gallery.show(photo: activity.userInfo?["name"] as? String)
    return gallery.photo != nil
  }

  public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    calls.append("stateRestoration")
    return scene.userActivity
  }

  public func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
    calls.append("willContinue")
  }

  public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    calls.append("continue")
    configure(window: window, with: userActivity)
  }

  public func scene(
    _ scene: UIScene,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: Error
  ) {
    calls.append("didFail")
  }

  public func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) { calls.append("didUpdate") }

  public func sceneDidBecomeActive(_ scene: UIScene) { window?.windowScene?.userActivity?.becomeCurrent() }

  public func sceneWillResignActive(_ scene: UIScene) { scene.userActivity?.resignCurrent() }

  public func sceneDidDisconnect(_ scene: UIScene) { calls.append("didDisconnect") }

  public func sceneDidEnterBackground(_ scene: UIScene) {
    (UIApplication.shared.delegate as? SceneAppDelegate)?.window = nil
  }
}

public class GalleryViewController: UIViewController {
  static let activityType = "com.example.gallery.photo"
  public var photo: String?
  public var appeared = 0
  lazy var imageView = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))

  override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    title = "Gallery"
  }

  required init?(coder: NSCoder) {
    fatalError("init(coder:) has not been implemented")
  }

  override public func viewDidLoad() {
    super.viewDidLoad()
    view.addSubview(imageView)
    let detail = UIViewController()
    addChild(detail)
    view.addSubview(detail.view)
    detail.didMove(toParent: self)
  }

  override public func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    appeared += 1
    view.window?.windowScene?.userActivity = userActivity
  }

  override public func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    userActivity?.invalidate()
  }

  public func show(photo: String?) {
    self.photo = photo
    guard let photo = photo else { return }
    let activity = NSUserActivity(activityType: Self.activityType)
    activity.title = photo
    // No override of updateUserActivityState(_:), as in many apps.
    activity.addUserInfoEntries(from: ["name": photo, "id": 7])
    activity.requiredUserInfoKeys = ["name"]
    userActivity = activity
    activity.becomeCurrent()
  }

  public func openInNewWindow(_ activity: NSUserActivity) {
    let options = UIScene.ActivationRequestOptions()
    options.requestingScene = view.window?.windowScene
    UIApplication.shared.requestSceneSessionActivation(nil, userActivity: activity, options: options, errorHandler: nil)
  }

  override public func restoreUserActivityState(_ activity: NSUserActivity) {
    show(photo: activity.userInfo?["name"] as? String)
    super.restoreUserActivityState(activity)
  }
}

public class PlainController: UIViewController {
  public var identifier = 0
  public convenience init(identifier: Int) {
    self.init()
    self.identifier = identifier
  }
}

class ViewWithCoder: UIView {
  override init(frame: CGRect) {
    super.init(frame: frame)
    setup()
  }

  required init?(coder aDecoder: NSCoder) {
    super.init(coder: aDecoder)
    setup()
  }

  private func setup() {}

  override var canBecomeFirstResponder: Bool { return true }

  override func becomeFirstResponder() -> Bool {
    let became = super.becomeFirstResponder()
    if became { userActivity?.needsSave = true }
    return became
  }
}
