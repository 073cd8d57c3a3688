// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The state of a scene that outlives its connection, like UIKit's. It exists until the process exits.
@preconcurrency @MainActor
open class UISceneSession: NSObject {
  /// What a scene is for.
  public struct Role: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A window that the user works with.
    public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
  }

  /// A random identifier of the session.
  public let persistentIdentifier = UUID().uuidString
  /// What the scene is for.
  public let role: Role
  /// The scene, while it exists.
  public internal(set) weak var scene: UserActivityScene?
  /// The activity from which the scene can be restored. ``UserActivityApplication/disconnect(_:)`` sets it to the one
  /// that the scene's delegate returns. It isn't sent.
  open var stateRestorationActivity: NSUserActivity?
  /// Kept for the app.
  open var userInfo: [String: Any]?

  /// Creates a session. UIKit creates sessions itself.
  public init(role: Role = .windowApplication) { self.role = role }
}
