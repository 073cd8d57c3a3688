/// One of several windows of an app that continues activities, as `UIScene` is: a responder with a delegate of its own.
///
/// While a scene with a delegate is connected, the one that was connected last is told of continuations in place of the application's
/// delegate.
@MainActor
open class UserActivityScene: UserActivityResponder {
  /// Told of the activities that the scene continues. Not retained.
  open weak var delegate: (any UserActivitySceneDelegate)?
}

/// What a scene is told of the activities that it continues: the methods of `UISceneDelegate`. All may be left out. All are called on the
/// main thread, and as ``UserActivityApplicationDelegate`` says.
@MainActor
public protocol UserActivitySceneDelegate: AnyObject {
  /// The user continues an activity, which is being fetched: show it.
  func scene(_ scene: UserActivityScene, willContinueUserActivityWithType userActivityType: String)

  /// The activity is there.
  func scene(_ scene: UserActivityScene, continue userActivity: NSUserActivity)

  /// The activity could not be had.
  func scene(
    _ scene: UserActivityScene,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  )

  /// The responders and documents of an activity have put their state in: the last moment to add to it.
  func scene(_ scene: UserActivityScene, didUpdate userActivity: NSUserActivity)
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
  ) { Complaint.write("\(userActivityType) could not be continued: \(error.localizedDescription)") }

  /// Does nothing.
  public func scene(_ scene: UserActivityScene, didUpdate userActivity: NSUserActivity) {}
}
