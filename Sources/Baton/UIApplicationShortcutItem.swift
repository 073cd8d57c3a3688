import Foundation

/// A quick action of an app's icon. There are none on Linux; the class exists so that scene delegates compile.
@preconcurrency @MainActor
open class UIApplicationShortcutItem: NSObject {
  /// The app's name for the action.
  public let type: String
  /// What people read.
  public let localizedTitle: String

  /// Creates an action.
  public init(type: String, localizedTitle: String) {
    self.type = type
    self.localizedTitle = localizedTitle
  }
}
