/// One of several windows of an app that continues activities, like `UIScene`: a responder with its own delegate.
///
/// While scenes with delegates are connected, the one that was connected last is informed about continuations, in place
/// of the application's delegate.
@MainActor
open class UserActivityScene: UserActivityResponder {
  /// The delegate, which is informed about the activities that the scene continues. It is not retained.
  open weak var delegate: (any UserActivitySceneDelegate)?
}

/// The methods with which a scene is informed about the activities that it continues. They are those of
/// `UISceneDelegate`. All of them are optional. They are called on the main thread, in the order that
/// ``UserActivityApplicationDelegate`` describes.
@MainActor
public protocol UserActivitySceneDelegate: AnyObject {
  /// Called when the user continues an activity, which is being fetched. Show that to the user.
  func scene(_ scene: UserActivityScene, willContinueUserActivityWithType userActivityType: String)

  /// Called when the activity has arrived.
  func scene(_ scene: UserActivityScene, continue userActivity: NSUserActivity)

  /// Called when the activity could not be fetched.
  func scene(
    _ scene: UserActivityScene,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  )

  /// Called when the responders and documents of an activity have added their state. This is the last moment to add
  /// more.
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
