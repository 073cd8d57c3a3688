// SPDX-License-Identifier: Apache-2.0

import Foundation

extension UserActivityApplication {
  /// Why an app was launched. The library doesn't launch apps, so the options are always nil.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The URL to open.
    public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    /// Information about the activity to continue.
    public static let userActivityDictionary = LaunchOptionsKey(
      rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey"
    )
    /// The type of the activity to continue.
    public static let userActivityType = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
  }

  /// Informs the delegate that the app has been launched, and runs the main run loop forever.
  public func run() -> Never {
    finishLaunching()
    while true { RunLoop.main.run() }
  }

  func finishLaunching() {
    _ = delegate?.application(self, willFinishLaunchingWithOptions: nil)
    _ = delegate?.application(self, didFinishLaunchingWithOptions: nil)
    delegate?.applicationDidFinishLaunching(Notification(name: Self.didFinishLaunchingNotification, object: self))
  }

  /// The name of the notification that `applicationDidFinishLaunching(_:)` receives. It isn't posted.
  public static let didFinishLaunchingNotification = Notification.Name("NSApplicationDidFinishLaunchingNotification")
}
