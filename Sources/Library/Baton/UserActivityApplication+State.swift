// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A task that continues in the background, like UIKit's. Linux doesn't suspend apps, so it has no effect.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No work.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

extension UserActivityApplication {
  /// Whether an app is in the foreground (UIKit).
  public enum State: Int, Sendable {
    /// The user works with it.
    case active
    /// Something else is in front of it.
    case inactive
    /// The user does not see it.
    case background
  }

  /// Always active, because the library has no windows (UIKit).
  public var applicationState: State { .active }

  /// Begins a task that continues in the background (UIKit). Linux doesn't suspend apps, so the handler is never
  /// called.
  @preconcurrency
  public func beginBackgroundTask(
    withName taskName: String?,
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    backgroundTasks &+= 1
    return UIBackgroundTaskIdentifier(rawValue: backgroundTasks)
  }

  /// The same, without a name.
  @preconcurrency
  public func beginBackgroundTask(
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { beginBackgroundTask(withName: nil, expirationHandler: handler) }

  /// Does nothing (UIKit).
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

  /// The longest time there is (UIKit).
  public var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }
}
