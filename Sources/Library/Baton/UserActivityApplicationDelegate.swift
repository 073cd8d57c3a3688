// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The methods that inform an app about the activities it continues. They are those of `UIApplicationDelegate` and
/// `NSApplicationDelegate`, in both spellings. All of them are optional, and are called on the main thread.
///
/// Each call of ``application(_:willContinueUserActivityWithType:)`` is followed by exactly one call of either
/// `application(_:continue:restorationHandler:)` or ``application(_:didFailToContinueUserActivityWithType:error:)``.
///
/// > Important: As with ``NSUserActivityDelegate``, a method that only a subclass of the conforming class adds is never
/// > called.
@preconcurrency @MainActor
public protocol UserActivityApplicationDelegate: AnyObject {
  /// Called when the user continues an activity, while it is being fetched. Show the progress to the user.
  ///
  /// - Returns: True if the app shows the progress itself. Otherwise, nothing does.
  func application(
    _ application: UserActivityApplication,
    willContinueUserActivityWithType userActivityType: String
  ) -> Bool

  /// Called when the activity has arrived (UIKit's spelling).
  ///
  /// - Parameters:
  ///   - application: The application: ``UserActivityApplication/shared``.
  ///   - userActivity: The activity, with the state from the other machine's app.
  ///   - restorationHandler: Accepts the objects that then restore the activity. You don't have to call it, and you can
  ///     call it later, on the main thread.
  /// - Returns: True if the app has handled the activity.
  func application(
    _ application: UserActivityApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) -> Bool

  /// Called when the activity has arrived (AppKit's spelling).
  func application(
    _ application: UserActivityApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]) -> Void
  ) -> Bool

  /// Called when the activity couldn't be fetched. The error is a `CocoaError` with a code from 4608 to 4611, or
  /// `.userCancelled` if the user continued a different activity in the meantime. You don't have to report the latter.
  func application(
    _ application: UserActivityApplication,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  )

  /// Called when the responders and documents of an activity have added their state. This is the last moment to add
  /// more.
  func application(_ application: UserActivityApplication, didUpdate userActivity: NSUserActivity)

  // MARK: Launching

  /// Called first by ``UserActivityApplication/run()`` (UIKit). The return value has no effect.
  func application(
    _ application: UserActivityApplication,
    willFinishLaunchingWithOptions launchOptions: [UserActivityApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// Called by ``UserActivityApplication/run()`` (UIKit). The return value has no effect.
  func application(
    _ application: UserActivityApplication,
    didFinishLaunchingWithOptions launchOptions: [UserActivityApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// Called by ``UserActivityApplication/run()`` (AppKit).
  func applicationDidFinishLaunching(_ notification: Notification)
}

extension UserActivityApplicationDelegate {
  public func application(
    _ application: UserActivityApplication,
    willContinueUserActivityWithType userActivityType: String
  ) -> Bool { false }

  /// Calls the method in AppKit's spelling.
  public func application(
    _ application: UserActivityApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) -> Bool {
    let handler: ([any UserActivityRestoring]) -> Void = { restorationHandler($0) }
    return self.application(application, continue: userActivity, restorationHandler: handler)
  }

  /// Does nothing, because an app implements one of the two methods.
  public func application(
    _ application: UserActivityApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]) -> Void
  ) -> Bool { false }

  public func application(
    _ application: UserActivityApplication,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) { Complaint.couldNotContinue(userActivityType, error) }

  public func application(_ application: UserActivityApplication, didUpdate userActivity: NSUserActivity) {}

  public func application(
    _ application: UserActivityApplication,
    willFinishLaunchingWithOptions launchOptions: [UserActivityApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  public func application(
    _ application: UserActivityApplication,
    didFinishLaunchingWithOptions launchOptions: [UserActivityApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  public func applicationDidFinishLaunching(_ notification: Notification) {}
}
