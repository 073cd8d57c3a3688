// SPDX-License-Identifier: Apache-2.0

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
  /// The `targetContentIdentifier` of the action's content.
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

  /// Creates an action with only a title.
  public convenience init(type: String, localizedTitle: String) {
    self.init(type: type, localizedTitle: localizedTitle, localizedSubtitle: nil, icon: nil)
  }
}

/// The image of a quick action. It isn't shown.
@preconcurrency @MainActor
open class UIApplicationShortcutIcon: NSObject {
  /// Creates an image from a system symbol.
  public convenience init(systemImageName: String) { self.init() }

  /// Creates an image from one of the app's own.
  public convenience init(templateImageName: String) { self.init() }
}
