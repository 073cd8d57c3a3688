/// What an app is told of the activities that it continues: the methods of `UIApplicationDelegate` and `NSApplicationDelegate`, in both
/// spellings. All may be left out. All are called on the main thread.
///
/// After each ``application(_:willContinueUserActivityWithType:)`` comes exactly one of `application(_:continue:restorationHandler:)` and
/// ``application(_:didFailToContinueUserActivityWithType:error:)``.
///
/// > Important: As with ``NSUserActivityDelegate``, a method that only a subclass of the conforming class adds is never called.
@MainActor
public protocol UserActivityApplicationDelegate: AnyObject {
  /// The user continues an activity, which is being fetched: show it.
  ///
  /// - Returns: True where the app shows it itself; nothing shows it otherwise.
  func application(
    _ application: UserActivityApplication,
    willContinueUserActivityWithType userActivityType: String
  ) -> Bool

  /// The activity is there (UIKit's spelling).
  ///
  /// - Parameters:
  ///   - application: The one that is told: ``UserActivityApplication/shared``.
  ///   - userActivity: With the state that the other machine's app gave it.
  ///   - restorationHandler: Takes the objects on which the activity is then restored. It need not be called; it may be called
  ///     later, on the main thread.
  /// - Returns: True where the app has dealt with it.
  func application(
    _ application: UserActivityApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) -> Bool

  /// The activity is there (AppKit's spelling).
  func application(
    _ application: UserActivityApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]) -> Void
  ) -> Bool

  /// The activity could not be had: a `CocoaError`, 4608 to 4611, or `.userCancelled` where the user continued another one meanwhile,
  /// of which nothing needs to be said.
  func application(
    _ application: UserActivityApplication,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  )

  /// The responders and documents of an activity have put their state in: the last moment to add to it.
  func application(_ application: UserActivityApplication, didUpdate userActivity: NSUserActivity)
}

extension UserActivityApplicationDelegate {
  public func application(
    _ application: UserActivityApplication,
    willContinueUserActivityWithType userActivityType: String
  ) -> Bool { false }

  /// Asks the method in AppKit's spelling.
  public func application(
    _ application: UserActivityApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) -> Bool {
    let handler: ([any UserActivityRestoring]) -> Void = { restorationHandler($0) }
    return self.application(application, continue: userActivity, restorationHandler: handler)
  }

  /// Does nothing: an app implements one of the two.
  public func application(
    _ application: UserActivityApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]) -> Void
  ) -> Bool { false }

  public func application(
    _ application: UserActivityApplication,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) { Complaint.write("\(userActivityType) could not be continued: \(error.localizedDescription)") }

  public func application(_ application: UserActivityApplication, didUpdate userActivity: NSUserActivity) {}
}
