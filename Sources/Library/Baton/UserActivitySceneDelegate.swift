// SPDX-License-Identifier: Apache-2.0

/// The methods that inform a scene about the activities it continues. They are those of `UISceneDelegate`. All of them
/// are optional. They are called on the main thread, in the order that ``UserActivityApplicationDelegate`` describes.
@preconcurrency @MainActor
public protocol UserActivitySceneDelegate: AnyObject {
  /// Called when the user continues an activity, while it is being fetched. Show the progress to the user.
  func scene(_ scene: UserActivityScene, willContinueUserActivityWithType userActivityType: String)

  /// Called when the activity has arrived.
  func scene(_ scene: UserActivityScene, continue userActivity: NSUserActivity)

  /// Called when the activity couldn't be fetched.
  func scene(
    _ scene: UserActivityScene,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  )

  /// Called when the responders and documents of an activity have added their state. This is the last moment to add
  /// more.
  func scene(_ scene: UserActivityScene, didUpdate userActivity: NSUserActivity)

  // MARK: Life

  /// Called by ``UserActivityApplication/connect(_:)``.
  func scene(
    _ scene: UserActivityScene,
    willConnectTo session: UISceneSession,
    options connectionOptions: UserActivityScene.ConnectionOptions
  )

  /// Returns the activity from which the scene can be restored. Called by ``UserActivityApplication/disconnect(_:)``.
  func stateRestorationActivity(for scene: UserActivityScene) -> NSUserActivity?

  /// Called by ``UserActivityApplication/disconnect(_:)``.
  func sceneDidDisconnect(_ scene: UserActivityScene)

  /// Not called by the library, because it knows no windows.
  func sceneWillEnterForeground(_ scene: UserActivityScene)

  /// Not called by the library.
  func sceneDidBecomeActive(_ scene: UserActivityScene)

  /// Not called by the library.
  func sceneWillResignActive(_ scene: UserActivityScene)

  /// Not called by the library.
  func sceneDidEnterBackground(_ scene: UserActivityScene)
}

extension UserActivitySceneDelegate {
  /// Does nothing.
  public func scene(_ scene: UserActivityScene, willContinueUserActivityWithType userActivityType: String) {}

  /// Does nothing.
  public func scene(_ scene: UserActivityScene, continue userActivity: NSUserActivity) {}

  /// Writes a line on standard error.
  public func scene(
    _ scene: UserActivityScene,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) { Complaint.couldNotContinue(userActivityType, error) }

  /// Does nothing.
  public func scene(_ scene: UserActivityScene, didUpdate userActivity: NSUserActivity) {}

  /// Does nothing.
  public func scene(
    _ scene: UserActivityScene,
    willConnectTo session: UISceneSession,
    options connectionOptions: UserActivityScene.ConnectionOptions
  ) {}

  /// Returns nil.
  public func stateRestorationActivity(for scene: UserActivityScene) -> NSUserActivity? { nil }

  /// Does nothing.
  public func sceneDidDisconnect(_ scene: UserActivityScene) {}

  /// Does nothing.
  public func sceneWillEnterForeground(_ scene: UserActivityScene) {}

  /// Does nothing.
  public func sceneDidBecomeActive(_ scene: UserActivityScene) {}

  /// Does nothing.
  public func sceneWillResignActive(_ scene: UserActivityScene) {}

  /// Does nothing.
  public func sceneDidEnterBackground(_ scene: UserActivityScene) {}
}
