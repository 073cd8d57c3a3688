import Foundation

/// A quick action of an app's icon. There are none on Linux; the class exists so that apps compile.
@preconcurrency @MainActor
open class UIApplicationShortcutItem: NSObject {
  /// The app's name for the action.
  public let type: String
  /// What people read.
  public let localizedTitle: String
  /// What people read below the title.
  public let localizedSubtitle: String?
  /// The picture of the action.
  public let icon: UIApplicationShortcutIcon?
  /// Kept for the app.
  public let userInfo: [String: any NSSecureCoding]?
  /// The `targetContentIdentifier` of what the action shows.
  open var targetContentIdentifier: Any?

  /// Creates an action.
  public init(
    type: String,
    localizedTitle: String,
    localizedSubtitle: String?,
    icon: UIApplicationShortcutIcon?,
    userInfo: [String: any NSSecureCoding]? = nil
  ) {
    self.type = type
    self.localizedTitle = localizedTitle
    self.localizedSubtitle = localizedSubtitle
    self.icon = icon
    self.userInfo = userInfo
  }

  /// Creates an action with a title only.
  public convenience init(type: String, localizedTitle: String) {
    self.init(type: type, localizedTitle: localizedTitle, localizedSubtitle: nil, icon: nil)
  }
}

/// The picture of a quick action. It is not shown.
@preconcurrency @MainActor
open class UIApplicationShortcutIcon: NSObject {
  /// Creates a picture from a system symbol.
  public convenience init(systemImageName: String) { self.init() }

  /// Creates a picture from one of the app's.
  public convenience init(templateImageName: String) { self.init() }
}
